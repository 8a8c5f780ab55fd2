//! What a run starts is in its consent document, in full.
//!
//! Every pipeline is run with a process layer that records what would be started and starts nothing, several times
//! with different endings of its commands, so that all of its branches are seen.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_exec::{AgentSandbox, Isolation};
use attractor_lang::template::{Part, parse};
use attractor_lint::analyze;
use attractor_model::{CustomHandler, Files, Options, Pipeline};
use expect_test::expect;
use futures::future::BoxFuture;

use super::{Consent, ConsentCommand, visible};
use crate::backend::{
    BackendError, BackendRegistry, CodergenBackend, CodergenRequest, CodergenResponse, Progress,
};
use crate::launch::bundle::PipelineBundle;
use crate::launch::{Launch, Mode, Source};
use crate::questions::answer_policy::AnswerPolicy;
use crate::testing::recording::{Recording, Started};

struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }

    fn exists(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    fn list(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The pipelines of `file` as they would be started, commands recorded.
fn launches(file: &Path, runs: &Path, recording: &Recording) -> Vec<Launch> {
    let folder = file.parent().unwrap().to_owned();
    let text: Arc<str> = std::fs::read_to_string(file).unwrap().into();
    let options = Options {
        path: Some(file.display().to_string()),
        custom_handlers: vec![CustomHandler {
            name: "deploy".to_owned(),
            command: vec!["./deploy.py".to_owned(), "--really".to_owned()],
            ..CustomHandler::default()
        }],
        ..Options::default()
    };
    let files = Folder(folder);
    let analysis = analyze(&text, &attractor_model::dot::parse(&text), &options, &files);
    let pipelines: Vec<Arc<Pipeline>> = analysis.pipelines().cloned().collect();
    let launch = |pipeline: &Arc<Pipeline>| {
        let source = Source {
            path: file.to_owned(),
            text: text.clone(),
        };
        let bundle = PipelineBundle::collect(pipeline, &pipelines, &options, &files);
        let mut launch = Launch::new(pipeline.clone(), source).with_bundle(bundle, options.clone());
        launch.mode = Mode::Run;
        launch.answers = AnswerPolicy::AutoApprove;
        launch.runs_dir = runs.to_owned();
        launch.limits.max_steps = Some(60);
        for name in &Consent::of(&launch).inputs {
            launch.inputs.insert(name.clone(), "value".into());
        }
        launch.execution = Arc::new(recording.clone());
        launch
    };
    pipelines.iter().map(launch).collect()
}

/// What is started over several runs in which commands end in different ways.
async fn started(file: &Path, which: usize) -> Vec<Started> {
    let folder = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for codes in [&[0][..], &[1], &[0, 1], &[1, 1, 0]] {
        let recording = Recording::ending_with(codes);
        let mut launch = launches(file, folder.path(), &recording).remove(which);
        launch
            .inputs
            .insert("items".to_owned(), serde_json::json!(["a", "b"]));
        if let Ok(run) = crate::start(launch).await {
            run.wait().await;
        }
        all.extend(recording.started());
    }
    all
}

/// Whether `text` is `template` with its places filled in.
fn fits(template: &str, text: &str) -> bool {
    if template == text {
        return true;
    }
    let mut rest = text;
    let mut first = true;
    let (template, _) = parse(template);
    if template.inserts().next().is_none() {
        return false;
    }
    for part in &template.parts {
        let Part::Text(literal, _) = part else {
            continue;
        };
        let at = if first {
            rest.starts_with(&**literal).then_some(0)
        } else {
            rest.find(&**literal)
        };
        let Some(at) = at else { return false };
        rest = rest.get(at + literal.len()..).unwrap_or_default();
        first = false;
    }
    true
}

fn announced(command: &ConsentCommand, started: &Started) -> bool {
    let (program, text) = match &command.text {
        Some(_) => (
            started.argv.get(..started.argv.len().saturating_sub(1)),
            started.argv.last(),
        ),
        None => (Some(started.argv.as_slice()), None),
    };
    let same_text = match (&command.text, text) {
        (Some(template), Some(text)) => fits(template, text),
        (None, None) => true,
        _ => false,
    };
    let variables: BTreeSet<&str> = command
        .environment
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let own = started
        .environment
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| !name.starts_with("ATTRACTOR_"));
    program == Some(&command.program)
        && same_text
        && own.collect::<BTreeSet<_>>() == variables
        && (started.stdin.is_some() <= (command.stdin.is_some() || command.handler.is_some()))
}

/// Checks one file; gives how many commands its documents announce and how many of those were started.
async fn check(file: &Path) -> (usize, usize) {
    let runs = tempfile::tempdir().unwrap();
    let recording = Recording::ending_with(&[0]);
    let (mut all, mut seen) = (0, 0);
    for (which, launch) in launches(file, runs.path(), &recording).iter().enumerate() {
        let consent = Consent::of(launch);
        let document = consent.document();
        for command in consent.commands() {
            for text in command.program.iter().chain(&command.text) {
                let text = visible(text);
                assert!(
                    text.lines().all(|line| document.contains(line)),
                    "{}: {text}\nis not in\n{document}",
                    file.display()
                );
            }
        }
        let started = started(file, which).await;
        for one in &started {
            assert!(
                consent.commands().any(|command| announced(command, one)),
                "{}: {one:?}\nis not in\n{document}",
                file.display()
            );
        }
        all += consent.commands().count();
        seen += consent
            .commands()
            .filter(|command| started.iter().any(|one| announced(command, one)))
            .count();
    }
    (all, seen)
}

fn files_of(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "dot"))
        .collect();
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_and_templates() {
    let mut total = 0;
    for file in files_of("../../examples")
        .into_iter()
        .chain(files_of("../../templates"))
    {
        total += check(&file).await.1;
    }
    assert!(total > 40, "{total}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_pipelines() {
    let files = files_of("fixtures/hostile");
    assert!(files.len() >= 20, "{}", files.len());
    for file in files {
        if file.ends_with("child.dot") || file.ends_with("grandchild.dot") {
            continue;
        }
        let (announced, started) = check(&file).await;
        assert!(started > 0, "{}: nothing was started", file.display());
        assert_eq!(announced, started, "{}", file.display());
    }
}

#[test]
fn the_document() {
    let recording = Recording::ending_with(&[0]);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hostile/everything.dot");
    let mut launch = launches(&file, Path::new("/runs"), &recording).remove(0);
    launch.workdir = "/project".into();
    launch.source.path = "/project/everything.dot".into();
    expect![[r#"
        # What `everything` runs

        9 commands · models at 1 node (simulated: no model is called) · 2 sub-pipelines · 2 files.

        Models: all simulated.

        - file: `/project/everything.dot`
        - commands run in: `/project`
        - inputs: `version, items`

        Placeholders such as `{key}` and `$goal` are replaced when a step runs. In commands, values are passed as quoted environment variables; a place known to evaluate them, such as the code after `sh -c`, is an error. What a program does with a value it is given, such as running it, is up to the author of the command; with `|raw` a value becomes part of the command. Commands inherit the environment without variables that look like secrets, and get `ATTRACTOR_NODE` and `ATTRACTOR_STAGE_DIR`. Programs may load more files than are listed here, such as what a script imports and the code of dependencies.

        ## Pipeline `everything`

        ### `start` (start)

        ### `plan` (codergen)

        Calls a model (simulated).

        Before each tool call runs `sh` `-c` (`tool_hooks.pre`):

        ```sh
        audit {goal}
        ```
        - receives the call as JSON on standard input

        - prompt: `@prompts/plan.md`
        - model: `claude-opus`
        - allowed_tools: `read, write`

        ### `build` (tool)

        First runs `./evilsh` `-e` `-c` (`tool_hooks.pre`):

        ```sh
        audit {goal}
        ```
        - working folder: `sub`
        - environment variable `TOKEN`: `{version}`

        Runs `./evilsh` `-e` `-c` (`command`, from `run.sh`):

        ```sh
        set -e
        echo building
        rm -rf build
        ```
        - working folder: `sub`
        - environment variable `TOKEN`: `{version}`
        - standard input: `{goal}`

        Then runs `./evilsh` `-e` `-c` (`post_hook`):

        ```sh
        curl example.org/{version}
        ```
        - working folder: `sub`
        - environment variable `TOKEN`: `{version}`

        ### `roll` (deploy)

        First runs `sh` `-c` (`tool_hooks.pre`):

        ```sh
        audit {goal}
        ```

        Runs `./deploy.py` `--really` (handler `deploy`)

        - receives the node's attributes and the context as JSON on standard input

        - image: `app:{version}`

        ### `nested` (pipeline)

        Runs the pipeline `child.dot`.

        ### `ask` (human_gate)

        - prompt: `Ship {version}?`

        ### `done` (exit)

        ## Sub-pipeline `child.dot`

        ### `start` (start)

        ### `inner` (tool)

        Runs `sh` `-c` (`command`):

        ```sh
        echo inner
        ```

        ### `deeper` (pipeline)

        Runs the pipeline `grandchild`.

        ### `done` (exit)

        ## Sub-pipeline `grandchild`

        ### `start` (start)

        ### `innermost` (tool)

        Runs `sh` `-c` (`command`):

        ```sh
        echo innermost
        ```

        Then runs `sh` `-c` (`tool_hooks.post`):

        ```sh
        curl deep.example.org
        ```

        ### `done` (exit)

        ## Files that are read

        ### `prompts/plan.md`
        ```
        Plan the release of {version}.
        ```
    "#]].assert_eq(&Consent::of(&launch).document());
}

#[test]
fn folders_of_branches_are_announced() {
    let dot = "digraph p { s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component, isolation=worktree]; \
               j [shape=tripleoctagon]; s -> f -> {a b} -> j -> e }";
    let pipeline = Pipeline::from_text(dot).remove(0);
    let source = Source {
        path: "/project/p.dot".into(),
        text: dot.into(),
    };
    let document = Consent::of(&Launch::new(pipeline, source)).document();
    let expected = "### `f` (parallel)\n\nEach branch works in a folder of its own; in a Git repository `git worktree add` makes it.";
    assert!(document.contains(expected), "{document}");
}

/// What the sandbox of a machine lets agents do is said before a person approves.
#[test]
fn what_the_sandbox_does_not_prevent_is_announced() {
    struct AgentIn(AgentSandbox);
    impl CodergenBackend for AgentIn {
        fn name(&self) -> &'static str {
            "mine"
        }
        fn sandbox(&self) -> Option<AgentSandbox> {
            Some(self.0)
        }
        fn run(
            &self,
            _: CodergenRequest,
            _: Arc<dyn Progress>,
        ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
            Box::pin(async { Ok(CodergenResponse::default()) })
        }
    }
    let document = |isolation| {
        let dot = "digraph p { s [shape=Mdiamond]; e [shape=Msquare]; a [prompt=x]; s -> a -> e }";
        let source = Source {
            path: "/project/p.dot".into(),
            text: dot.into(),
        };
        let mut launch = Launch::new(Pipeline::from_text(dot).remove(0), source);
        launch.backends = BackendRegistry::of(AgentIn(AgentSandbox {
            isolation,
            network: false,
            writable_git: false,
        }));
        Consent::of(&launch).document()
    };
    let weak = document(Isolation::None);
    let expected =
        "Sandbox: commands of agents run without a sandbox; they can write wherever you can, ";
    assert!(weak.contains(expected), "{weak}");
    let strong = document(Isolation::Bubblewrap);
    assert!(!strong.contains("Sandbox"), "{strong}");
}

/// The execution environment is the one place that starts programs.
#[test]
fn nothing_else_starts_programs() {
    fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && without_tests(&path).contains("Command::new(")
            {
                found.push(path);
            }
        }
    }
    fn without_tests(path: &Path) -> String {
        let text = std::fs::read_to_string(path).unwrap();
        let tests = text.find("\nmod tests {");
        text[..tests.unwrap_or(text.len())].to_owned()
    }

    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for folder in ["exec/src", "run/src"] {
        visit(&engine.join(folder), &mut found);
    }
    let relative = |path: &PathBuf| path.strip_prefix(engine).unwrap().display().to_string();
    let mut found: Vec<String> = found.iter().map(relative).collect();
    found.retain(|path| !path.contains("tests"));
    found.sort();
    expect![[r#"
        exec/src/git/client.rs
        exec/src/isolation/support.rs
        exec/src/process/spawn.rs
        exec/src/process/watchdog.rs
        exec/src/secret_environment.rs"#]]
    .assert_eq(&found.join("\n"));
}
