//! Runs that came with a project, from somebody else: their records do not decide what runs before a person accepts it.

use attractor_tests::{Editor, MockProvider, ProcessOutput, Project, Reply};
use serde_json::json;

use crate::http::Served;

const DOT: &str = r#"digraph release {
  start [shape=Mdiamond]
  gate  [shape=hexagon, prompt="Ship?"]
  ship  [shape=parallelogram, command="test -e ready && echo shipped > shipped.txt"]
  done  [shape=Msquare]
  start -> gate -> ship -> done
}
"#;

/// A project with a run that somebody else has approved and that failed after that.
fn cloned() -> (Project, String) {
    let project = Project::with("release.dot", DOT);
    let mut theirs = project.command(["run", "release.dot", "--auto-approve"]);
    theirs.env("XDG_STATE_HOME", project.file("theirs"));
    let failed = theirs.output().expect("it starts");
    ProcessOutput::new(&failed).expect_code(1);
    let listed = project.run(["runs", "--format", "json"]).expect_code(0);
    let run = listed.json()["runs"][0]["run"].as_str().map(str::to_owned);
    project.write("ready", "");
    (project, run.expect("a run"))
}

fn is_shipped(project: &Project) -> bool {
    project.file("shipped.txt").exists()
}

#[test]
fn a_run_of_somebody_else_is_continued_only_on_request() {
    let (project, run) = cloned();
    for arguments in [
        vec!["resume", &run],
        vec!["resume"],
        vec!["fork", &run, "ship", "--keep-files"],
    ] {
        let refused = project.run(&arguments).expect_code(1);
        assert!(
            refused.stderr.contains("was not recorded by you here")
                && refused.stderr.contains("--accept-foreign"),
            "{refused}"
        );
    }
    // What it says is shown to who looks at it.
    project.run(["runs", "show", &run]).expect_code(0);
    project.run(["runs", "diff", &run]).expect_code(0);
    assert!(!is_shipped(&project));
    project
        .run(["resume", &run, "--accept-foreign"])
        .expect_code(0);
    assert!(is_shipped(&project));
    // Now it is a run of this user.
    project
        .run(["fork", &run, "ship", "--keep-files"])
        .expect_code(0);
}

#[test]
fn a_run_of_somebody_else_is_forked_on_request() {
    let (project, run) = cloned();
    project
        .run(["fork", &run, "ship", "--keep-files", "--accept-foreign"])
        .expect_code(0);
    assert!(is_shipped(&project));
}

#[test]
fn a_server_does_not_continue_runs_of_somebody_else() {
    let (project, run) = cloned();
    let served = Served::start(&project);
    let resume = format!(
        "curl -sS -w ' %{{http_code}}' -X POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' \
         $URL/pipelines/{run}/resume"
    );
    let refused = served.script(&project, &resume);
    assert!(
        refused.contains("--accept-foreign") && refused.ends_with(" 409"),
        "{refused}"
    );
    assert!(!is_shipped(&project));
}

#[test]
fn an_editor_asks_before_a_run_of_somebody_else_is_continued() {
    for (button, continues) in [("Cancel", false), ("Continue Anyway", true)] {
        let (project, run) = cloned();
        Editor::approve(&project, "release.dot");
        let draws = json!({ "experimental": { "attractor": { "runState": true } } });
        let mut editor = Editor::open(&project, &draws);
        let uri = format!("file://{}", project.file("release.dot").display());
        editor.did_open(&uri, DOT);
        editor.reply("window/showMessageRequest", json!({ "title": button }));
        let asked = editor.command("attractor.resume", &json!({ "run": run }));
        assert_eq!(asked, Ok(json!({ "asked": true })));
        if continues {
            editor.notification("attractor/runState", |params| params["state"] == "success");
        }
        // A server that leaves has ended what it started.
        editor.leave();
        assert_eq!(is_shipped(&project), continues);
    }
}

#[test]
fn a_session_of_somebody_else_is_continued_only_on_request() {
    let project = Project::new();
    let provider = MockProvider::start(vec![Reply::Says("Yes.")]);
    let agent = |state: &str, arguments: &[&str]| {
        let mut command = project.command(["agent", "--model", "sonnet", "--format", "json"]);
        command
            .args(arguments)
            .envs(provider.variables())
            .env("XDG_STATE_HOME", project.file(state));
        ProcessOutput::new(&command.output().expect("it starts"))
    };
    let theirs = agent("theirs", &["Begin."]).expect_code(0).json();
    let id = theirs["session"].as_str().expect("an id").to_owned();
    for arguments in [
        ["--session", &id, "Continue."],
        ["--fork", &id, "Continue."],
    ] {
        let refused = agent("mine", &arguments).expect_code(1);
        assert!(refused.stderr.contains("--accept-foreign"), "{refused}");
    }
    let none = agent("mine", &["--continue", "Continue."]).expect_code(2);
    assert!(none.stderr.contains("no session to continue"), "{none}");
    agent("mine", &["--session", &id, "--accept-foreign", "Continue."]).expect_code(0);
    // Now it is a session of this user.
    agent("mine", &["--continue", "Continue."]).expect_code(0);
}

#[test]
fn files_that_replace_those_of_a_run_are_noticed() {
    let project = Project::with("release.dot", DOT);
    project
        .run(["run", "release.dot", "--auto-approve"])
        .expect_code(1);
    let listed = project
        .run(["runs", "--format", "json"])
        .expect_code(0)
        .json();
    let run = listed["runs"][0]["run"].as_str().expect("a run").to_owned();
    // As a pull does with files that are ignored here: the pipeline and its copy are other ones.
    let other = DOT.replace("test -e ready && ", "");
    project.write("release.dot", &other);
    project.write(&format!(".attractor/runs/{run}/pipeline.dot"), &other);
    let refused = project.run(["resume", &run]).expect_code(1);
    assert!(
        refused.stderr.contains("was not recorded by you here"),
        "{refused}"
    );
    assert!(!is_shipped(&project));
    project.damages_runs();
}
