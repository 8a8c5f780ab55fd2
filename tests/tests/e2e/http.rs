//! `attractor serve` as its users call it: the program, and curl.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use attractor_tests::{Editor, MockProvider, Project, Reply, repository};

/// A server, killed when its test ends.
pub(crate) struct Served {
    process: Child,
    /// Kept open: the server writes to it.
    _output: BufReader<ChildStdout>,
    pub(crate) url: String,
    pub(crate) token: String,
}

impl Served {
    pub(crate) fn start(project: &Project) -> Self {
        Self::with(project, &["serve"])
    }

    pub(crate) fn with(project: &Project, arguments: &[&str]) -> Self {
        Self::of(project.command(arguments))
    }

    fn of(mut command: Command) -> Self {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = || {
            let mut line = String::new();
            output.read_line(&mut line).expect("a line");
            line.trim().to_owned()
        };
        let (url, token) = (line(), line());
        let token = token.strip_prefix("token: ").expect("its token").to_owned();
        Self {
            process,
            _output: output,
            url,
            token,
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &id])
            .status();
        assert!(sent.expect("kill starts").success());
    }

    /// What a shell script prints that calls it.
    pub(crate) fn script(&self, project: &Project, script: &str) -> String {
        let output = Command::new("bash")
            .args(["-e", "-o", "pipefail", "-c", script])
            .current_dir(project.path())
            .env("URL", &self.url)
            .env("TOKEN", &self.token)
            .output()
            .expect("bash starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

fn documented_script() -> String {
    let page = std::fs::read_to_string(repository().join("docs/http.md")).expect("the page");
    let (_, script) = page.split_once("```sh\n").expect("the script");
    script.split_once("\n```").expect("its end").0.to_owned()
}

#[test]
fn documented_requests_work() {
    let project = Project::new();
    let served = Served::start(&project);
    let printed = served.script(&project, &documented_script());
    for expected in [
        "{\"accepted\":true}",
        "event: pipeline_started",
        "event: interview_completed",
        "event: pipeline_completed",
        "\"status\":\"success\"",
        "event: snapshot\ndata: {\"type\":\"snapshot\",\"pipelines\":[{",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    let listed = project.run(["runs"]).expect_code(0);
    assert!(listed.stdout.contains("release"), "{listed}");
}

#[test]
fn token_is_private_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    let token = Served::start(&project).token.clone();
    assert_eq!(token.len(), 64);
    let file = project.file(".local/state/attractor/serve-token");
    let mode = std::fs::metadata(&file)
        .expect("the file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(Served::start(&project).token, token);
}

#[test]
fn runs_of_a_server_that_ends_can_be_resumed() {
    let project = Project::new();
    let served = Served::start(&project);
    let script = documented_script();
    let (submit, _) = script.split_once("\n# Wait until").expect("its first part");
    let submit = format!(
        "{submit}\nuntil api \"$URL/pipelines/$id/questions\" | grep -q '\"id\"'; do sleep 0.1; done; echo $id"
    );
    let id = served.script(&project, &submit).trim().to_owned();
    served.signal("TERM");
    let mut served = served;
    assert!(served.process.wait().expect("it ends").success());
    let served = Served::start(&project);
    let state = format!(
        "curl -sS -H \"Authorization: Bearer $TOKEN\" $URL/pipelines/{id}; \
         curl -sS -X POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' $URL/pipelines/{id}/resume"
    );
    let printed = served.script(&project, &state);
    assert!(printed.contains("\"status\":\"interrupted\""), "{printed}");
    assert!(
        printed.contains(&format!("{{\"id\":\"{id}\",\"status\":")),
        "{printed}"
    );
    let questions =
        format!("curl -sS -H \"Authorization: Bearer $TOKEN\" $URL/pipelines/{id}/questions");
    project.eventually("the question is asked again", || {
        let printed = served.script(&project, &questions);
        printed.contains("Release 1.2?").then_some(())
    });
    // The terminal answers a run of the server.
    project.run(["answer", &id, "approve"]).expect_code(0);
}

/// Answers the question of a run as soon as it is asked: `sh answer.sh URL TOKEN RUN`.
const ANSWER: &str = r#"url=$1 token=$2 run=$3
api() { curl -sS -m 20 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
until id=$(api "$url/pipelines/$run/questions" | grep -o '"id":"[^"]*"' | head -1 | cut -d '"' -f 4) && test -n "$id"; do sleep 0.1; done
api -d '{"answer": "approve"}' "$url/pipelines/$run/questions/$id/answer"
"#;

/// A command works while the question is open.
const ANSWERS_ITSELF: &str = r#"digraph release {
  start  [shape=Mdiamond]
  fork   [shape=component]
  build  [shape=parallelogram, command="cd FOLDER && sh answer.sh URL TOKEN $ATTRACTOR_RUN > reply"]
  review [shape=hexagon, prompt="Release?"]
  join   [shape=tripleoctagon]
  done   [shape=Msquare]
  start -> fork -> {build review}
  review -> join [label="[A] Approve"]
  review -> join [label="[R] Revise"]
  build -> join -> done
}"#;

#[test]
fn a_command_does_not_answer_the_question_of_its_run() {
    let project = Project::new();
    project.write("answer.sh", ANSWER);
    let served = Served::start(&project);
    let pipeline = ANSWERS_ITSELF
        .replace("FOLDER", &project.path().display().to_string())
        .replace("URL", &served.url)
        .replace("TOKEN", &served.token);
    let body = serde_json::json!({ "dot": pipeline }).to_string();
    project.write("body.json", body);
    let submit = "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d @body.json $URL/pipelines | cut -d '\"' -f 4";
    let id = served.script(&project, submit).trim().to_owned();
    let reply = project.eventually("the reply to the command", || {
        let reply = std::fs::read_to_string(project.file("reply")).ok()?;
        (!reply.is_empty()).then_some(reply)
    });
    assert!(
        reply.contains("\"forbidden\"") && reply.contains("a command that this run started"),
        "{reply}"
    );
    let reply = served.script(&project, &format!("sh answer.sh $URL $TOKEN {id}"));
    assert_eq!(reply, r#"{"accepted":true}"#);
}

#[test]
fn other_machines_need_permission() {
    let project = Project::new();
    let output = project.run(["serve", "--host", "0.0.0.0"]).expect_code(1);
    assert!(output.stderr.contains("add `--allow-remote`"), "{output}");
}

/// Uses a model, a script, a configured handler and a hook of the project.
const PROJECT_PIPELINE: &str = r#"digraph build {
  start [shape=Mdiamond]
  test [shape=parallelogram, command="./test.sh > made.txt"]
  note [handler=notify]
  fix [shape=box, prompt="Fix it."]
  done [shape=Msquare]
  start -> test -> note -> fix -> done
}"#;

#[test]
fn a_version_approved_in_the_editor_is_not_asked_about_over_http() {
    let project = Project::with("flows/build.dot", PROJECT_PIPELINE);
    project.write("test.sh", "#!/bin/sh\necho tested\n");
    project.write(
        ".attractor/config.toml",
        "[handlers.notify]\ncommand = [\"true\"]\n\n[hooks.log]\nwhen = \"before\"\ncommand = [\"true\"]\n",
    );
    let served = Served::start(&project);
    project.write("body.json", r#"{"path": "flows/build.dot"}"#);
    let start = "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d @body.json $URL/pipelines";
    let refused = served.script(&project, start);
    for shown in ["\"consent_required\"", "echo tested", "handler `notify`"] {
        assert!(refused.contains(shown), "{shown}: {refused}");
    }
    assert!(!project.file("made.txt").exists());
    Editor::approve(&project, "flows/build.dot");
    let started = served.script(&project, start);
    assert!(started.starts_with("{\"id\":"), "{started}");
    project.write("test.sh", "#!/bin/sh\necho changed\n");
    let refused = served.script(&project, start);
    assert!(refused.contains("\"changes\":"), "{refused}");
}

/// Submits the documented pipeline and waits for its question.
fn submitted(served: &Served, project: &Project) -> String {
    let script = documented_script();
    let (submit, _) = script.split_once("\n# Wait until").expect("its first part");
    let submit = format!(
        "{submit}\nuntil api \"$URL/pipelines/$id/questions\" | grep -q '\"id\"'; do sleep 0.1; done; echo $id"
    );
    served.script(project, &submit).trim().to_owned()
}

/// A report without how long ago the last transition was: that is another time for each reader.
fn timeless(report: &str) -> String {
    let since = "last transition: ";
    let lines = report.lines().map(|line| {
        let rest = line.strip_prefix(since)?.split_once(" ago")?.1;
        Some(format!("{since}TIME ago{rest}"))
    });
    let lines = lines.zip(report.lines());
    lines
        .map(|(timeless, line)| timeless.unwrap_or_else(|| line.to_owned()) + "\n")
        .collect()
}

#[test]
fn commands_reach_the_runs_of_a_server_elsewhere() {
    let there = Project::new();
    let served = Served::start(&there);
    let id = submitted(&served, &there);
    let here = Project::new();
    let command = |arguments: &[&str]| {
        let mut command = here.command(arguments);
        command.args(["--server", &served.url]);
        command
    };
    let refused = here.start_other(command(&["runs"])).end().expect_code(1);
    assert!(refused.stderr.contains("set ATTRACTOR_TOKEN"), "{refused}");
    let run = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("ATTRACTOR_TOKEN", &served.token);
        here.start_other(command).end()
    };
    let listed = run(&["runs"]).expect_code(0);
    assert!(
        listed.stdout.contains(&id) && listed.stdout.contains("waiting"),
        "{listed}"
    );
    // Reports are made from the same events, so they are the same; the folder of the log is on one machine only.
    let shown = run(&["runs", "show", &id]).expect_code(0);
    let local = there.run(["runs", "show", &id]).expect_code(0).stdout;
    let log = format!("log: .attractor/runs/{id}\n");
    assert!(local.contains(&log), "{local}");
    assert_eq!(timeless(&shown.stdout), timeless(&local.replace(&log, "")));
    let wrong = run(&["answer", "nonsense"]).expect_code(1);
    assert!(wrong.stderr.contains("nonsense"), "{wrong}");
    let mut follower = command(&["runs", "events", "--follow", &id]);
    let follower = follower
        .env("ATTRACTOR_TOKEN", &served.token)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let answered = run(&["answer", &id, "approve"]).expect_code(0);
    assert_eq!(answered.stdout, format!("review: approve (run {id})\n"));
    let output = follower.wait_with_output().expect("it ends");
    let events = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        events.trim_end().ends_with('}') && events.contains("pipeline_completed"),
        "{events}"
    );
    let local = there.run(["runs", "events", &id]).expect_code(0);
    assert_eq!(events, local.stdout);
    let over = run(&["cancel", &id]).expect_code(1);
    assert!(over.stderr.contains("ended"), "{over}");
    let clear = here
        .run(["runs", "--server", "http://box.example:8080"])
        .expect_code(1);
    assert!(clear.stderr.contains("in the clear"), "{clear}");
}

#[test]
fn runs_whose_process_was_killed_continue_with_resume_all() {
    let project = Project::new();
    let served = Served::start(&project);
    let id = submitted(&served, &project);
    served.signal("KILL");
    drop(served);
    let listed = project.run(["runs"]).expect_code(0);
    assert!(listed.stdout.contains("interrupted"), "{listed}");
    let _served = Served::with(&project, &["serve", "--resume-all"]);
    project.eventually("the question is asked again", || {
        let shown = project.run(["runs", "show", &id]).expect_code(0);
        shown.stdout.contains("Release 1.2?").then_some(())
    });
    project.run(["answer", &id, "approve"]).expect_code(0);
}

#[test]
fn programs_are_notified_of_questions_and_ends() {
    let project = Project::new();
    project.write(
        "notify.sh",
        "cat >> notified.jsonl; echo >> notified.jsonl\n",
    );
    let script = project.file("notify.sh").display().to_string();
    let script = script.replace("notify.sh", "");
    project.write(
        ".config/attractor/config.toml",
        format!("[notify]\ncommand = [\"sh\", \"-c\", \"cd {script} && sh notify.sh\"]\n"),
    );
    let served = Served::start(&project);
    let id = submitted(&served, &project);
    project.run(["answer", &id, "approve"]).expect_code(0);
    let notified = project.eventually("two notifications", || {
        let text = std::fs::read_to_string(project.file("notified.jsonl")).ok()?;
        (text.lines().count() == 2).then_some(text)
    });
    let (question, end) = notified.trim_end().split_once('\n').expect("two lines");
    let start = format!("{{\"event\":\"question\",\"id\":\"{id}-");
    assert!(
        question.starts_with(&start) && question.contains("Release 1.2?"),
        "{question}"
    );
    assert!(
        end.contains("\"event\":\"end\"") && end.contains("\"state\":\"success\""),
        "{end}"
    );
}

#[test]
fn addresses_are_notified_with_a_signature_and_again_after_a_failure() {
    let hook = MockProvider::start(vec![
        Reply::Answer(503, Vec::new(), "text/plain", String::new()),
        Reply::Answer(200, Vec::new(), "text/plain", String::new()),
    ]);
    let variables = hook.variables();
    let url = &variables
        .iter()
        .find(|(name, _)| *name == "ANTHROPIC_BASE_URL")
        .expect("its address")
        .1;
    let project = Project::new();
    project.write(
        ".config/attractor/config.toml",
        format!("[notify]\nurl = \"{url}/hook\"\nsecret_variable = \"HOOK_KEY\"\nevents = [\"question\"]\n"),
    );
    let unset = project.run(["serve"]).expect_code(1);
    assert!(
        unset.stderr.contains("HOOK_KEY, which is not set"),
        "{unset}"
    );
    let mut command = project.command(["serve"]);
    command.env("HOOK_KEY", "the key of the hook");
    let served = Served::of(command);
    submitted(&served, &project);
    let sent = project.eventually("the second attempt", || {
        let sent = hook.sent();
        (sent.len() == 2).then_some(sent)
    });
    assert_eq!(sent[0].body, sent[1].body);
    let field = |name: &str| {
        let line = sent[1]
            .headers
            .lines()
            .find_map(|line| line.strip_prefix(name));
        line.expect("the field").trim().to_owned()
    };
    let signed = format!("{}.{}", field("attractor-timestamp:"), sent[1].body);
    let script = "import hashlib, hmac, sys; print('sha256=' + hmac.new(b'the key of the hook', sys.argv[1].encode(), hashlib.sha256).hexdigest())";
    let expected = Command::new("python3")
        .args(["-c", script, &signed])
        .output();
    let expected = String::from_utf8_lossy(&expected.expect("python3 starts").stdout).into_owned();
    assert_eq!(field("attractor-signature:"), expected.trim());
}

#[test]
fn the_token_is_neither_in_files_of_runs_nor_in_what_the_server_says() {
    let project = Project::new();
    let served = Served::start(&project);
    let id = submitted(&served, &project);
    let script = "api() { curl -sS -H \"Authorization: Bearer $TOKEN\" \"$@\"; }; api $URL/pipelines; api \"$URL/openapi.json\"; \
                  curl -sS -i \"$URL/pipelines?token=$TOKEN\"; curl -sS -i -H 'Authorization: Bearer x' $URL/pipelines; \
                  api $URL/pipelines/$ID; api $URL/pipelines/$ID/context";
    let printed = served.script(&project, &format!("ID={id}; {script}"));
    assert!(!printed.contains(&served.token), "{printed}");
    let found = served.script(
        &project,
        "grep -rl --exclude=serve-token \"$TOKEN\" . || true",
    );
    assert_eq!(found, "");
}

/// A reader that is attached while the server is killed and started again sees every event once.
#[test]
fn a_reader_continues_where_a_killed_server_ended() {
    let project = Project::new();
    let served = Served::start(&project);
    let id = submitted(&served, &project);
    let (_, port) = served.url.rsplit_once(':').expect("its port");
    let port = port.to_owned();
    let mut follower = project
        .command(["runs", "events", "--follow", &id, "--server", &served.url])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut output = BufReader::new(follower.stdout.take().expect("its output"));
    let mut events = String::new();
    while !events.contains("interview_started") {
        let length = output.read_line(&mut events).expect("a line");
        assert!(length > 0, "{events}");
    }
    served.signal("KILL");
    drop(served);
    let served = Served::with(&project, &["serve", "--resume-all", "--port", &port]);
    project.eventually("the question is asked again", || {
        let questions =
            "curl -sS -H \"Authorization: Bearer $TOKEN\" \"$URL/pipelines/$ID/questions\"";
        let printed = served.script(&project, &format!("ID={id}; {questions}"));
        printed.contains("Release 1.2?").then_some(())
    });
    project.run(["answer", &id, "approve"]).expect_code(0);
    output.read_to_string(&mut events).expect("the rest");
    assert!(follower.wait().expect("it ends").success());
    let local = project.run(["runs", "events", &id]).expect_code(0);
    assert_eq!(events, local.stdout);
}

/// A reader of the changes of all runs sees those of the terminal, also that one was killed.
#[test]
fn runs_of_the_terminal_are_in_the_stream_over_all_runs() {
    let project = Project::new();
    project.write(
        "wait.dot",
        "digraph wait { a [shape=Mdiamond]; b [type=tool, idempotent=true, command=\"until test -f go; do sleep 0.1; done\"]; \
         c [shape=Msquare]; a -> b -> c }",
    );
    let served = Served::start(&project);
    let script = "curl -sS -N -H \"Authorization: Bearer $TOKEN\" \"$URL/events\"";
    let mut reader = Command::new("bash")
        .args(["-c", &format!("exec {script}")])
        .env("URL", &served.url)
        .env("TOKEN", &served.token)
        .stdout(Stdio::piped())
        .spawn()
        .expect("curl starts");
    let mut output = BufReader::new(reader.stdout.take().expect("its output"));
    let mut until = |expected: &str| {
        let mut line = String::new();
        while !line.contains(expected) {
            line.clear();
            let length = output.read_line(&mut line).expect("a line");
            assert!(length > 0, "the stream ended before `{expected}`");
        }
        line
    };
    until("{\"type\":\"snapshot\",\"pipelines\":[],\"total\":0}");
    let mut run = project
        .command(["run", "wait.dot"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let started = until("\"node\":\"b\"");
    assert!(started.contains("\"status\":\"running\""), "{started}");
    run.kill().expect("it is killed");
    run.wait().expect("it ends");
    until("\"status\":\"interrupted\"");
    project.write("go", "");
    project.run(["resume"]).expect_code(0);
    until("\"status\":\"success\"");
    project
        .run(["runs", "prune", "--keep", "0", "--yes"])
        .expect_code(0);
    until("\"type\":\"removed\"");
    reader.kill().ok();
    reader.wait().ok();
}
