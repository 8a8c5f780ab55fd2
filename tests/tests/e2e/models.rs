//! Pipelines whose prompts are answered by models: real requests to a server on this machine.

mod bad_answers;
mod cassettes;
mod clock_jumps;
mod long_answers;
mod overload;
mod own_servers;
mod rate_limit;
mod settings;
mod spending;

use attractor_tests::{Editor, KEY, MockProvider, ProcessOutput, Project, Reply};
use serde_json::{Value, json};

const TWO: &str = "digraph rivers {
  start [shape=Mdiamond]
  ask  [shape=tab, prompt=\"Name a river.\", model=\"MODEL\"]
  more [shape=tab, prompt=\"More of {response.ask}\", model=\"MODEL\", max_retries=1]
  done [shape=Msquare]
  start -> ask -> more -> done
}
";

fn project(model: &str) -> Project {
    Project::with("rivers.dot", TWO.replace("MODEL", model))
}

/// Runs the program with the keys of all providers.
fn run<const N: usize>(
    project: &Project,
    provider: &MockProvider,
    arguments: [&str; N],
) -> ProcessOutput {
    let mut command = project.command(arguments);
    command.envs(provider.variables());
    let output = command.output().expect("the program starts");
    ProcessOutput::new(&output)
}

/// Every file below the project, as text.
fn everything(project: &Project) -> String {
    fn visit(folder: &std::path::Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                visit(&path, text);
            } else {
                text.push_str(&String::from_utf8_lossy(
                    &std::fs::read(&path).unwrap_or_default(),
                ));
            }
        }
    }
    let mut text = String::new();
    visit(project.path(), &mut text);
    text
}

fn events(output: &ProcessOutput, kind: &str) -> Vec<Value> {
    let events = output.json_lines().into_iter();
    events.filter(|event| event["type"] == kind).collect()
}

/// The API of each provider: the model a node names, the path it leads to.
const APIS: [(&str, &str); 4] = [
    ("sonnet", "/v1/messages"),
    ("gpt-6-luna", "/v1/responses"),
    (
        "gemini-flash",
        "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
    ),
    ("gpt-oss:20b", "/v1/chat/completions"),
];

#[test]
fn prompts_are_answered_by_the_model_of_their_node() {
    for (model, path) in APIS {
        let project = project(model);
        let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
        let output = run(
            &project,
            &provider,
            ["run", "rivers.dot", "--format", "events"],
        );
        assert_eq!(output.code, Some(0), "{model}: {output}");
        let sent = provider.sent();
        assert_eq!(sent.len(), 2, "{model}");
        assert_eq!(sent[0].path, path);
        assert!(
            sent[0].headers.contains(KEY),
            "{model} sends its key in a header"
        );
        assert!(
            sent[1].body.to_string().contains("More of The Rhine."),
            "{model}"
        );

        let said: Vec<Value> = events(&output, "stage_output");
        assert_eq!(said[0]["stream"], "model");
        assert_eq!(said[0]["text"], "The Rhine.", "{model}");
        let completed = events(&output, "stage_completed");
        let ask = completed
            .iter()
            .find(|event| event["node"] == "ask")
            .expect("an end");
        assert_eq!(ask["model"]["backend"], "native");
        assert_eq!(ask["model"]["finish_reason"], "stop");
        assert_eq!(ask["usage"]["input_tokens"], 20, "{model}: {ask}");
        assert_eq!(ask["usage"]["output_tokens"], 7, "{model}");
        assert!(
            output
                .json_lines()
                .iter()
                .all(|event| event.get("simulated").is_none())
        );
        let files = everything(&project);
        assert!(!files.contains(KEY), "{model}");
        assert!(
            files.contains("\"finish_reason\": \"stop\""),
            "model.json is written"
        );
    }
}

#[test]
fn the_report_has_the_answer_and_what_it_cost() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let output = run(
        &project,
        &provider,
        ["run", "rivers.dot", "--format", "json"],
    );
    let report = output.expect_code(0).json();
    assert_eq!(report["context"]["response.ask"], "The Rhine.");
    assert_eq!(report["simulated"], false);
    let usage = &report["usage"];
    assert_eq!(usage["input_tokens"], 40);
    assert_eq!(usage["cache_read_tokens"], 10);
    // $2 and $10 for a million tokens; what the cache held is cheaper.
    let cost = usage["cost"].as_f64().expect("a cost");
    assert!(cost > 0.0001 && cost < 0.0003, "{cost}");
}

/// Only the node without a key is simulated, and says so.
#[test]
fn a_node_without_a_key_is_simulated_alone() {
    let dot = TWO
        .replacen("MODEL", "sonnet", 1)
        .replace("MODEL", "gpt-6-luna");
    let project = Project::with("rivers.dot", dot);
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let mut command = project.command(["run", "rivers.dot", "--format", "events"]);
    let variables = provider.variables().into_iter();
    command.envs(variables.filter(|(name, _)| name.starts_with("ANTHROPIC")));
    let output = ProcessOutput::new(&command.output().expect("it starts")).expect_code(0);
    let simulated: Vec<String> = output
        .json_lines()
        .iter()
        .filter(|event| event["simulated"] == true)
        .map(|event| format!("{}: {}", event["node"], event["model"]["simulated"]))
        .collect();
    assert_eq!(
        simulated,
        [
            "\"more\": \"the provider `openai` of the model `gpt-6-luna` is not configured: set OPENAI_API_KEY\""
        ]
    );
    assert_eq!(provider.sent().len(), 1);
}

#[test]
fn without_a_key_a_node_that_requests_a_model_fails_and_says_what_to_set() {
    let dot = "digraph g { start [shape=Mdiamond]; a [shape=tab, prompt=x, backend=native, model=sonnet]; done [shape=Msquare]; start -> a -> done }";
    let project = Project::with("a.dot", dot);
    let output = project
        .run(["run", "a.dot", "--format", "json"])
        .expect_code(1);
    let failure = &output.json()["failure"];
    assert_eq!(failure["class"], "configuration");
    let reason = failure["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("set ANTHROPIC_API_KEY"), "{reason}");
}

/// Each is a failure of its node with provider, status and what to do.
#[test]
fn errors_of_providers_are_failures_of_the_node() {
    let json = "application/json";
    let error = |kind: &str| {
        json!({"type": "error", "error": {"type": kind, "message": format!("the key {KEY} is bad")}}).to_string()
    };
    let cases = [
        (
            Reply::Answer(401, vec![], json, error("authentication_error")),
            "authentication",
            json!(401),
            "check the API key",
        ),
        (
            Reply::Answer(
                200,
                vec![],
                "text/html",
                "<html>Sign in to the proxy</html>".to_owned(),
            ),
            "configuration",
            json!(200),
            "check the base URL",
        ),
        (
            Reply::Answer(
                429,
                vec![("retry-after", "7200")],
                json,
                error("rate_limit_error"),
            ),
            "transient_infra",
            json!(429),
            "available at",
        ),
        (
            Reply::CutsOff("The Rh"),
            "transient_infra",
            Value::Null,
            "anthropic",
        ),
    ];
    for (reply, class, status, advice) in cases {
        let project = project("sonnet");
        project.write(".attractor/config.toml", "[models]\nmax_retries = 0\n");
        let provider = MockProvider::start(vec![reply.clone()]);
        let output = run(
            &project,
            &provider,
            ["run", "rivers.dot", "--format", "events"],
        );
        assert_eq!(output.code, Some(1), "{reply:?}: {output}");
        let failed = events(&output, "stage_failed").remove(0);
        assert_eq!(failed["class"], class, "{failed}");
        assert_eq!(failed["model"]["provider"], "anthropic", "{failed}");
        assert_eq!(failed["model"]["status"], status, "{failed}");
        let reason = failed["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(advice), "{reason}");
        assert!(!output.stdout.contains(KEY) && !everything(&project).contains(KEY));
    }
}

/// The executor tries again by its own timer, after the time the provider names.
#[test]
fn a_rate_limit_delays_the_next_attempt() {
    let project = project("sonnet");
    let limit =
        json!({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}});
    let provider = MockProvider::start(vec![
        Reply::Says("The Rhine."),
        Reply::Answer(
            429,
            vec![("retry-after-ms", "450")],
            "application/json",
            limit.to_string(),
        ),
        Reply::Says("It is long."),
    ]);
    let output = run(
        &project,
        &provider,
        ["run", "rivers.dot", "--format", "events"],
    );
    assert_eq!(output.code, Some(0), "{output}");
    let retrying = events(&output, "stage_retrying");
    assert_eq!(retrying.len(), 1);
    assert_eq!(retrying[0]["delay"], 450);
    assert_eq!(provider.sent().len(), 3);
}

#[test]
fn a_budget_bounds_a_call_before_it_is_sent() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let output = run(
        &project,
        &provider,
        [
            "run",
            "rivers.dot",
            "--format",
            "json",
            "--max-cost",
            "0.000001",
        ],
    );
    let failure = output.expect_code(1).json()["failure"].clone();
    assert_eq!(failure["class"], "budget_exhausted", "{failure}");
    assert!(provider.sent().is_empty());
}

#[test]
fn cancelling_closes_the_connection() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![Reply::Hangs("The Rh")]);
    let mut command = project.command(["run", "rivers.dot", "--format", "events"]);
    command.envs(provider.variables());
    let running = project.start_other(command);
    project.eventually("the request is sent", || {
        (!provider.sent().is_empty()).then_some(())
    });
    running.signal("INT");
    provider.hang_up();
    assert_eq!(running.end().code, Some(130));
}

/// A run of the editor calls the same models.
#[test]
fn the_editor_calls_models_too() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let capabilities = json!({"experimental": {"attractor": {"runState": true}}});
    let mut editor = Editor::open_with(&project, &capabilities, provider.variables());
    let uri = format!("file://{}", project.file("rivers.dot").display());
    editor.did_open(&uri, &project.read("rivers.dot"));
    let trust = json!({"uri": uri, "decision": "version"});
    editor.command("attractor.trust", &trust).expect("trusted");
    editor
        .command("attractor.run", &json!({"uri": uri}))
        .expect("it starts");
    let ended = editor.notification("attractor/runState", |state| state["state"] == "success");
    assert_eq!(ended["simulated"], false);
    assert_eq!(ended["nodes"]["ask"]["tokens"], 27);
    assert_eq!(ended["nodes"]["ask"]["simulated"], false);
    assert_eq!(provider.sent().len(), 2);
}

/// The answer to a request without streaming is the same as that of a stream.
#[test]
fn complete_sends_one_request() {
    for (model, path) in APIS {
        let project = Project::new();
        let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
        let request = json!({
            "model": model,
            "system_prompt": "Be brief.",
            "messages": [{"role": "user", "content": "Name a river."}],
        });
        let output = complete(&project, &provider, &["--stream"], &request.to_string());
        assert_eq!(output.code, Some(0), "{model}: {output}");
        let events = output.json_lines();
        let text: String = events
            .iter()
            .filter(|event| event["type"] == "text_delta")
            .filter_map(|event| event["text"].as_str())
            .collect();
        assert_eq!(text, "The Rhine.", "{model}");
        let last = &events[events.len() - 1];
        assert_eq!(last["type"], "finish", "{model}");
        assert_eq!(last["finish_reason"], "stop", "{model}");
        assert_eq!(last["usage"]["input_tokens"], 20, "{model}");
        assert_eq!(provider.sent()[0].path, path);
        assert!(provider.sent()[0].body.to_string().contains("Be brief."));
    }
}

fn complete(
    project: &Project,
    provider: &MockProvider,
    options: &[&str],
    input: &str,
) -> ProcessOutput {
    project.write("request.json", input);
    let mut command = project.command(["complete"]);
    let file = std::fs::File::open(project.file("request.json")).expect("the request");
    command.args(options).envs(provider.variables()).stdin(file);
    ProcessOutput::new(&command.output().expect("it starts"))
}

#[test]
fn complete_prints_a_response_or_an_error() {
    let project = Project::new();
    let answer = json!({
        "id": "resp_1", "object": "response", "model": "gpt-6-luna", "status": "completed",
        "output": [{"type": "message", "id": "i", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "The Rhine.", "annotations": []}]}],
        "usage": {"input_tokens": 20, "output_tokens": 7, "total_tokens": 27},
    });
    let request =
        json!({"model": "gpt-6-luna", "messages": [{"role": "user", "content": "Name a river."}]});
    let json = "application/json";
    let provider = MockProvider::start(vec![Reply::Answer(200, vec![], json, answer.to_string())]);
    let response = complete(&project, &provider, &[], &request.to_string())
        .expect_code(0)
        .json();
    assert_eq!(response["message"]["content"][0]["text"], "The Rhine.");
    assert_eq!(response["finish_reason"], "stop");
    assert_eq!(response["usage"]["cache_read_tokens"], 0);

    let refusal = json!({"error": {"message": "no such key", "type": "invalid_request_error", "code": "invalid_api_key"}});
    let provider = MockProvider::start(vec![Reply::Answer(401, vec![], json, refusal.to_string())]);
    for options in [&[][..], &["--stream"]] {
        let output = complete(&project, &provider, options, &request.to_string()).expect_code(1);
        let error = &output.json()["error"];
        assert_eq!(error["kind"], "authentication", "{error}");
        assert_eq!(error["status"], 401);
        assert_eq!(error["provider"], "openai");
        assert_eq!(error["retryable"], false);
    }
    let output = complete(&project, &provider, &[], "{\"model\": 3}").expect_code(1);
    assert_eq!(output.json()["error"]["kind"], "invalid_request");
    // An error before the request is sent is an event like one after it.
    let output = complete(&project, &provider, &["--stream"], "{\"model\": 3}").expect_code(1);
    let events = output.json_lines();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["type"], "error");
    assert_eq!(events[0]["error"]["kind"], "invalid_request");
}

#[test]
fn doctor_says_which_providers_answer_and_what_a_pipeline_lacks() {
    let project = project("sonnet");
    let json = "application/json";
    let provider = MockProvider::start(vec![Reply::Answer(
        200,
        vec![],
        json,
        "{\"data\": []}".to_owned(),
    )]);
    let output = run(&project, &provider, ["doctor", "--format", "json"]).expect_code(0);
    assert!(!output.stdout.contains(KEY));
    let providers = output.json()["providers"].clone();
    for provider in providers.as_array().expect("a list") {
        assert_eq!(provider["state"], "answers", "{provider}");
    }
    let output = run(&project, &provider, ["doctor", "rivers.dot"]).expect_code(0);
    assert!(output.stdout.contains("model sonnet"), "{output}");
    assert!(output.stdout.contains("claude-sonnet-5-5  4 "), "{output}");
    assert!(output.stderr.contains("one call per node"), "{output}");
    assert!(!output.stdout.contains("clean folder"), "not a repository");
    let git = std::process::Command::new("git")
        .args(["init", "--quiet"])
        .current_dir(project.path())
        .status()
        .expect("git starts");
    assert!(git.success());
    let output = run(&project, &provider, ["doctor", "rivers.dot"]).expect_code(0);
    assert!(output.stdout.contains("1 uncommitted change"), "{output}");

    let nobody = project
        .run(["doctor", "--format", "json"])
        .expect_code(0)
        .json();
    assert_eq!(nobody["providers"][0]["configured"], false);
    assert_eq!(nobody["providers"][0]["state"], "set ANTHROPIC_API_KEY");
    let executable = attractor_tests::program().to_string_lossy();
    assert_eq!(nobody["installation"]["path"], *executable);
    let output = project.run(["doctor", "rivers.dot"]).expect_code(1);
    assert!(output.stdout.contains("set ANTHROPIC_API_KEY"), "{output}");

    let refusal =
        json!({"type": "error", "error": {"type": "authentication_error", "message": "bad key"}});
    let bad = MockProvider::start(vec![Reply::Answer(401, vec![], json, refusal.to_string())]);
    let output = run(&project, &bad, ["run", "rivers.dot", "--preflight"]).expect_code(1);
    assert!(output.stdout.contains("bad key"), "{output}");
    assert!(!project.file(".attractor/runs").exists(), "nothing ran");
}

#[test]
fn the_catalogue_is_compared_with_the_lists_of_providers() {
    let project = Project::new();
    let list =
        json!({ "data": [{ "id": "claude-sonnet-5-5-20260101" }, { "id": "claude-unheard-of" }] });
    let answer = Reply::Answer(200, vec![], "application/json", list.to_string());
    let provider = MockProvider::start(vec![answer]);
    let arguments = ["models", "--check", "--format", "json"];
    // Models that are not listed any more are a failure.
    let report = run(&project, &provider, arguments).expect_code(1).json();
    let anthropic = &report["providers"][0];
    assert_eq!(anthropic["provider"], "anthropic");
    assert_eq!(anthropic["listed"], 2);
    assert_eq!(anthropic["unknown"], json!(["claude-unheard-of"]));
    let gone = anthropic["gone"].as_array().expect("a list");
    assert!(!gone.is_empty() && !gone.contains(&json!("claude-sonnet-5-5")));
    assert!(
        report["verified"]
            .as_str()
            .is_some_and(|date| date.starts_with("20"))
    );

    // Nothing compared is not everything in order.
    let nobody = project.run(["models", "--check"]).expect_code(1);
    assert!(nobody.stderr.contains("nothing was compared"), "{nobody}");
    assert!(
        nobody.stdout.contains("anthropic: set ANTHROPIC_API_KEY"),
        "{nobody}"
    );
}

/// A recorded run is repeated without a provider, byte for byte.
#[test]
fn a_recorded_run_replays_without_a_key() {
    let project = project("sonnet");
    let provider = MockProvider::start(vec![Reply::Says("The Rhine."), Reply::Says("It is long.")]);
    let recorded = run(
        &project,
        &provider,
        [
            "run",
            "rivers.dot",
            "--format",
            "json",
            "--record",
            "rivers.tape",
        ],
    );
    let recorded = recorded.expect_code(0).json();
    assert!(!project.read("rivers.tape").contains(KEY));
    let arguments = [
        "run",
        "rivers.dot",
        "--format",
        "json",
        "--replay",
        "rivers.tape",
    ];
    let replayed = project.run(arguments).expect_code(0).json();
    assert_eq!(replayed["context"]["response.more"], "It is long.");
    let context = |report: &Value| {
        let mut context = report["context"].clone();
        context["internal.run_id"] = Value::Null;
        context
    };
    assert_eq!(context(&replayed), context(&recorded));
    assert_eq!(replayed["usage"], recorded["usage"]);
    assert_eq!(provider.sent().len(), 2);
    project.write(
        "rivers.dot",
        TWO.replace("MODEL", "sonnet").replace("Name a", "Name one"),
    );
    let output = project.run(arguments).expect_code(1).json();
    let reason = output["failure"]["reason"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(reason.contains("record it again"), "{reason}");
}

#[test]
fn another_model_answers_while_one_is_not_available() {
    let dot = TWO.replace("MODEL\"", "sonnet\", fallback_models=\"gpt-6-luna\"");
    let project = Project::with("rivers.dot", dot);
    let overloaded =
        json!({"type": "error", "error": {"type": "billing_error", "message": "no credit"}});
    let provider = MockProvider::start(vec![
        Reply::Answer(402, vec![], "application/json", overloaded.to_string()),
        Reply::Says("The Rhine."),
    ]);
    let output = run(
        &project,
        &provider,
        ["run", "rivers.dot", "--format", "events"],
    );
    assert_eq!(output.code, Some(0), "{output}");
    let ask = events(&output, "stage_completed")
        .into_iter()
        .find(|event| event["node"] == "ask");
    let model = ask.expect("an end")["model"].clone();
    assert_eq!(model["provider"], "openai");
    assert_eq!(model["model"], "gpt-6-luna");
    assert!(
        model["warnings"][0]
            .as_str()
            .unwrap_or_default()
            .contains("no credit"),
        "{model}"
    );
}

/// What a model sees of the run: the conversation of its thread, also after the engine was stopped, or a text.
#[test]
fn a_model_sees_what_its_fidelity_says() {
    let sent = |attributes: &str| {
        let dot = TWO.replace("MODEL\"", &format!("sonnet\", {attributes}"));
        let project = Project::with("rivers.dot", dot);
        let provider =
            MockProvider::start(vec![Reply::Says("The Rhine."), Reply::Says("It is long.")]);
        run(&project, &provider, ["run", "rivers.dot"]).expect_code(0);
        let messages = provider.sent()[1].body["messages"].clone();
        let message = |message: &Value| {
            let text = message["content"][0]["text"]
                .as_str()
                .or(message["content"].as_str());
            format!(
                "{}: {}",
                message["role"].as_str().unwrap_or_default(),
                text.unwrap_or_default()
            )
        };
        let messages = messages.as_array().expect("a list").iter();
        messages.map(message).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        sent("fidelity=full"),
        "user: Name a river.\nassistant: The Rhine.\nuser: More of The Rhine."
    );
    assert_eq!(
        sent("fidelity=\"summary:low\""),
        "user: Steps so far:\n- start: success\n- ask: success\n  The Rhine.\n\nMore of The Rhine."
    );
    assert_eq!(sent("temperature=1"), "user: More of The Rhine.");
}
