//! Recorded output of each agent, read in pieces of every size.

use expect_test::{Expect, expect};

use super::*;

fn request(tool: &str) -> CodergenRequest {
    CodergenRequest {
        prompt: "Fix the test.".to_owned(),
        options: vec![("agent_tool".to_owned(), tool.to_owned())],
        ..CodergenRequest::default()
    }
}

fn read(tool: &str, output: &str, piece: usize) -> (Transcript, String) {
    let agent = program::of(&request(tool)).unwrap();
    let mut transcript = Transcript::new(agent.read);
    let mut shown = String::new();
    for piece in output.as_bytes().chunks(piece) {
        shown.extend(transcript.push(piece));
    }
    shown.extend(transcript.end());
    (transcript, shown)
}

fn check(tool: &str, output: &str, expected: &Expect) {
    let summary = |piece| {
        let (transcript, shown) = read(tool, output, piece);
        let usage = transcript.usage;
        format!(
            "text: {}\nshown: {shown}\nmodel: {:?}, session: {:?}, error: {:?}, warnings: {:?}\ninput {} (read {}, \
             written {}), output {} (reasoning {}), ${}",
            transcript.text,
            transcript.model,
            transcript.session,
            transcript.error,
            transcript.warnings,
            usage.input_tokens,
            usage.cache_read_tokens,
            usage.cache_write_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
            usage.cost,
        )
    };
    let whole = summary(output.len());
    expected.assert_eq(&whole);
    for piece in [1, 7, 64] {
        assert_eq!(summary(piece), whole, "in pieces of {piece}");
    }
}

#[test]
fn claude_code() {
    check(
        "claude",
        r#"{"type":"system","subtype":"init","session_id":"5d1e","model":"claude-opus-5-5","tools":["Bash"]}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Looking at it. "},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"a.py"}}]},"session_id":"5d1e"}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x = 1"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"Fixed."}]}}
{"type":"result","subtype":"success","is_error":false,"result":"Fixed.","num_turns":2,"total_cost_usd":0.25,"usage":{"input_tokens":10,"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"output_tokens":7}}
"#,
        &expect![[r#"
            text: Fixed.
            shown: Looking at it. Fixed.
            model: Some("claude-opus-5-5"), session: Some("5d1e"), error: None, warnings: []
            input 130 (read 100, written 20), output 7 (reasoning 0), $0.25"#]],
    );
    let (limit, _) = read(
        "claude",
        r#"{"type":"result","subtype":"error_max_turns","is_error":false}"#,
        9,
    );
    assert_eq!(limit.error.as_deref(), Some("error max turns"));
    assert_eq!(class_of("error max turns"), FailureClass::BudgetExhausted);
}

#[test]
fn codex() {
    check(
        "codex",
        r#"{"type":"thread.started","thread_id":"0199"}
{"type":"turn.started"}
a notice between the events
{"type":"item.completed","item":{"id":"i0","type":"reasoning","text":"Think."}}
{"type":"item.completed","item":{"id":"i1","type":"agent_message","text":"I run the tests."}}
{"type":"item.completed","item":{"id":"i2","type":"command_execution","command":"cargo test","aggregated_output":"ok","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"i3","type":"error","message":"a tool server did not start"}}
{"type":"item.completed","item":{"id":"i4","type":"agent_message","text":"Done."}}
{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":60,"output_tokens":9}}"#,
        &expect![[r#"
            text: Done.
            shown: I run the tests.Done.
            model: None, session: Some("0199"), error: None, warnings: ["a tool server did not start"]
            input 100 (read 60, written 0), output 9 (reasoning 0), $0"#]],
    );
    let output =
        r#"{"type":"turn.failed","error":{"message":"stream disconnected before completion"}}"#;
    let (failed, _) = read("codex", output, 5);
    let error = failed.error.unwrap();
    assert_eq!(error, "stream disconnected before completion");
    assert_eq!(class_of(&error), FailureClass::TransientInfra);
}

#[test]
fn gemini_cli() {
    check(
        "gemini",
        r#"{"type":"init","timestamp":"t","session_id":"g1","model":"gemini-3.8-flash"}
{"type":"message","role":"user","content":"Fix the test."}
{"type":"message","role":"assistant","content":"I look. ","delta":true}
{"type":"tool_use","tool_name":"read_file","tool_id":"1","parameters":{"path":"a.py"}}
{"type":"tool_result","tool_id":"1","status":"success","output":"x"}
{"type":"message","role":"assistant","content":"All ","delta":true}
{"type":"message","role":"assistant","content":"done.","delta":true}
{"type":"error","severity":"warning","message":"slow"}
{"type":"result","status":"success","stats":{"total_tokens":60,"input_tokens":50,"output_tokens":10,"cached":20,"input":30,"duration_ms":5,"tool_calls":1}}
"#,
        &expect![[r#"
            text: All done.
            shown: I look. All done.
            model: Some("gemini-3.8-flash"), session: Some("g1"), error: None, warnings: ["slow"]
            input 50 (read 20, written 0), output 10 (reasoning 0), $0"#]],
    );
}

#[test]
fn opencode() {
    check(
        "opencode",
        r#"{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"type":"step-start"}}
{"type":"text","timestamp":2,"sessionID":"ses_1","part":{"type":"text","text":"Done."}}
{"type":"step_finish","timestamp":3,"sessionID":"ses_1","part":{"type":"step-finish","tokens":{"input":100,"output":5,"reasoning":2,"cache":{"write":3,"read":40}},"cost":0.5}}
"#,
        &expect![[r#"
            text: Done.
            shown: Done.
            model: None, session: Some("ses_1"), error: None, warnings: []
            input 143 (read 40, written 3), output 7 (reasoning 2), $0.5"#]],
    );
}

#[test]
fn an_agent_is_chosen_by_tool_provider_or_model() {
    let chosen = |tool: Option<&str>, provider: Option<&str>, model: Option<&str>| {
        let options = tool.map(|tool| ("agent_tool".to_owned(), tool.to_owned()));
        let request = CodergenRequest {
            options: options.into_iter().collect(),
            provider: provider.map(str::to_owned),
            model: model.map(str::to_owned),
            ..CodergenRequest::default()
        };
        program::of(&request).map(|agent| agent.program)
    };
    assert_eq!(chosen(Some("codex"), Some("anthropic"), None), Ok("codex"));
    assert_eq!(chosen(None, Some("google"), None), Ok("gemini"));
    assert_eq!(chosen(None, None, Some("claude-opus-5-5")), Ok("claude"));
    assert_eq!(chosen(None, None, Some("gpt-5.5")), Ok("codex"));
    assert!(
        chosen(None, None, None)
            .unwrap_err()
            .contains("set `agent_tool`")
    );
    let unknown = chosen(Some("cluade"), None, None).unwrap_err();
    assert!(
        unknown.starts_with("unknown command-line agent `cluade`"),
        "{unknown}"
    );
}

#[test]
fn attributes_become_options_or_warnings() {
    let mut request = request("claude");
    request.model = Some("--help".to_owned());
    request.options.extend([
        ("max_turns".to_owned(), "5".to_owned()),
        ("max_cost".to_owned(), "$2".to_owned()),
        ("temperature".to_owned(), "0.5".to_owned()),
        ("permissions".to_owned(), "read-only".to_owned()),
    ]);
    let (arguments, warnings) = claude::arguments(&request);
    expect![[
        r#"["--print", "--output-format=stream-json", "--verbose", "--permission-mode=plan", "--model=--help", "--max-turns=5", "--max-budget-usd=2"]"#
    ]]
    .assert_eq(&format!("{arguments:?}"));
    assert_eq!(
        warnings,
        ["`temperature` has no effect: Claude Code has no such option"]
    );
}

#[test]
fn a_line_without_end_is_bounded() {
    let agent = program::of(&request("claude")).unwrap();
    let mut transcript = Transcript::new(agent.read);
    let piece = vec![b'x'; 1024 * 1024];
    for _ in 0..40 {
        transcript.push(&piece);
    }
    transcript.push(b"\n{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"ok\"}\n");
    assert_eq!(transcript.text, "ok");
    assert_eq!(transcript.warnings.len(), 1);
}
