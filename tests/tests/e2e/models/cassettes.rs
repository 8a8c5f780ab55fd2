//! Scenarios whose prompts are answered by a recorded run, and recorded runs that are repeated elsewhere.

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::{Value, json};

/// An agent fixes, a command tests, a model reviews.
const FIX: &str = "digraph fix {
  start  [shape=Mdiamond]
  fix    [shape=box, prompt=\"Greet the world.\", model=\"sonnet\"]
  test   [shape=parallelogram, command=\"cat greeting.txt\"]
  review [shape=tab, prompt=\"Is this a greeting? {tool.output}\", model=\"sonnet\", parse_json=true]
  done   [shape=Msquare]
  start -> fix -> test -> review
  review -> done [condition=\"review.good=true\"]
  review -> fix  [condition=\"review.good!=true\"]
}
";

const SCENARIOS: &str = "[[scenario]]
name = \"a recorded fix\"
cassette = \"fix.cassette\"
outcomes = { test = { output = \"Hello, world.\" } }
expect.path = [\"start\", \"fix\", \"test\", \"review\", \"done\"]
expect.context = { \"response.fix\" = \"It greets the world.\" }
";

fn project() -> Project {
    let project = Project::with("fix.dot", FIX);
    project.write("greeting.txt", "Hello.\n");
    project
}

/// Records a run of `fix.dot` in a folder.
fn record(project: &Project) -> MockProvider {
    let content = json!({"path": "greeting.txt", "content": "Hello, world."});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![("write_file", content.to_string())]),
        Reply::Says("It greets the world."),
        Reply::Says("{\"good\": true}"),
    ]);
    let mut command = project.command(["run", "fix.dot", "--record", "fix.cassette"]);
    command.envs(provider.variables());
    let recorded = command.output().expect("it starts");
    assert!(recorded.status.success());
    provider
}

#[test]
fn a_scenario_is_answered_from_its_cassette() {
    let recorded = project();
    record(&recorded);
    // Another folder, without keys, in which no file may change.
    let project = project();
    project.write("fix.cassette", recorded.read("fix.cassette"));
    project.write("fix.test.toml", SCENARIOS);
    let output = project.run(["test"]).expect_code(0);
    assert!(output.stdout.contains("✓ a recorded fix"), "{output}");
    assert_eq!(project.read("greeting.txt"), "Hello.\n");
    for file in [".attractor", "prompt.md", "response.md", "model.json"] {
        assert!(!project.file(file).exists(), "{file}");
    }
    // An outcome replaces the answer of its node.
    project.write(
        "fix.test.toml",
        SCENARIOS.replace("outcomes = {", "outcomes = { fix = { output = \"Mine.\" },"),
    );
    let output = project.run(["test"]).expect_code(1);
    assert!(
        output.stdout.contains("`response.fix` is \"Mine.\""),
        "{output}"
    );
}

#[test]
fn a_request_that_is_not_recorded_fails_its_scenario() {
    let project = project();
    record(&project);
    // Also where the scenario expects a failure.
    let expects_failure = SCENARIOS
        .replace("Hello, world.\" }", "Bye.\" }")
        .replace("expect.path", "expect.end = \"fail\"\n#")
        .replace("expect.context", "#");
    project.write("fix.test.toml", expects_failure);
    let output = project.run(["test"]).expect_code(1);
    for text in [
        "✗ a recorded fix",
        "`review` got no answer: ",
        "fix.test.toml:3:12",
        "-          \"text\": \"Is this a greeting? Hello, world.\"",
        "+          \"text\": \"Is this a greeting? Bye.\"",
    ] {
        assert!(output.stdout.contains(text), "{text}: {output}");
    }
    // A session that the recording does not begin with.
    project.write("fix.dot", FIX.replace("Greet the", "Welcome the"));
    project.write("fix.test.toml", SCENARIOS);
    let json = project
        .run(["test", "--format", "json"])
        .expect_code(1)
        .json();
    let failures = &json["files"][0]["scenarios"][0]["failures"];
    assert_eq!(failures.as_array().map(Vec::len), Some(1), "{failures}");
    let message = failures[0]["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("`fix` got no answer: "), "{message}");
    let reason = failures[0]["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("+          \"text\": \"Welcome the world.\""),
        "{reason}"
    );
}

#[test]
fn a_cassette_that_is_missing_or_damaged_is_a_problem() {
    let project = project();
    project.write("fix.test.toml", SCENARIOS);
    let output = project.run(["test"]).expect_code(2);
    let message = "the cassette `fix.cassette` does not exist; record it with";
    assert!(output.stdout.contains(message), "{output}");
    project.write("fix.cassette", "{\"attractor_cassette\":1}\n{\"sum\":");
    let output = project.run(["test"]).expect_code(1);
    assert!(output.stdout.contains("is damaged at line 2"), "{output}");
}

/// The instructions of an agent name its folder, the date and the state of the repository: a recording does not.
#[test]
fn a_recorded_agent_is_repeated_in_another_folder() {
    let recorded = project();
    let provider = record(&recorded);
    let tape = recorded.read("fix.cassette");
    let folder = recorded.path().display().to_string();
    assert!(!tape.contains(&folder), "{tape}");
    let project = project();
    project.write("fix.cassette", tape);
    // In this one there is a repository.
    let git = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(project.path())
        .status();
    assert!(git.expect("git starts").success());
    let arguments = [
        "run",
        "fix.dot",
        "--replay",
        "fix.cassette",
        "--format",
        "json",
    ];
    let report: Value = project.run(arguments).expect_code(0).json();
    assert_eq!(report["context"]["response.fix"], "It greets the world.");
    assert_eq!(project.read("greeting.txt"), "Hello, world.");
    assert_eq!(provider.sent().len(), 3);
}

/// What a journal masks is masked in a recording too.
#[test]
fn a_recording_contains_no_secrets() {
    const TOKEN: &str = "ghp_0123456789abcdefghij0123456789abcdef";
    // `correct-horse-battery`, which is in the environment.
    const ENCODED: &str = "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5";
    let project = project();
    project.write("fix.dot", FIX.replace("Hello", TOKEN));
    let provider = MockProvider::start(vec![
        Reply::Says(
            "The token is ghp_0123456789abcdefghij0123456789abcdef, or Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5.",
        ),
        Reply::Says("{\"good\": true}"),
    ]);
    let mut command = project.command(["run", "fix.dot", "--record", "fix.cassette"]);
    command.envs(provider.variables());
    command.env("DEPLOY_TOKEN", "correct-horse-battery");
    command.output().expect("it starts");
    let recorded = project.read("fix.cassette");
    assert!(recorded.contains("[redacted], or [redacted]"), "{recorded}");
    for secret in [TOKEN, ENCODED] {
        assert!(!recorded.contains(secret), "{recorded}");
    }
}
