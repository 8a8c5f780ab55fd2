//! How real a run is, and that every place says so; no success by a simulation that nobody requested.

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply};
use serde_json::Value;

const PROMPT: &str = "digraph ask {
  start [shape=Mdiamond]
  ask [shape=tab, prompt=\"Name a river.\"]
  check [shape=parallelogram, command=\"echo checked\"]
  done [shape=Msquare]
  start -> ask -> check -> done
}
";

/// Two nodes with models: one of Anthropic's, one that names none.
const TWO_MODELS: &str = "digraph two {
  start [shape=Mdiamond]
  own  [shape=tab, prompt=\"Name a river.\", model=\"claude-sonnet-5-5\"]
  left [shape=tab, prompt=\"Name a hill.\"]
  done [shape=Msquare]
  start -> own -> left -> done
}
";

fn in_ci<const N: usize>(project: &Project, value: &str, arguments: [&str; N]) -> ProcessOutput {
    let mut command = project.command(arguments);
    let output = command.env("CI", value).output().expect("it starts");
    ProcessOutput::new(&output)
}

fn with_keys<const N: usize>(
    project: &Project,
    provider: &MockProvider,
    arguments: [&str; N],
) -> ProcessOutput {
    let mut command = project.command(arguments);
    command.envs(provider.variables());
    ProcessOutput::new(&command.output().expect("it starts"))
}

#[test]
fn a_simulated_run_is_marked_in_every_place() {
    let project = Project::with("ask.dot", PROMPT);
    let run = project
        .run(["run", "ask.dot", "--report", "junit=report.xml"])
        .expect_code(0);
    assert!(run.stdout.contains("success · simulated"), "{run}");
    let junit = project.read("report.xml");
    assert!(
        junit.contains("name=\"reality\" value=\"simulated\""),
        "{junit}"
    );
    assert!(
        junit.contains("name=\"state\" value=\"success\""),
        "{junit}"
    );

    let listed = project.run(["runs"]).expect_code(0);
    assert!(listed.stdout.contains("success (simulated)"), "{listed}");
    let listed = project.run(["runs", "--format", "json"]).json();
    assert_eq!(listed["runs"][0]["reality"], "simulated");
    assert_eq!(listed["runs"][0]["state"], "success");
    let shown = project.run(["runs", "show"]).expect_code(0);
    assert!(shown.stdout.contains("success (simulated)"), "{shown}");
    let shown = project.run(["runs", "show", "--format", "json"]).json();
    assert_eq!(shown["reality"], "simulated");
    assert_eq!(shown["nodes"]["ask"]["state"], "success");
    let events = project.run(["runs", "events"]).json_lines();
    assert_eq!(events[0]["reality"], "simulated");

    // Where nothing else is printed, that is.
    let quiet = project.run(["run", "ask.dot", "-q"]).expect_code(0);
    assert!(quiet.stderr.contains("ask success, simulated"), "{quiet}");
    let requested = project.run(["run", "ask.dot", "-q", "--simulate"]);
    assert_eq!(requested.stderr, "", "{requested}");
}

#[test]
fn reality_is_decided_by_what_can_answer() {
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let reality = |dot: &str, options: &[&str], keys: bool| -> Value {
        let project = Project::with("p.dot", dot);
        let arguments = ["run", "p.dot", "--format", "json"];
        let mut command = project.command(arguments.iter().chain(options));
        if keys {
            command.envs(provider.variables());
        }
        let output = ProcessOutput::new(&command.output().expect("it starts"));
        let report = output.expect_code(0).json();
        assert_eq!(report["simulated"], report["reality"] != "real");
        report["reality"].clone()
    };
    let half = PROMPT.replace(
        "start -> ask",
        "other [shape=tab, backend=simulate, prompt=x]; start -> other -> ask",
    );
    let no_model = PROMPT.replace("start -> ask", "start");
    assert_eq!(reality(PROMPT, &[], true), "real");
    assert_eq!(reality(&half, &[], true), "mixed");
    assert_eq!(reality(PROMPT, &[], false), "simulated");
    assert_eq!(reality(PROMPT, &["--simulate"], true), "simulated");
    assert_eq!(reality(PROMPT, &["--dry-run"], true), "dry");
    assert_eq!(
        reality(
            &no_model.replace("ask [shape=tab, prompt=\"Name a river.\"]", ""),
            &[],
            false
        ),
        "real"
    );
}

#[test]
fn continuous_integration_refuses_an_unrequested_simulation() {
    let project = Project::with("ask.dot", PROMPT);
    let refused = in_ci(&project, "true", ["run", "ask.dot"]);
    assert_eq!(refused.code, Some(5), "{refused}");
    for part in [
        "ask would simulate models",
        "--simulate",
        "simulation=allow",
    ] {
        assert!(refused.stderr.contains(part), "{refused}");
    }
    assert!(!project.file(".attractor").exists(), "nothing has started");
    for value in ["", "false"] {
        in_ci(&project, value, ["run", "ask.dot"]).expect_code(0);
    }
    in_ci(&project, "1", ["run", "ask.dot", "--simulate"]).expect_code(0);
    in_ci(&project, "1", ["run", "ask.dot", "--dry-run"]).expect_code(0);

    let allowed = PROMPT.replace("ask {\n", "ask {\n  simulation=allow\n");
    in_ci(
        &Project::with("ask.dot", &allowed),
        "true",
        ["run", "ask.dot"],
    )
    .expect_code(0);
    let requested = PROMPT.replace("prompt=", "backend=simulate, prompt=");
    in_ci(
        &Project::with("ask.dot", &requested),
        "true",
        ["run", "ask.dot"],
    )
    .expect_code(0);
}

#[test]
fn resume_and_fork_refuse_it_too() {
    let fails = PROMPT.replace("echo checked", "test -e ready");
    let project = Project::with("ask.dot", &fails);
    project.run(["run", "ask.dot"]).expect_code(1);
    let refused = in_ci(&project, "true", ["fork", "ask", "--keep-files"]);
    assert_eq!(refused.code, Some(5), "{refused}");
    let refused = in_ci(&project, "true", ["resume"]);
    assert_eq!(refused.code, Some(5), "{refused}");

    // Of a run that was started with `--simulate`, it is requested.
    let project = Project::with("ask.dot", &fails);
    project.run(["run", "ask.dot", "--simulate"]).expect_code(1);
    project.write("ready", "");
    in_ci(&project, "true", ["resume"]).expect_code(0);
}

#[test]
fn an_unknown_model_is_an_error_with_a_guess() {
    let of = |model: &str| {
        Project::with(
            "ask.dot",
            PROMPT.replace("prompt=", &format!("model=\"{model}\", prompt=")),
        )
    };
    for (model, message) in [
        ("cluade-sonnet-5-5", "did you mean `claude-sonnet-5-5`?"),
        ("gpt5-turbo", "no provider is known for it"),
        (
            "google/gemini-9-pro-preview",
            "did you mean `gemini-9-pro-preview`?",
        ),
    ] {
        let project = of(model);
        let checked = project.run(["validate", "ask.dot"]).expect_code(1);
        assert!(checked.stdout.contains(message), "{checked}");
        let run = project.run(["run", "ask.dot"]).expect_code(1);
        assert!(run.stderr.contains(message), "{run}");
        let option = Project::with("ask.dot", PROMPT).run(["run", "ask.dot", "--model", model]);
        assert_eq!(option.code, Some(2), "{option}");
        assert!(option.stderr.contains(message), "{option}");
    }
    // Other digits are another model: it is sent as it is.
    of("claude-sonnet-9-1")
        .run(["validate", "--strict", "ask.dot"])
        .expect_code(0);
}

#[test]
fn a_default_provider_leaves_models_of_nodes_alone() {
    let project = Project::with("two.dot", TWO_MODELS);
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    with_keys(
        &project,
        &provider,
        ["run", "two.dot", "--provider", "google"],
    )
    .expect_code(0);
    let paths: Vec<String> = provider.sent().into_iter().map(|sent| sent.path).collect();
    assert_eq!(paths.len(), 2, "{paths:?}");
    assert_eq!(paths[0], "/v1/messages");
    assert!(paths[1].starts_with("/v1beta/models/gemini"), "{paths:?}");

    // A default model brings its provider, also where the graph has another one.
    let graph = TWO_MODELS.replace("two {\n", "two {\n  provider=anthropic\n");
    let project = Project::with("two.dot", &graph);
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    with_keys(
        &project,
        &provider,
        ["run", "two.dot", "--model", "gemini-flash"],
    )
    .expect_code(0);
    let paths: Vec<String> = provider.sent().into_iter().map(|sent| sent.path).collect();
    assert_eq!(paths[0], "/v1/messages");
    assert!(paths[1].starts_with("/v1beta/models/gemini"), "{paths:?}");
}

#[test]
fn a_continued_run_is_as_real_as_what_it_contains_and_can_still_do() {
    let reality = |output: &ProcessOutput| output.json()["reality"].clone();
    let project = Project::with("ask.dot", PROMPT);
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    with_keys(&project, &provider, ["run", "ask.dot"]).expect_code(0);
    // Without a key: no model is asked any more.
    let forked = project
        .run(["fork", "check", "--keep-files", "--format", "json"])
        .expect_code(0);
    assert_eq!(reality(&forked), "real", "{forked}");
    let shown = project.run(["runs", "show"]).expect_code(0);
    assert!(!shown.stdout.contains("simulated"), "{shown}");
    // The model is asked again, and simulated; no other one is in the run.
    let forked = project
        .run(["fork", "ask", "--keep-files", "--format", "json"])
        .expect_code(0);
    assert_eq!(reality(&forked), "simulated", "{forked}");

    let two = TWO_MODELS.replace("claude-sonnet-5-5", "");
    let project = Project::with("two.dot", &two);
    with_keys(&project, &provider, ["run", "two.dot"]).expect_code(0);
    let forked = project
        .run(["fork", "left", "--keep-files", "--format", "json"])
        .expect_code(0);
    assert_eq!(reality(&forked), "mixed", "{forked}");

    let fails = PROMPT.replace("echo checked", "test -e ready");
    let project = Project::with("ask.dot", &fails);
    with_keys(&project, &provider, ["run", "ask.dot"]).expect_code(1);
    project.write("ready", "");
    let resumed = project.run(["resume", "--format", "json"]).expect_code(0);
    assert_eq!(reality(&resumed), "real", "{resumed}");
}

#[test]
fn a_pipeline_that_did_not_run_has_no_reality() {
    let project = Project::with(
        "bad.dot",
        PROMPT.replace("prompt=", "model=\"cluade-sonnet-5-5\", prompt="),
    );
    let run = project.run(["run", "bad.dot", "--format", "json"]);
    let report = run.expect_code(1).json();
    assert_eq!(report["status"], "invalid");
    assert_eq!(report.get("reality"), None);
}

#[test]
fn agents_and_single_requests_refuse_typos_of_models_too() {
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let project = Project::new();
    let message = "unknown model `sonet`; did you mean `sonnet`?";
    let agent = with_keys(&project, &provider, ["agent", "--model", "sonet", "Work."]);
    assert_eq!(agent.code, Some(2), "{agent}");
    assert!(agent.stderr.contains(message), "{agent}");
    let request = r#"{"model": "sonet", "messages": [{"role": "user", "content": "Hi."}]}"#;
    let complete = project.run_with_input(["complete"], request);
    assert_eq!(complete.code, Some(1), "{complete}");
    assert_eq!(complete.json()["error"]["message"], message, "{complete}");
    assert!(provider.sent().is_empty());
}
