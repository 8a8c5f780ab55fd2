//! Servers of the person's own: on the local network, with headers; what a request says about itself.

use attractor_tests::{MockProvider, ProcessOutput, Project, Reply};
use serde_json::json;

use super::{complete, everything};

const SECRET: &str = "gateway-secret-0123456789";

/// A project whose user has a server at an address that is not that of this machine: it has no name for it.
fn with_server(provider: &MockProvider, settings: &str) -> Project {
    let port = provider.port();
    let project = Project::new();
    project.write(
        ".config/attractor/config.toml",
        format!("[providers.lan]\nbase_url = \"http://0.0.0.0:{port}/v1\"\n{settings}"),
    );
    project
}

fn request() -> String {
    json!({"model": "qwen3", "provider": "lan", "messages": [{"role": "user", "content": "Name a river."}]}).to_string()
}

#[test]
fn a_server_on_the_local_network_is_called_once_the_person_allows_it() {
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let refused = with_server(&provider, "");
    let output = complete(&refused, &provider, &["--stream"], &request()).expect_code(1);
    assert!(output.stdout.contains("allow_insecure_http"), "{output}");
    assert!(provider.sent().is_empty());
    let allowed = with_server(&provider, "allow_insecure_http = true\n");
    complete(&allowed, &provider, &["--stream"], &request()).expect_code(0);
    // A project cannot decide it.
    refused.write(
        ".attractor/config.toml",
        "[providers.lan]\nallow_insecure_http = true\n",
    );
    complete(&refused, &provider, &["--stream"], &request()).expect_code(1);
    assert_eq!(provider.sent().len(), 1);
}

/// A declared model needs no `provider` at its nodes, is in no diagnostic, and its calls have a cost.
#[test]
fn a_model_of_ones_own_is_declared() {
    let provider = MockProvider::start(vec![Reply::Says("The Rhine.")]);
    let project = with_server(&provider, "allow_insecure_http = true\n");
    project.write(
        "p.dot",
        "digraph p { start [shape=Mdiamond]; ask [shape=tab, prompt=\"Name a river.\", model=\"my-model\"]; done [shape=Msquare]; start -> ask -> done }",
    );
    let unknown = project.run(["validate", "p.dot"]).expect_code(1);
    assert!(unknown.stdout.contains("unknown_model"), "{unknown}");

    project.write(
        ".attractor/config.toml",
        "[models.my-model]\nprovider = \"lan\"\ncontext_window = 32000\nmax_output = 4000\ninput_price = 1000\noutput_price = 2000\n",
    );
    let clean = project.run(["validate", "p.dot", "--notes", "--strict"]);
    assert!(!clean.expect_code(0).stdout.contains("my-model"));
    let report = project
        .run(["run", "p.dot", "--format", "json"])
        .expect_code(0)
        .json();
    assert_eq!(report["reality"], "real", "{report}");
    let cost = report["usage"]["cost"].as_f64().unwrap_or_default();
    assert!(cost > 0.0, "{report}");
    let sent = &provider.sent()[0];
    assert_eq!(sent.body["model"], "my-model", "{}", sent.body);
    let listed = project.run(["models"]).expect_code(0);
    let row = listed
        .stdout
        .lines()
        .find(|line| line.starts_with("my-model"));
    assert!(
        row.is_some_and(|row| row.contains("lan") && row.contains("1000/2000")),
        "{listed}"
    );
}

#[test]
fn headers_are_sent_and_their_secrets_are_masked() {
    let echo = format!("invalid gateway key {SECRET}");
    let body = json!({"error": {"message": echo}}).to_string();
    let provider = MockProvider::start(vec![
        Reply::Says("The Rhine."),
        Reply::Answer(401, vec![], "application/json", body),
    ]);
    let settings = "allow_insecure_http = true\nheaders = { X-Team = \"rivers\" }\nheader_variables = { X-Gateway-Key = \"GATEWAY_KEY\" }\n";
    let project = with_server(&provider, settings);
    project.write("request.json", request());
    let send = |key: Option<&str>| {
        let mut command = project.command(["complete", "--stream"]);
        let file = std::fs::File::open(project.file("request.json")).expect("the request");
        command
            .stdin(file)
            .envs(key.map(|key| ("GATEWAY_KEY", key)));
        ProcessOutput::new(&command.output().expect("it starts"))
    };
    send(Some(SECRET)).expect_code(0);
    let headers = provider.sent()[0].headers.clone();
    assert!(headers.contains("x-team: rivers"), "{headers}");
    assert!(
        headers.contains(&format!("x-gateway-key: {SECRET}")),
        "{headers}"
    );
    let output = send(Some(SECRET)).expect_code(1);
    assert!(
        !output.stdout.contains(SECRET) && !output.stderr.contains(SECRET),
        "{output}"
    );
    let missing = send(None).expect_code(1);
    assert!(missing.stdout.contains("set GATEWAY_KEY"), "{missing}");
    let shown = project.run(["config"]).expect_code(0);
    assert!(shown.stdout.contains("X-Gateway-Key"), "{shown}");
    assert!(!everything(&project).contains(SECRET));
}

#[test]
fn the_documents_forms_of_requests_are_accepted() {
    let image = json!({"kind": "image", "base64_data": "iVBORw0KGgo=", "media_type": "image/png"});
    let url = json!({"kind": "image", "url": "https://example.org/a.png"});
    let schema = json!({"type": "object", "properties": {"river": {"type": "string"}}, "required": ["river"], "additionalProperties": false});
    let request = json!({
        "model": "gpt-6-luna",
        "messages": [{"role": "user", "content": [{"kind": "text", "text": "What is it?"}, image, url]}],
        "response_format": {"type": "json_schema", "name": "river", "schema": schema},
    });
    let project = Project::new();
    let provider = MockProvider::start(vec![Reply::Says("{\"river\":\"Rhine\"}")]);
    complete(&project, &provider, &["--stream"], &request.to_string()).expect_code(0);
    let body = &provider.sent()[0].body;
    let content = &body["input"][0]["content"];
    assert_eq!(
        content[1]["image_url"], "data:image/png;base64,iVBORw0KGgo=",
        "{content}"
    );
    assert_eq!(
        content[2]["image_url"], "https://example.org/a.png",
        "{content}"
    );
    assert_eq!(body["text"]["format"]["strict"], true, "{body}");
}

#[test]
fn an_agent_names_its_model_and_its_session() {
    let project = Project::new();
    let unknown = json!({"path": "a.txt", "explanation": "to see it"});
    project.write("a.txt", "a line\n");
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![("read_file", unknown.to_string())]),
        Reply::Says("Done."),
    ]);
    let agent = |model: &str| {
        let mut command = project.command(["agent", "Read it.", "--model", model]);
        command.envs(provider.variables());
        let output = command.output().expect("it starts");
        ProcessOutput::new(&output).expect_code(0);
    };
    agent("gpt-6-luna");
    agent("gpt-6-luna");
    agent("sonnet");
    let sent = provider.sent();
    let system = sent[3].body["system"].to_string();
    assert!(system.contains("claude-sonnet-5-5"), "{system}");
    // The call is run, and the result names the argument that does not exist.
    let input = sent[1].body["input"].to_string();
    assert!(
        input.contains("a line")
            && input.contains("unknown arguments of `read_file`: `explanation`"),
        "{input}"
    );
    let key = |index: usize| sent[index].body["prompt_cache_key"].to_string();
    assert_eq!(key(0), key(1));
    assert_ne!(key(0), key(2), "two sessions share a key");
    assert_eq!(sent[0].body["reasoning"]["summary"], "auto");
}
