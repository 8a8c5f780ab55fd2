//! Answers that are none: each is an error of a kind, with provider, status and what to do; never a hang, a panic or a key
//! in a message.

use attractor_tests::{KEY, MockProvider, Project, Reply};
use serde_json::{Value, json};

use super::{APIS, complete, events, everything, project, run};

/// A request that is sent once.
fn request(model: &str) -> String {
    let messages = json!([{"role": "user", "content": "Name a river."}]);
    json!({"model": model, "messages": messages, "max_retries": 0, "max_tokens": 100}).to_string()
}

fn bytes(head: &str, body: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n{body}").into_bytes())
}

/// The error of one request.
fn error(reply: &Reply, model: &str, options: &[&str], configuration: &str) -> Value {
    let project = Project::with(".attractor/config.toml", configuration);
    let provider = MockProvider::start(vec![reply.clone()]);
    let output = complete(&project, &provider, options, &request(model)).expect_code(1);
    assert!(!output.stdout.contains(KEY), "{output}");
    assert!(
        !output.stderr.contains(KEY) && !output.stderr.contains("panic"),
        "{output}"
    );
    let last = match options {
        [] => output.json(),
        _ => output.json_lines().pop().expect("an event"),
    };
    last["error"].clone()
}

/// The error of one request, with `--stream` and without.
fn errors(reply: &Reply, model: &str, configuration: &str) -> [Value; 2] {
    [&["--stream"][..], &[]].map(|options| error(reply, model, options, configuration))
}

/// Checks kind, status and a part of the message for every API.
fn check(reply: &Reply, kind: &str, status: Option<u16>, message: &str) {
    for (model, _) in APIS {
        for error in errors(reply, model, "") {
            assert_eq!(error["kind"], kind, "{model}: {error}");
            assert_eq!(error["status"], json!(status), "{model}: {error}");
            assert!(error["provider"].is_string(), "{model}: {error}");
            let text = error["message"].as_str().unwrap_or_default();
            assert!(text.contains(message), "{model}: {text}");
            assert!(
                text.len() < 1000,
                "{model}: a message of {} bytes",
                text.len()
            );
        }
    }
}

#[test]
fn a_page_is_not_an_answer() {
    let page = "<html><head><title>Sign in</title></head><body>Sign in to the proxy</body></html>";
    let reply = Reply::Answer(200, vec![], "text/html", page.to_owned());
    check(
        &reply,
        "invalid_response",
        Some(200),
        "Sign in to the proxy",
    );
    check(&reply, "invalid_response", Some(200), "check the base URL");
    let gateway = Reply::Answer(502, vec![], "text/html", page.to_owned());
    check(&gateway, "server", Some(502), "Sign in to the proxy");
}

/// Whether one answer or an agent was asked for: the node has failed, and says why.
#[test]
fn an_answer_that_does_not_end_fails_the_node() {
    for (reply, model, reason) in [
        (
            Reply::Stops("The Rh", "pause_turn"),
            "sonnet",
            // That is sent back, or the model does not continue it.
            "",
        ),
        (
            Reply::Stops("The Rh", "galaxy"),
            "sonnet",
            "an unknown reason: `galaxy`",
        ),
        (
            Reply::Stops("The Rh", "GALAXY"),
            "gemini-flash",
            "an unknown reason: `GALAXY`",
        ),
        (
            Reply::Stops("The Rh", "galaxy"),
            "gpt-oss:20b",
            "an unknown reason: `galaxy`",
        ),
        (Reply::Says(""), "sonnet", "the model gave an empty answer"),
        (
            Reply::Says(" \n"),
            "gpt-6-luna",
            "the model gave an empty answer",
        ),
    ] {
        for shape in ["tab", "box"] {
            let project = project(model);
            let dot = project.read("rivers.dot").replacen("tab", shape, 1);
            let dot = dot.replacen("\"]", "\", max_retries=0]", 1);
            project.write(
                "rivers.dot",
                dot.replace("digraph rivers {", "digraph rivers { retry_delay=1ms"),
            );
            project.write(".attractor/config.toml", "[models]\nmax_retries = 0\n");
            let provider = MockProvider::start(vec![reply.clone()]);
            let output = run(
                &project,
                &provider,
                ["run", "rivers.dot", "--format", "events"],
            );
            assert_eq!(output.code, Some(1), "{shape} {reply:?} {output}");
            let failed = events(&output, "stage_failed");
            let failed = failed.last().expect("a failure");
            assert_eq!(failed["node"], "ask", "{shape} {reply:?} {failed}");
            let found = failed["reason"].as_str().unwrap_or_default();
            assert!(found.contains(reason), "{shape} {reply:?} {found}");
        }
    }
}

#[test]
fn a_proxy_that_closes_early_is_a_network_error() {
    check(
        &Reply::Bytes(Vec::new()),
        "network",
        None,
        "check the network",
    );
    let half_a_head = Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-le".to_vec());
    check(&half_a_head, "network", None, "check the network");
    let cut = bytes(
        "200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000",
        "{\"id\"",
    );
    check(&cut, "network", None, "check the network");
    let garbage = Reply::Bytes(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec());
    check(&garbage, "network", None, "check the network");
}

#[test]
fn a_wrong_key_is_not_repeated() {
    let body = json!({"error": {"type": "authentication_error", "code": "invalid_api_key", "status": "UNAUTHENTICATED",
        "message": format!("Incorrect API key provided: {KEY}")}});
    let reply = Reply::Answer(401, vec![], "application/json", body.to_string());
    check(&reply, "authentication", Some(401), "check the API key");
}

#[test]
fn without_a_key_nothing_is_sent() {
    for (model, _) in APIS {
        let project = Project::with("request.json", request(model));
        let file = std::fs::File::open(project.file("request.json")).expect("the request");
        let mut command = project.command(["complete"]);
        let output = command.stdin(file).output().expect("it starts");
        let output = attractor_tests::ProcessOutput::new(&output).expect_code(1);
        let error = output.json()["error"].clone();
        assert_eq!(error["kind"], "configuration", "{error}");
        assert!(
            error["message"]
                .as_str()
                .unwrap_or_default()
                .contains("set "),
            "{error}"
        );
    }
}

#[test]
fn an_event_of_100_megabytes_is_refused() {
    let event = Reply::LongLine("text/event-stream", "data: {\"x\": \"", 100);
    let body = Reply::LongLine("application/json", "{\"x\": \"", 100);
    for (model, _) in APIS {
        let streamed = error(&event, model, &["--stream"], "");
        let whole = error(&body, model, &[], "");
        for error in [streamed, whole] {
            assert_eq!(error["kind"], "invalid_response", "{model}: {error}");
            let text = error["message"].as_str().unwrap_or_default();
            assert!(
                text.contains("longer than 67108864 bytes"),
                "{model}: {text}"
            );
        }
    }
}

/// Bytes that end no line are not progress.
#[test]
fn a_stream_that_drips_ends_at_the_idle_timeout() {
    let settings = "[models]\nidle_timeout = \"200ms\"\nrequest_timeout = \"400ms\"\n";
    for (model, _) in APIS {
        let [streamed, whole] = errors(&Reply::Drips, model, settings);
        assert_eq!(streamed["kind"], "timeout", "{model}: {streamed}");
        assert!(
            streamed["message"]
                .as_str()
                .unwrap_or_default()
                .contains("no event for 200ms")
        );
        assert_eq!(whole["kind"], "timeout", "{model}: {whole}");
    }
}

/// A date is compared with the server's own clock, however far that is from the one of this machine.
#[test]
fn a_wrong_clock_does_not_change_how_long_to_wait() {
    let limit = json!({"error": {"type": "rate_limit_error", "message": "slow down"}}).to_string();
    let headers = vec![
        ("date", "Fri, 01 Jan 2055 00:00:00 GMT"),
        ("retry-after", "Fri, 01 Jan 2055 00:00:07 GMT"),
    ];
    let reply = Reply::Answer(429, headers, "application/json", limit);
    for (model, _) in APIS {
        for error in errors(&reply, model, "") {
            assert_eq!(error["kind"], "rate_limit", "{model}: {error}");
            assert_eq!(error["retry_after"], 7.0, "{model}: {error}");
        }
    }
}

/// The same answers in a run are failures of their node.
#[test]
fn a_run_reports_bad_answers_and_ends() {
    let cases = [
        (
            Reply::Bytes(Vec::new()),
            "transient_infra",
            "check the network",
        ),
        (
            Reply::LongLine("text/event-stream", "data: {\"x\": \"", 100),
            "configuration",
            "67108864 bytes",
        ),
        (Reply::Drips, "transient_infra", "no event for 200ms"),
        (
            bytes("200 OK\r\ncontent-type: text/event-stream", ""),
            "transient_infra",
            "anthropic",
        ),
    ];
    for (reply, class, message) in cases {
        let project = project("sonnet\", max_retries=\"0");
        project.write(
            ".attractor/config.toml",
            "[models]\nidle_timeout = \"200ms\"\nmax_retries = 0\n",
        );
        let provider = MockProvider::start(vec![reply]);
        let output = run(
            &project,
            &provider,
            ["run", "rivers.dot", "--format", "events"],
        );
        assert_eq!(output.code, Some(1), "{output}");
        let failed = events(&output, "stage_failed").remove(0);
        assert_eq!(failed["class"], class, "{failed}");
        assert!(
            failed["reason"]
                .as_str()
                .unwrap_or_default()
                .contains(message),
            "{failed}"
        );
        assert!(!everything(&project).contains(KEY));
    }
}
