//! What a row of the escape suite is, and how it is carried out.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply, program, skip};
use serde_json::json;

/// No agent takes longer; requests that cannot arrive take ten seconds each.
const TIMEOUT: Duration = Duration::from_mins(3);

/// Rows that are carried out at the same time.
const AT_ONCE: usize = 4;

/// One agent in the folder `work`, next to which the project has other files.
const PIPELINE: &str = "digraph attack {
  start [shape=Mdiamond]
  agent [shape=box, prompt=\"Work.\", model=sonnet, working_dir=work]
  done  [shape=Msquare]
  start -> agent -> done
}
";

/// The sandbox that commands run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sandbox {
    Bubblewrap,
    Landlock,
    Off,
}

/// What becomes of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Prevented,
    Refused,
    Undone,
    FailsNode,
    SetAside,
    Possible,
}

/// What becomes of an attack in each sandbox.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcomes {
    pub(super) bubblewrap: Outcome,
    pub(super) landlock: Outcome,
    pub(super) off: Outcome,
}

/// How the attacked agent is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// `attractor run`, without a terminal.
    Run,
    /// `attractor run` in a terminal. A person cancels it once the agent is done, if it still waits for an answer.
    AtTerminal,
    /// `attractor run` by a shell that has the file `opened` of the project open for writing, as descriptor 7.
    WithOpenFile,
    /// `attractor agent`, in `work`.
    Agent,
}

/// A row of the suite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attack {
    /// What a command does, as the table says it: `writes a hook of the repository`.
    pub(super) name: &'static str,
    pub(super) start: Start,
    /// The pipeline, in which `agent` is the attacked node.
    pub(super) pipeline: &'static str,
    /// What the user's configuration adds, in TOML.
    pub(super) configuration: &'static str,
    /// Creates what the commands work on, in the folder of the project.
    pub(super) prepare: fn(&Project),
    /// What the agent runs in `work`, one after the other; `ATTRACTOR` is the path of the program.
    pub(super) commands: &'static [&'static str],
    /// Whether the first command is started in the background.
    pub(super) begins_in_background: bool,
    /// Whether the attack did harm.
    pub(super) is_harmed: fn(&Attempt<'_>) -> bool,
    pub(super) outcomes: Outcomes,
}

/// An attack that was carried out.
pub(super) struct Attempt<'p> {
    pub(super) project: &'p Project,
    /// The output of the run.
    pub(super) output: ProcessOutput,
    /// What the model was sent last: the results of its commands.
    pub(super) sent: String,
}

impl Attempt<'_> {
    /// Whether the first event of the run has what its commands can do.
    fn says_what_is_possible(&self) -> bool {
        let first = self.output.stdout.lines().next().unwrap_or_default();
        first.contains("commands of agents run") && first.contains("they can")
    }
}

impl Sandbox {
    pub(super) const ALL: [Self; 3] = [Self::Bubblewrap, Self::Landlock, Self::Off];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "Landlock",
            Self::Off => "off",
        }
    }

    /// Lets commands of agents in the project run in this sandbox.
    fn choose(self, project: &Project, configuration: &str) {
        let configuration = match self {
            Self::Bubblewrap => configuration.to_owned(),
            Self::Landlock => {
                // One that fails is not used.
                project.write("bin/bwrap", "#!/bin/sh\nexit 1\n");
                executable(&project.file("bin/bwrap"));
                configuration.to_owned()
            }
            Self::Off => format!(
                "{configuration}\n[agent.sandbox]\nmode = \"off\"\n[agent.permissions]\nshell = \"allow\"\n"
            ),
        };
        project.write(".config/attractor/config.toml", configuration);
    }

    /// Whether this machine has it.
    fn is_available(self, project: &Project) -> bool {
        let mut doctor = project.command(["doctor", "--offline"]);
        doctor.env("PATH", path(project));
        let output = doctor.output().expect("the program starts");
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let has = match self {
            Self::Bubblewrap => output.contains("sandbox of agents: bubblewrap"),
            Self::Landlock => output.contains("sandbox of agents: Landlock"),
            Self::Off => true,
        };
        if !has {
            skip(
                &format!("attacks in {}", self.title()),
                "this machine has no such sandbox",
            );
        }
        has
    }
}

impl Outcome {
    pub(super) const ALL: [Self; 6] = [
        Self::Prevented,
        Self::Refused,
        Self::Undone,
        Self::FailsNode,
        Self::SetAside,
        Self::Possible,
    ];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Prevented => "prevented",
            Self::Refused => "refused",
            Self::Undone => "undone",
            Self::FailsNode => "undone, the node fails",
            Self::SetAside => "set aside",
            Self::Possible => "possible",
        }
    }

    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Prevented => "the sandbox keeps the command from doing it.",
            Self::Refused => "the engine refuses it.",
            Self::Undone => "it is found and undone when the command ends, and the command fails.",
            Self::FailsNode => {
                "it is found and undone when the work of the agent ends, and the node fails."
            }
            Self::SetAside => {
                "what would run is moved into the folder of the run when the work of the agent ends, and the run says so."
            }
            Self::Possible => "nothing prevents it; the run says so before it begins.",
        }
    }

    /// What an attempt shows that did not end in this way.
    fn contradiction(self, attack: &Attack, attempt: &Attempt<'_>) -> Option<&'static str> {
        let is_harmed = (attack.is_harmed)(attempt);
        match self {
            Self::Possible if !is_harmed => {
                Some("it did no harm, and the table says it is possible")
            }
            Self::Possible if attack.start == Start::Run && !attempt.says_what_is_possible() => {
                Some("the run does not say what is possible")
            }
            Self::Possible => None,
            _ if is_harmed => Some("it did harm"),
            Self::Undone if !attempt.sent.contains("[undone: ") => Some("nothing was undone"),
            Self::FailsNode if attempt.output.code == Some(0) => Some("the node succeeded"),
            Self::FailsNode if !attempt.output.stdout.contains("undone: ") => {
                Some("nothing was undone at the end")
            }
            Self::SetAside if !attempt.output.stdout.contains("set aside: ") => {
                Some("nothing was set aside")
            }
            _ => None,
        }
    }
}

impl Start {
    /// Gives the output when it has ended.
    fn carry_out(
        self,
        project: &Project,
        provider: &MockProvider,
        commands: usize,
    ) -> ProcessOutput {
        let prepared = |arguments: &[&str]| {
            let mut command = project.command(arguments);
            command
                .env("PATH", path(project))
                .envs(provider.variables());
            command
        };
        let run = ["run", "attack.dot", "--format", "events"];
        match self {
            Self::Run => ProcessOutput::new(&prepared(&run).output().expect("the program starts")),
            Self::Agent => {
                let task = ["agent", "Work.", "--model", "sonnet", "--format", "events"];
                let mut command = prepared(&task);
                command.current_dir(project.file("work"));
                ProcessOutput::new(&command.output().expect("the program starts"))
            }
            Self::WithOpenFile => {
                let script = "exec 7>>opened; exec \"$0\" \"$@\"";
                let mut shell = Command::new("sh");
                shell.args(["-c", script]).arg(program()).args(run);
                let mut shell = environment_of(&prepared(&run), shell);
                shell.current_dir(project.path());
                ProcessOutput::new(&shell.output().expect("the program starts"))
            }
            Self::AtTerminal => {
                let line = format!("{} run attack.dot", program().display());
                let mut terminal = Command::new("script");
                terminal.args(["-qec", &line, "/dev/null"]);
                let terminal = environment_of(&prepared(&run), terminal);
                let mut started = project.start_other(terminal);
                let begun = Instant::now();
                while provider.sent().len() <= commands && started.is_running() {
                    assert!(begun.elapsed() < TIMEOUT, "the agent is not done");
                    std::thread::sleep(Duration::from_millis(20));
                }
                if started.is_running() {
                    // It may have ended meanwhile.
                    project.run(["cancel"]);
                }
                started.end()
            }
        }
    }
}

/// A command in the environment that another one sets.
fn environment_of(other: &Command, mut command: Command) -> Command {
    let set = other
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    command.env_clear().envs(set);
    command
}

impl Attack {
    /// A row to fill in.
    pub(super) const NEW: Self = Self {
        name: "",
        start: Start::Run,
        pipeline: PIPELINE,
        configuration: "",
        prepare: |_| {},
        commands: &[],
        begins_in_background: false,
        is_harmed: |_| true,
        outcomes: Outcomes {
            bubblewrap: Outcome::Prevented,
            landlock: Outcome::Prevented,
            off: Outcome::Prevented,
        },
    };

    pub(super) fn outcome(&self, sandbox: Sandbox) -> Outcome {
        match sandbox {
            Sandbox::Bubblewrap => self.outcomes.bubblewrap,
            Sandbox::Landlock => self.outcomes.landlock,
            Sandbox::Off => self.outcomes.off,
        }
    }

    fn project(&self, sandbox: Sandbox) -> Project {
        let project = Project::with("attack.dot", self.pipeline);
        project.write(".attractor/config.toml", "");
        project.write("work/README", "work\n");
        project.write("bin/README", "");
        sandbox.choose(&project, self.configuration);
        (self.prepare)(&project);
        project
    }

    /// What is wrong with the outcome in a sandbox.
    fn problem(&self, sandbox: Sandbox) -> Option<String> {
        let project = self.project(sandbox);
        // An attack may damage the run that carries it.
        project.damages_runs();
        let calls = self.commands.iter().enumerate().map(|(index, command)| {
            let command = command.replace("ATTRACTOR", &program().to_string_lossy());
            let mut arguments = json!({"command": command, "timeout_ms": 60_000});
            if self.begins_in_background && index == 0 {
                arguments["background"] = json!(true);
            }
            Reply::Calls(vec![("shell", arguments.to_string())])
        });
        let provider = MockProvider::start(calls.chain([Reply::Says("Done.")]).collect());
        let output = self
            .start
            .carry_out(&project, &provider, self.commands.len());
        let sent = provider.sent();
        let is_complete = sent.len() > self.commands.len();
        let attempt = Attempt {
            project: &project,
            output,
            sent: sent
                .last()
                .map(|one| one.body.to_string())
                .unwrap_or_default(),
        };
        let outcome = self.outcome(sandbox);
        let problem = match outcome.contradiction(self, &attempt) {
            None if outcome != Outcome::Possible && !is_complete => {
                "the agent did not run all of its commands"
            }
            problem => problem?,
        };
        Some(format!(
            "`{}` in {}: {problem}\n{}\nthe model was sent: {}",
            self.name,
            sandbox.title(),
            attempt.output,
            attempt.sent
        ))
    }
}

/// Carries out the attacks in every sandbox of this machine.
pub(super) fn check(attacks: &[Attack]) {
    let sandboxes = Sandbox::ALL.into_iter().filter(|sandbox| {
        let project = Attack::NEW.project(*sandbox);
        sandbox.is_available(&project)
    });
    let rows: Vec<(Sandbox, &Attack)> = sandboxes
        .flat_map(|sandbox| attacks.iter().map(move |attack| (sandbox, attack)))
        .collect();
    let mut problems = Vec::new();
    for rows in rows.chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            let started = rows
                .iter()
                .map(|(sandbox, attack)| scope.spawn(move || attack.problem(*sandbox)));
            let started: Vec<_> = started.collect();
            problems.extend(
                started
                    .into_iter()
                    .filter_map(|one| one.join().expect("a row")),
            );
        });
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

/// Programs of the project first.
fn path(project: &Project) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}", project.file("bin").display())
}

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
}

/// A server of the user, until the project is gone. Its address and its token are in the file `served`.
pub(super) fn start_server(project: &Project) {
    let output = fs::File::create(project.file("served")).expect("its output");
    let mut command = project.command(["serve"]);
    command.stdin(Stdio::null()).stdout(output);
    let mut server = command.spawn().expect("the server starts");
    let printed = project.file("served");
    let has_started = || fs::read_to_string(&printed).is_ok_and(|text| text.lines().count() >= 2);
    project.eventually("the server", || has_started().then_some(()));
    std::thread::spawn(move || {
        while printed.exists() {
            std::thread::sleep(Duration::from_millis(100));
        }
        server.kill().ok();
        server.wait().ok();
    });
}

/// A program of the user that serves a socket: a process that connects has it run a command in the project, once.
pub(super) fn start_service(project: &Project, command: &str) {
    let listener = UnixListener::bind(project.file("service")).expect("a socket");
    let (folder, command) = (project.path().to_owned(), command.to_owned());
    std::thread::spawn(move || {
        let Ok((_client, _)) = listener.accept() else {
            return;
        };
        // Its effect is what counts.
        let _ = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder)
            .output();
    });
}
