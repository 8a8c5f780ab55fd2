//! `attractor agent`: sessions without a pipeline, continued and forked; what the configuration says about them.

use attractor_tests::{KEY, MockProvider, ProcessOutput, Project, Reply};
use serde_json::{Value, json};

use super::{call, run};

/// Runs the agent on a prompt; gives its report.
fn agent(project: &Project, provider: &MockProvider, arguments: &[&str]) -> Value {
    let mut command = project.command(["agent", "--model", "sonnet", "--format", "json"]);
    command.args(arguments).envs(provider.variables());
    let output = ProcessOutput::new(&command.output().expect("the program starts"));
    output.expect_code(0).json()
}

fn session(report: &Value) -> String {
    report["session"].as_str().expect("an id").to_owned()
}

#[test]
fn a_session_is_continued_and_forked() {
    let project = Project::new();
    let content = json!({"path": "a.txt", "content": "one"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("write_file", &content)]),
        Reply::Says("First answer."),
        Reply::Says("Second answer."),
        Reply::Says("Third answer."),
        Reply::Says("Fourth answer."),
    ]);
    let first = session(&agent(&project, &provider, &["First task."]));
    let same = session(&agent(
        &project,
        &provider,
        &["Second task.", "--session", &first],
    ));
    assert_eq!(same, first);
    let forked = session(&agent(
        &project,
        &provider,
        &["Third task.", "--fork", &first],
    ));
    assert_ne!(forked, first);
    agent(&project, &provider, &["Fourth task.", "--session", &first]);
    let text = |index: usize| provider.sent()[index].body["messages"].to_string();
    for part in ["First task.", "Second answer.", "Third task."] {
        assert!(text(3).contains(part), "{part}: {}", text(3));
    }
    assert!(text(4).contains("Second answer."), "{}", text(4));
    assert!(
        !text(4).contains("Third task."),
        "the fork changed the session: {}",
        text(4)
    );
}

/// Runs the agent without naming a model, unless the arguments do.
fn output_of(project: &Project, provider: &MockProvider, arguments: &[&str]) -> ProcessOutput {
    let mut command = project.command(["agent"]);
    command.args(arguments).envs(provider.variables());
    ProcessOutput::new(&command.output().expect("the program starts"))
}

#[test]
fn a_continued_session_keeps_model_provider_and_instructions() {
    let project = Project::new();
    let provider = MockProvider::start(vec![Reply::Says("An answer.")]);
    let begin = ["--model", "gpt-6-luna", "--format", "json", "Begin."];
    let first = session(&output_of(&project, &provider, &begin).expect_code(0).json());
    project.write("AGENTS.md", "Use tabs.\n");
    let again = ["--session", &first, "Continue."];
    let output = output_of(&project, &provider, &again).expect_code(0);
    assert!(!output.stderr.contains("it continues with"), "{output}");
    let sent = provider.sent();
    assert!(sent[1].path.ends_with("/responses"), "{}", sent[1].path);
    for part in ["model", "instructions", "prompt_cache_key"] {
        assert_eq!(sent[0].body[part], sent[1].body[part], "{part}");
    }
    // What has changed is a message.
    let input = sent[1].body["input"].to_string();
    let update = "these parts of your instructions have changed; the rest is as it was.";
    assert!(
        input.contains(update) && input.contains("Use tabs."),
        "{input}"
    );

    let other = ["--session", &first, "--model", "sonnet", "Continue."];
    let output = output_of(&project, &provider, &other).expect_code(0);
    let said =
        "warning: the session was begun with `gpt-6-luna` of `openai`; it continues with `sonnet`";
    assert!(output.stderr.contains(said), "{output}");
    let sent = provider.sent();
    assert!(sent[2].path.ends_with("/messages"), "{}", sent[2].path);
    // That decision holds from then on.
    output_of(&project, &provider, &again).expect_code(0);
    let sent = provider.sent();
    assert!(sent[3].path.ends_with("/messages"), "{}", sent[3].path);
    assert_eq!(sent[2].body["system"], sent[3].body["system"]);
}

/// An answer of the Messages API with signed reasoning.
fn thinks() -> Reply {
    let events = [
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [], "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 15, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "I wonder."}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2lnbmVk"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "An answer."}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 7}}),
        json!({"type": "message_stop"}),
    ];
    let stream = events.iter().map(|event| {
        let name = event["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    });
    Reply::Answer(200, Vec::new(), "text/event-stream", stream.collect())
}

#[test]
fn reasoning_whose_signature_is_refused_is_left_out() {
    let project = Project::new();
    let refused = r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block"}}"#;
    let provider = MockProvider::start(vec![
        thinks(),
        Reply::Answer(400, Vec::new(), "application/json", refused.to_owned()),
        Reply::Says("Another answer."),
        Reply::Says("The last answer."),
    ]);
    let begin = ["--model", "sonnet", "--format", "json", "Begin."];
    let first = session(&output_of(&project, &provider, &begin).expect_code(0).json());
    let again = ["--session", &first, "Continue."];
    let output = output_of(&project, &provider, &again).expect_code(0);
    let said = "warning: the provider does not accept the reasoning of earlier turns";
    assert!(output.stderr.contains(said), "{output}");
    output_of(&project, &provider, &again).expect_code(0);
    let has_reasoning: Vec<bool> = provider
        .sent()
        .iter()
        .map(|sent| sent.body["messages"].to_string().contains("c2lnbmVk"))
        .collect();
    assert_eq!(has_reasoning, [false, true, false, false]);
}

#[test]
fn the_report_of_a_failure_has_an_error_with_its_category() {
    let project = Project::with("a.txt", "a");
    let refused = r#"{"type":"error","error":{"type":"permission_error","message":"not for you"}}"#;
    let refused = Reply::Answer(403, Vec::new(), "application/json", refused.to_owned());
    let read = Reply::Calls(vec![call("read_file", &json!({"path": "a.txt"}))]);
    let cases = [
        (
            refused,
            [].as_slice(),
            "provider",
            json!(false),
            "status_code",
            json!(403),
        ),
        (
            read.clone(),
            &["--max-turns", "1"],
            "budget",
            json!(false),
            "limit",
            json!("max_turns"),
        ),
        (read, &[], "llm", json!(false), "kind", json!("loop")),
    ];
    for (reply, arguments, category, retryable, detail, value) in cases {
        let provider = MockProvider::start(vec![reply]);
        let all = [
            &["--model", "sonnet", "--format", "json", "Do it."],
            arguments,
        ]
        .concat();
        let report = output_of(&project, &provider, &all).expect_code(1).json();
        let error = &report["error"];
        assert_eq!(error["category"], category, "{report}");
        assert_eq!(error["retryable"], retryable, "{report}");
        assert_eq!(error["details"][detail], value, "{report}");
        assert_eq!(error["message"], report["reason"], "{report}");
    }
}

#[test]
fn the_model_is_informed_of_its_limits() {
    let project = Project::new();
    let provider = MockProvider::start(vec![Reply::Says("Done.")]);
    output_of(&project, &provider, &["--model", "sonnet", "Do it."]).expect_code(0);
    let system = provider.sent()[0].body["system"].to_string();
    for part in [
        "- Sandbox: ",
        "- Network: ",
        "a command ends after 10000 ms, or after its `timeout_ms`, up to 600000",
        "- Person: nobody can be asked",
        "When there are more than two steps, plan",
    ] {
        assert!(system.contains(part), "{part}: {system}");
    }
}

#[test]
fn the_terminal_shows_differences_and_the_end_of_errors() {
    let project = Project::with("a.txt", "one\ntwo\n");
    let edit = json!({"path": "a.txt", "old_string": "two", "new_string": "three"});
    // To one stream: between two the order is up to the system.
    let fails = json!({"command": "{ seq 30; echo the cause; } >&2; exit 3"});
    let slow = json!({"command": "echo begun; sleep 20", "timeout_ms": 300});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("edit_file", &edit)]),
        Reply::Calls(vec![call("shell", &fails)]),
        Reply::Calls(vec![call("shell", &slow)]),
        Reply::Says("Done."),
    ]);
    let output = output_of(&project, &provider, &["--model", "sonnet", "Do it."]).expect_code(0);
    for part in [
        "\n  -two\n  +three\n",
        "  the cause\n  [exit code: 3]\n",
        "timed out after 300 ms",
    ] {
        assert!(output.stderr.contains(part), "{part}: {output}");
    }
    assert!(
        !output.stderr.contains("\n  1\n"),
        "only the last lines: {output}"
    );
}

#[test]
fn an_unknown_session_is_a_usage_error_that_names_the_known_ones() {
    let project = Project::new();
    let provider = MockProvider::start(vec![Reply::Says("Done.")]);
    for option in ["--session", "--fork"] {
        let output = run(&project, &provider, ["agent", "Continue.", option, "nope"]);
        let output = output.expect_code(2);
        let expected = "unknown session `nope`: there are no sessions in";
        assert!(output.stderr.contains(expected), "{output}");
    }
    let known = session(&agent(&project, &provider, &["A task."]));
    for id in ["nope", "../sessions", ""] {
        let output = run(&project, &provider, ["agent", "Continue.", "--session", id]);
        let output = output.expect_code(2);
        assert!(
            output.stderr.contains(&format!("unknown session `{id}`")),
            "{output}"
        );
        assert!(output.stderr.contains(&known), "{output}");
    }
}

#[test]
fn the_configuration_of_agents_is_shown_with_what_has_no_effect() {
    let project = Project::new();
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\n\"shell(git push*)\" = \"deny\"\n[agent.sandbox]\nnetwork = true\n[mcp.files]\ncommand = [\"files\"]\n",
    );
    project.write(
        ".attractor/config.toml",
        "[agent]\nlanguage_servers = \"off\"\n[agent.permissions]\n\"shell(git push*)\" = \"allow\"\n",
    );
    let report = project
        .run(["config", "--format", "json"])
        .expect_code(0)
        .json();
    let value = |key: &str, from: &str| {
        let rows = report["values"].as_array().expect("rows");
        let mut rows = rows.iter().filter(|row| {
            row["key"] == key && row["from"].as_str().unwrap_or_default().contains(from)
        });
        rows.next().expect(key)["value"].clone()
    };
    assert_eq!(value("agent.language_servers", ".attractor"), "off");
    assert_eq!(value("agent.sandbox.mode", ""), "workspace-write");
    assert_eq!(value("agent.sandbox.network", ".config"), true);
    assert_eq!(value("mcp.files", ".config"), "files");
    let rule = "agent.permissions.\"shell(git push*)\"";
    assert_eq!(value(rule, ".config"), "deny");
    let expected = "allow (no effect: the user's file says deny)";
    assert_eq!(value(rule, "/.attractor"), expected);
}

#[test]
fn the_rules_of_the_user_hold_in_a_replay() {
    let project = super::project("sonnet");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\nshell = \"allow\"\n",
    );
    let tapes = Project::new();
    let tape = tapes.file("fix.tape").display().to_string();
    let arguments = json!({"command": "echo ran >> log"});
    let provider = MockProvider::start(vec![
        Reply::Calls(vec![call("shell", &arguments)]),
        Reply::Says("Done."),
    ]);
    run(&project, &provider, ["run", "fix.dot", "--record", &tape]).expect_code(0);
    assert_eq!(project.read("log"), "ran\n");
    project.write(
        ".config/attractor/config.toml",
        "[agent.permissions]\nshell = \"deny\"\n",
    );
    let output = project.run(["run", "fix.dot", "--replay", &tape]);
    assert_ne!(
        output.code,
        Some(0),
        "the result differs from the recorded one: {output}"
    );
    assert_eq!(project.read("log"), "ran\n");
}

#[test]
fn limits_of_a_session_are_set_on_the_command_line() {
    let project = Project::with("a.txt", "one");
    let content = json!({"path": "a.txt", "content": "two"});
    let replies = vec![
        Reply::Calls(vec![call("write_file", &content)]),
        Reply::Says("Not written."),
    ];
    let provider = MockProvider::start(replies);
    let limits = ["--permissions", "read-only", "--effort", "low", "Write."];
    agent(&project, &provider, &limits);
    assert_eq!(project.read("a.txt"), "one");
    let sent = provider.sent()[0].body.to_string();
    assert!(sent.contains("\"low\""), "{sent}");

    let provider = MockProvider::start(vec![Reply::Says("Once.")]);
    let cheap = ["--max-cost", "0.0000001", "--format", "json", "Write."];
    let output = output_of(&project, &provider, &cheap).expect_code(1);
    assert_eq!(output.json()["status"], "limit", "{output}");
}

#[test]
fn a_key_that_a_model_knows_is_not_printed() {
    for format in ["human", "json", "events"] {
        let project = Project::new();
        let command = json!({ "command": format!("echo {KEY}") });
        let replies = vec![
            Reply::Calls(vec![call("shell", &command)]),
            Reply::Says(KEY),
        ];
        let provider = MockProvider::start(replies);
        let arguments = ["--model", "sonnet", "--format", format, "Name it."];
        let output = output_of(&project, &provider, &arguments).expect_code(0);
        assert!(
            !output.stdout.contains(KEY) && !output.stderr.contains(KEY),
            "{format}: {output}"
        );
        assert!(output.stdout.contains("[redacted]"), "{format}: {output}");
    }
}
