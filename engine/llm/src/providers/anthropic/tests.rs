//! The Messages API, point by point. The number in a name is that of the list of known pitfalls of this API in
//! `docs/llm.md`.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{Anthropic, AnthropicOptions, PROVIDER, decode};
use crate::content::{ContentPart, ProviderState, ThinkingContent, ToolCallContent};
use crate::error::ErrorKind;
use crate::http::Protocol;
use crate::message::{Message, Role};
use crate::request::{Request, ResponseFormat};
use crate::response::FinishReason;
use crate::testing::{self, headers, sse};
use crate::tool::{ToolChoice, ToolDefinition};
use crate::{MediaContent, ReasoningEffort};

const OPUS: &str = "claude-opus-5-5";

fn body(request: &Request) -> Value {
    testing::body(&Anthropic::default(), PROVIDER, request)
}

fn warnings(request: &Request) -> Vec<String> {
    testing::warnings(&Anthropic::default(), PROVIDER, request)
}

fn check_stream(lines: &str, expect: Expect) {
    let (events, error) =
        testing::decode_stream(&Anthropic::default(), PROVIDER, OPUS, &sse(lines));
    expect.assert_eq(&testing::render(&events, error.as_ref()));
}

fn tool() -> ToolDefinition {
    ToolDefinition::new(
        "f",
        "does",
        json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
    )
}

fn own_thinking(model: &str, text: &str, signature: &str) -> ContentPart {
    ContentPart::Thinking(ThinkingContent {
        text: text.into(),
        signature: Some(signature.into()),
        state: Some(ProviderState {
            provider: PROVIDER.into(),
            model: model.into(),
            data: Value::Null,
        }),
    })
}

fn assistant(parts: Vec<ContentPart>) -> Message {
    Message::new(Role::Assistant, parts)
}

#[test]
fn a_whole_request_has_every_field_in_its_place() {
    let mut request = Request::prompt("opus", "hi");
    request.system_prompt = "be brief".into();
    request.tools = vec![tool()];
    request.max_tokens = Some(100);
    request.stop_sequences = vec!["END".into()];
    request.reasoning_effort = Some(ReasoningEffort::High);
    request.provider_options.insert(
        PROVIDER.into(),
        json!({"metadata": {"user_id": "u"}})
            .as_object()
            .unwrap()
            .clone(),
    );
    expect![[r#"
        {
          "model": "claude-opus-5-5",
          "max_tokens": 100,
          "tools": [
            {
              "name": "f",
              "description": "does",
              "input_schema": {
                "type": "object",
                "properties": {
                  "a": {
                    "type": "integer"
                  }
                }
              }
            }
          ],
          "system": [
            {
              "type": "text",
              "text": "be brief",
              "cache_control": {
                "type": "ephemeral"
              }
            }
          ],
          "messages": [
            {
              "role": "user",
              "content": [
                {
                  "type": "text",
                  "text": "hi"
                }
              ]
            }
          ],
          "thinking": {
            "type": "adaptive"
          },
          "output_config": {
            "effort": "high"
          },
          "stop_sequences": [
            "END"
          ],
          "cache_control": {
            "type": "ephemeral"
          },
          "stream": true,
          "metadata": {
            "user_id": "u"
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&body(&request)).unwrap());
}

#[test]
fn trap_01_the_version_is_pinned_and_configurable() {
    let encoded =
        testing::encode(&Anthropic::default(), PROVIDER, &Request::prompt(OPUS, "x")).unwrap();
    assert!(
        encoded
            .headers
            .contains(&("anthropic-version", "2023-06-01".to_owned()))
    );
    let newer = Anthropic {
        options: AnthropicOptions {
            version: "2026-10-21".into(),
            prompt_caching: true,
        },
    };
    let request = Request {
        temperature: Some(0.5),
        ..Request::prompt("claude-opus-4-6", "x")
    };
    assert_eq!(
        testing::body(&newer, PROVIDER, &request).get("temperature"),
        None
    );
    assert_eq!(
        testing::warnings(&newer, PROVIDER, &request),
        ["temperature"]
    );
    assert_eq!(body(&request)["temperature"], 0.5);
}

#[test]
fn trap_02_sampling_is_left_out_where_the_model_rejects_it() {
    let request = Request {
        temperature: Some(0.5),
        top_p: Some(0.9),
        ..Request::prompt("claude-opus-4-7", "x")
    };
    assert_eq!(body(&request).get("temperature"), None);
    assert_eq!(warnings(&request), ["temperature", "top_p"]);
}

#[test]
fn trap_03_effort_where_the_model_adapts_and_a_budget_where_it_counts() {
    let with = |model: &str, effort| {
        let request = Request {
            reasoning_effort: Some(effort),
            ..Request::prompt(model, "x")
        };
        let body = body(&request);
        format!("{} {}", body["thinking"], body["output_config"])
    };
    let cases = [
        (
            OPUS,
            ReasoningEffort::Low,
            r#"{"type":"adaptive"} {"effort":"low"}"#,
        ),
        (
            OPUS,
            ReasoningEffort::None,
            r#"{"type":"adaptive"} {"effort":"low"}"#,
        ),
        (
            "claude-sonnet-5-5",
            ReasoningEffort::None,
            r#"{"type":"disabled"} null"#,
        ),
        (
            "claude-opus-4-6",
            ReasoningEffort::XHigh,
            r#"{"type":"adaptive"} {"effort":"high"}"#,
        ),
        (
            "claude-haiku-4-5",
            ReasoningEffort::Low,
            r#"{"budget_tokens":2048,"type":"enabled"} null"#,
        ),
        (
            "claude-haiku-4-5",
            ReasoningEffort::Medium,
            r#"{"budget_tokens":8192,"type":"enabled"} null"#,
        ),
        (
            "claude-haiku-4-5",
            ReasoningEffort::High,
            r#"{"budget_tokens":32768,"type":"enabled"} null"#,
        ),
        ("claude-haiku-4-5", ReasoningEffort::None, "null null"),
    ];
    for (model, effort, expected) in cases {
        let expected = expected.replace(
            r#"{"budget_tokens":2048,"type":"enabled"}"#,
            r#"{"type":"enabled","budget_tokens":2048}"#,
        );
        let expected = expected.replace(
            r#"{"budget_tokens":8192,"type":"enabled"}"#,
            r#"{"type":"enabled","budget_tokens":8192}"#,
        );
        let expected = expected.replace(
            r#"{"budget_tokens":32768,"type":"enabled"}"#,
            r#"{"type":"enabled","budget_tokens":32768}"#,
        );
        assert_eq!(with(model, effort), expected, "{model} {effort:?}");
    }
    let small = Request {
        reasoning_effort: Some(ReasoningEffort::High),
        max_tokens: Some(4000),
        ..Request::prompt("claude-haiku-4-5", "x")
    };
    assert_eq!(body(&small)["thinking"]["budget_tokens"], 2976);
    let tiny = Request {
        max_tokens: Some(1500),
        ..small
    };
    assert_eq!(body(&tiny).get("thinking"), None);
    assert_eq!(warnings(&tiny), ["reasoning_effort"]);
}

#[test]
fn trap_04_content_is_selected_by_type() {
    let answer = json!({"content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "yes"},
    ], "stop_reason": "end_turn"});
    let response = testing::decode(&Anthropic::default(), PROVIDER, OPUS, &answer);
    assert_eq!(
        (
            response.text().as_str(),
            response.message.thinking().as_str()
        ),
        ("yes", "hm")
    );
}

#[test]
fn trap_05_thinking_without_text_keeps_its_signature() {
    check_stream(
        r#"
        {"type":"message_start","message":{"id":"m1","model":"claude-opus-5-5","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}
        {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
        {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}
        {"type":"content_block_stop","index":0}
        {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}
        {"type":"message_stop"}"#,
        expect![[r#"
            stream_start: claude-opus-5-5 m1
            part_end: 0 thinking "" signature sig
            finish: stop (end_turn) in 3 out 5
        "#]],
    );
    let history = vec![
        Message::user("a"),
        assistant(vec![own_thinking(OPUS, "", "sig"), ContentPart::text("b")]),
        Message::user("c"),
    ];
    let body = body(&Request::new(OPUS, history));
    assert_eq!(
        body["messages"][1]["content"][0],
        json!({"type": "thinking", "thinking": "", "signature": "sig"})
    );
}

#[test]
fn trap_06_a_longer_conversation_begins_with_the_same_bytes() {
    let mut request = Request::prompt(OPUS, "first");
    request.system_prompt = "s".into();
    request.tools = vec![
        tool(),
        ToolDefinition::new("a", "later in the alphabet", json!({})),
    ];
    let before = body(&request);
    request.messages.push(assistant(vec![
        own_thinking(OPUS, "t", "sig"),
        ContentPart::text("b"),
    ]));
    request.messages.push(Message::user("second"));
    let after = body(&request);
    for key in ["model", "max_tokens", "system", "tools"] {
        assert_eq!(before[key].to_string(), after[key].to_string());
    }
    let prefix = before["messages"].to_string();
    assert!(
        after["messages"]
            .to_string()
            .starts_with(prefix.trim_end_matches(']'))
    );
}

#[test]
fn trap_07_thinking_of_another_model_is_not_sent() {
    let history = |model| {
        vec![
            Message::user("a"),
            assistant(vec![
                own_thinking(model, "t", "sig"),
                ContentPart::text("b"),
            ]),
            Message::user("c"),
        ]
    };
    let types = |model| {
        let body = body(&Request::new(OPUS, history(model)));
        body["messages"][1]["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block["type"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        types("claude-opus-5-5-20260922"),
        ["\"thinking\"", "\"text\""]
    );
    assert_eq!(types("claude-sonnet-5-5"), ["\"text\""]);
}

#[test]
fn trap_08_a_forced_tool_call_becomes_auto_with_manual_thinking() {
    let mut request = Request {
        tools: vec![tool()],
        tool_choice: ToolChoice::Required,
        ..Request::prompt("claude-haiku-4-5", "x")
    };
    assert_eq!(body(&request)["tool_choice"], json!({"type": "any"}));
    request.reasoning_effort = Some(ReasoningEffort::Low);
    assert_eq!(body(&request).get("tool_choice"), None);
    assert_eq!(warnings(&request), ["tool_choice"]);
}

#[test]
fn trap_09_tool_choice_none_keeps_the_tools() {
    let request = Request {
        tools: vec![tool()],
        tool_choice: ToolChoice::None,
        ..Request::prompt(OPUS, "x")
    };
    let body = body(&request);
    assert_eq!(body["tool_choice"], json!({"type": "none"}));
    assert_eq!(body["tools"].as_array().unwrap().len(), 1);
}

#[test]
fn trap_10_all_results_come_first_in_one_user_message() {
    let call = |id: &str| ContentPart::ToolCall(ToolCallContent::parse(id, "f", "{}"));
    let messages = vec![
        Message::user("go"),
        assistant(vec![call("toolu_1"), call("toolu_2")]),
        Message::tool_result("toolu_2", "two", false),
        Message::user("steer"),
    ];
    let body = body(&Request::new(OPUS, messages));
    expect![[r#"
        {
          "role": "user",
          "content": [
            {
              "type": "tool_result",
              "tool_use_id": "toolu_1",
              "content": [
                {
                  "type": "text",
                  "text": "error: the tool was not executed"
                }
              ],
              "is_error": true
            },
            {
              "type": "tool_result",
              "tool_use_id": "toolu_2",
              "content": [
                {
                  "type": "text",
                  "text": "two"
                }
              ]
            },
            {
              "type": "text",
              "text": "steer"
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&body["messages"][2]).unwrap());
}

#[test]
fn trap_11_messages_of_the_same_role_are_merged_without_placeholders() {
    let body = body(&Request::new(
        OPUS,
        [Message::user("a"), Message::user("b")],
    ));
    assert_eq!(body["messages"].as_array().unwrap().len(), 1);
    assert_eq!(body["messages"][0]["content"].as_array().unwrap().len(), 2);
}

#[test]
fn trap_12_a_prefill_is_refused_before_it_is_sent() {
    let messages = [Message::user("a"), Message::assistant("The answer is")];
    let error = testing::encode(
        &Anthropic::default(),
        PROVIDER,
        &Request::new(OPUS, messages.clone()),
    )
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(
        testing::encode(
            &Anthropic::default(),
            PROVIDER,
            &Request::new("claude-haiku-4-5", messages)
        )
        .is_ok()
    );
}

#[test]
fn trap_13_arguments_accumulate_and_a_cut_off_call_is_not_executable() {
    let start = r#"{"type":"message_start","message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}
        {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}}"#;
    check_stream(
        &format!(
            r#"{start}
        {{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":""}}}}
        {{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":"{{\"a\""}}}}
        {{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":":1}}"}}}}
        {{"type":"content_block_stop","index":0}}
        {{"type":"content_block_start","index":1,"content_block":{{"type":"tool_use","id":"toolu_2","name":"g","input":{{}}}}}}
        {{"type":"content_block_stop","index":1}}
        {{"type":"message_delta","delta":{{"stop_reason":"tool_use"}},"usage":{{"output_tokens":9}}}}
        {{"type":"message_stop"}}"#
        ),
        expect![[r#"
            stream_start: m m1
            tool_call_start: 0 toolu_1 f
            tool_call_delta: 0 "{\"a\""
            tool_call_delta: 0 ":1}"
            tool_call_end: 0 toolu_1 f {"a":1}
            tool_call_start: 1 toolu_2 g
            tool_call_end: 1 toolu_2 g {}
            finish: tool_use (tool_use) in 3 out 9
        "#]],
    );
    // No arguments at all look like a call without arguments, but the limit was reached.
    check_stream(
        &format!(
            r#"{start}
        {{"type":"content_block_stop","index":0}}
        {{"type":"message_delta","delta":{{"stop_reason":"max_tokens"}},"usage":{{"output_tokens":9}}}}
        {{"type":"message_stop"}}"#
        ),
        expect![[r#"
            stream_start: m m1
            tool_call_start: 0 toolu_1 f
            tool_call_end: 0 toolu_1 f {} invalid
            finish: length (max_tokens) in 3 out 9
        "#]],
    );
}

#[test]
fn blocks_that_are_open_at_the_same_time_are_all_delivered() {
    check_stream(
        r#"
        {"type":"message_start","message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}
        {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}}
        {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_2","name":"g","input":{}}}
        {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"b\":2}"}}
        {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}
        {"type":"content_block_stop","index":0}
        {"type":"content_block_stop","index":1}
        {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}
        {"type":"message_stop"}"#,
        expect![[r#"
            stream_start: m m1
            tool_call_start: 0 toolu_1 f
            tool_call_start: 1 toolu_2 g
            tool_call_delta: 1 "{\"b\":2}"
            tool_call_delta: 0 "{\"a\":1}"
            tool_call_end: 0 toolu_1 f {"a":1}
            tool_call_end: 1 toolu_2 g {"b":2}
            finish: tool_use (tool_use) in 3 out 9
        "#]],
    );
}

#[test]
fn trap_14_a_second_message_start_begins_the_answer_again() {
    let lines = r#"
        {"type":"message_start","message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}
        {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"gone"}}
        {"type":"message_start","message":{"id":"m2","model":"m","content":[{"type":"text","text":"kept"}],"usage":{"input_tokens":3,"output_tokens":1}}}
        {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}
        {"type":"message_stop"}"#;
    let response = testing::collect(&Anthropic::default(), PROVIDER, OPUS, &sse(lines));
    assert_eq!(
        (
            response.text().as_str(),
            response.provider_response_id.as_str()
        ),
        ("kept", "m2")
    );
}

#[test]
fn trap_15_usage_is_cumulative_and_counts_the_cache() {
    let lines = r#"
        {"type":"message_start","message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":43,"output_tokens":1,"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"cache_creation":{"ephemeral_5m_input_tokens":15,"ephemeral_1h_input_tokens":5}}}}
        {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":61,"output_tokens":30,"output_tokens_details":{"thinking_tokens":12}}}
        {"type":"message_stop"}"#;
    let usage = testing::collect(&Anthropic::default(), PROVIDER, OPUS, &sse(lines)).usage;
    assert_eq!(
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.total_tokens()
        ),
        (181, 30, 211)
    );
    assert_eq!(
        (
            usage.cache_read_tokens,
            usage.cache_write_tokens,
            usage.cache_write_1h_tokens
        ),
        (Some(100), Some(20), Some(5))
    );
    assert_eq!((usage.reasoning_tokens, usage.estimated), (Some(12), false));
}

#[test]
fn trap_16_an_error_inside_a_stream_has_the_kind_of_its_type() {
    check_stream(
        r#"
        {"type":"message_start","message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}
        {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        expect![[r#"
            stream_start: m m1
            error: overloaded Overloaded (overloaded_error)
        "#]],
    );
    let retryable = |kind: &str| {
        decode::error(None, &json!({"error": {"type": kind, "message": "m"}})).is_retryable()
    };
    assert!(retryable("overloaded_error") && retryable("api_error") && retryable("timeout_error"));
    assert!(!retryable("invalid_request_error") && !retryable("authentication_error"));
}

#[test]
fn trap_17_a_refusal_is_a_content_filter_with_details() {
    let answer =
        json!({"content": [], "stop_reason": "refusal", "stop_details": {"category": "cyber"}});
    let response = testing::decode(&Anthropic::default(), PROVIDER, OPUS, &answer);
    assert_eq!(response.finish.reason, FinishReason::ContentFilter);
    assert_eq!(response.finish.details, Some(json!({"category": "cyber"})));
}

#[test]
fn trap_18_a_paused_turn_is_sent_back_as_it_is() {
    let blocks = json!([
        {"type": "text", "text": "Let me look."},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
    ]);
    let answer = json!({"model": OPUS, "content": blocks, "stop_reason": "pause_turn"});
    let response = testing::decode(&Anthropic::default(), PROVIDER, OPUS, &answer);
    assert_eq!(
        (response.finish.reason, response.finish.raw.as_deref()),
        (FinishReason::Other, Some("pause_turn"))
    );
    let body = body(&Request::new(OPUS, [Message::user("go"), response.message]));
    assert_eq!(body["messages"][1]["content"], blocks);
}

#[test]
fn trap_19_cache_breakpoints_are_on_the_system_prompt_and_automatic() {
    let mut request = Request {
        tools: vec![tool()],
        ..Request::prompt(OPUS, "x")
    };
    let without_system = body(&request);
    assert_eq!(
        without_system["tools"][0]["cache_control"],
        json!({"type": "ephemeral"})
    );
    request.system_prompt = "s".into();
    let body = body(&request);
    assert_eq!(body["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(
        body["system"][0]["cache_control"],
        json!({"type": "ephemeral"})
    );
    assert_eq!(body["tools"][0].get("cache_control"), None);
    assert!(body.to_string().matches("cache_control").count() <= 4);
}

#[test]
fn trap_20_no_beta_header_is_sent_unless_asked_for() {
    let mut request = Request::prompt(OPUS, "x");
    let has_beta = |request: &Request| {
        let encoded = testing::encode(&Anthropic::default(), PROVIDER, request).unwrap();
        encoded
            .headers
            .into_iter()
            .find(|(name, _)| *name == "anthropic-beta")
            .map(|(_, value)| value)
    };
    assert_eq!(has_beta(&request), None);
    request.provider_options.insert(
        PROVIDER.into(),
        json!({"betas": ["a-1", "b-2"]})
            .as_object()
            .unwrap()
            .clone(),
    );
    assert_eq!(has_beta(&request).as_deref(), Some("a-1,b-2"));
    assert_eq!(body(&request).get("betas"), None);
}

#[test]
fn trap_21_max_tokens_is_the_models_limit() {
    assert_eq!(body(&Request::prompt(OPUS, "x"))["max_tokens"], 128_000);
    assert_eq!(
        body(&Request::prompt("claude-haiku-4-5", "x"))["max_tokens"],
        64_000
    );
    assert_eq!(
        body(&Request::prompt("claude-unlisted-9", "x"))["max_tokens"],
        128_000
    );
    let too_many = Request {
        max_tokens: Some(1_000_000),
        ..Request::prompt("claude-haiku-4-5", "x")
    };
    assert_eq!(body(&too_many)["max_tokens"], 64_000);
    assert_eq!(warnings(&too_many), ["max_tokens"]);
}

#[test]
fn trap_22_ids_of_other_providers_are_made_legal() {
    let call = ContentPart::ToolCall(ToolCallContent::parse("call_1|fc:2.3", "f", "{}"));
    let messages = vec![
        Message::user("go"),
        assistant(vec![call]),
        Message::tool_result("call_1|fc:2.3", "ok", false),
    ];
    let body = body(&Request::new(OPUS, messages));
    let id = body["messages"][1]["content"][0]["id"].as_str().unwrap();
    assert!(
        id.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)),
        "{id}"
    );
    assert_eq!(body["messages"][2]["content"][0]["tool_use_id"], id);
    let bad = Request {
        tools: vec![ToolDefinition::new("no spaces", "", json!({}))],
        ..Request::prompt(OPUS, "x")
    };
    assert_eq!(
        bad.validate().unwrap_err().kind(),
        ErrorKind::InvalidRequest
    );
}

#[test]
fn trap_23_spend_limits_and_billing_are_not_retried() {
    let kind = |status, body: Value| decode::error(Some(status), &body).kind();
    let spend = json!({"type": "error", "error": {"type": "rate_limit_error", "message": "limit", "details": {"error_code": "workspace_spend_limit_reached"}}});
    assert_eq!(kind(429, spend), ErrorKind::QuotaExceeded);
    assert_eq!(
        kind(
            402,
            json!({"error": {"type": "billing_error", "message": "pay"}})
        ),
        ErrorKind::QuotaExceeded
    );
    assert_eq!(
        kind(
            429,
            json!({"error": {"type": "rate_limit_error", "message": "slow"}})
        ),
        ErrorKind::RateLimit
    );
    assert_eq!(
        kind(
            529,
            json!({"error": {"type": "overloaded_error", "message": "busy"}})
        ),
        ErrorKind::Overloaded
    );
    assert_eq!(
        kind(
            400,
            json!({"error": {"type": "invalid_request_error", "message": "prompt is too long: 1 > 0"}})
        ),
        ErrorKind::ContextLength
    );
}

#[test]
fn trap_24_the_root_of_a_schema_is_an_object_without_unions() {
    let union = json!({"oneOf": [{"type": "object"}], "properties": {"a": {"anyOf": [{"type": "string"}]}}});
    let request = Request {
        tools: vec![ToolDefinition::new("f", "", union)],
        ..Request::prompt(OPUS, "x")
    };
    let schema = &body(&request)["tools"][0]["input_schema"];
    assert_eq!(
        *schema,
        json!({"properties": {"a": {"anyOf": [{"type": "string"}]}}, "type": "object"})
    );
    assert_eq!(warnings(&request), ["tools"]);
}

#[test]
fn invalid_arguments_are_repeated_as_an_empty_object() {
    let call = ContentPart::ToolCall(ToolCallContent::parse("toolu_1", "f", "{\"a\":"));
    let messages = vec![
        Message::user("go"),
        assistant(vec![call]),
        Message::tool_result("toolu_1", "invalid JSON", true),
    ];
    assert_eq!(
        body(&Request::new(OPUS, messages))["messages"][1]["content"][0]["input"],
        json!({})
    );
}

#[test]
fn structured_output_is_bound_by_the_api_where_it_can_be() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let format = ResponseFormat::JsonSchema {
        name: "r".into(),
        schema: schema.clone(),
        strict: true,
    };
    let mut request = Request {
        response_format: Some(format),
        ..Request::prompt(OPUS, "x")
    };
    assert_eq!(
        body(&request)["output_config"],
        json!({"format": {"type": "json_schema", "schema": schema}})
    );
    request.model = "claude-3-opus-20240229".into();
    let body = body(&request);
    assert!(
        body["system"][0]["text"]
            .as_str()
            .unwrap()
            .contains("JSON Schema")
    );
    assert_eq!(warnings(&request), ["response_format"]);
}

#[test]
fn media_are_sent_by_url_bytes_and_id() {
    let parts = vec![
        ContentPart::Image(MediaContent::from_url(
            "image/png",
            "https://example.com/a.png",
        )),
        ContentPart::Image(MediaContent::from_bytes("image/png", b"png")),
        ContentPart::Document(MediaContent::from_bytes("application/pdf", b"pdf")),
        ContentPart::Document(MediaContent::from_bytes("text/plain", "é".as_bytes())),
        ContentPart::Audio(MediaContent::from_bytes("audio/wav", b"wav")),
    ];
    let request = Request::new(OPUS, [Message::new(Role::User, parts)]);
    expect![[r#"[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"cGRm"}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"é"}}]"#]].assert_eq(&body(&request)["messages"][0]["content"].to_string());
    assert_eq!(warnings(&request), ["audio"]);
}

#[test]
fn rate_limits_are_read_from_the_headers() {
    let headers = headers(&[
        ("anthropic-ratelimit-requests-limit", "50"),
        ("anthropic-ratelimit-requests-remaining", "49"),
        ("anthropic-ratelimit-requests-reset", "2026-11-22T12:00:01Z"),
        ("anthropic-ratelimit-output-tokens-remaining", "8000"),
    ]);
    let limit = Anthropic::default().rate_limit(&headers).unwrap();
    assert_eq!(limit.requests.as_ref().unwrap().remaining, Some(49));
    assert_eq!(
        limit.requests.unwrap().reset.unwrap().to_string(),
        "2026-11-22T12:00:01Z"
    );
    assert_eq!(limit.output_tokens.unwrap().remaining, Some(8000));
    assert_eq!(limit.tokens, None);
}

#[test]
fn a_stream_that_ends_early_is_a_retryable_error() {
    check_stream(
        r#"{"type":"message_start","message":{"id":"m1","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}"#,
        expect![[r#"
            stream_start: m m1
            error: stream the stream ended before the answer was complete
        "#]],
    );
}

#[test]
#[ignore = "needs ATTRACTOR_STREAMS"]
fn recorded_streams_give_the_same_events_at_every_cut() {
    for folder in ["anthropics+anthropic-sdk-python", "vercel+ai/anthropic"] {
        for (name, text) in testing::recorded(folder) {
            let stream = if name.ends_with(".chunks.txt") {
                sse(&text)
            } else {
                text
            };
            if !name.contains(".json") {
                testing::check_cuts(&Anthropic::default(), PROVIDER, OPUS, &name, &stream);
            }
        }
    }
}

/// What a recorded answer contains is sent back unchanged, so that the provider accepts its own blocks.
#[test]
#[ignore = "needs ATTRACTOR_STREAMS"]
fn recorded_answers_are_sent_back_as_they_came() {
    for (name, text) in testing::recorded("vercel+ai/anthropic") {
        let Ok(answer) = serde_json::from_str::<Value>(&text) else {
            continue;
        };
        let Some(blocks) = answer["content"].as_array() else {
            continue;
        };
        let model = answer["model"].as_str().unwrap();
        let response = testing::decode(&Anthropic::default(), PROVIDER, model, &answer);
        let body = body(&Request::new(
            model,
            [Message::user("go"), response.message, Message::user("on")],
        ));
        let sent = body["messages"][1]["content"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let blocks: Vec<&Value> = blocks.iter().filter(|block| block["text"] != "").collect();
        assert_eq!(sent.iter().collect::<Vec<_>>(), blocks, "{name}");
    }
}
