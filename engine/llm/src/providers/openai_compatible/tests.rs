//! Chat Completions as different servers serve it.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{OpenAiCompatible, PROVIDER, Quirks};
use crate::content::{ContentPart, ToolCallContent};
use crate::error::ErrorKind;
use crate::message::{Message, Role};
use crate::request::{Request, ResponseFormat};
use crate::testing::{self, sse};
use crate::tool::ToolDefinition;
use crate::{MediaContent, ReasoningEffort};

fn protocol(server: &str) -> OpenAiCompatible {
    OpenAiCompatible {
        provider: PROVIDER.into(),
        quirks: Quirks::of(server, ""),
    }
}

fn body(server: &str, request: &Request) -> Value {
    testing::body(&protocol(server), PROVIDER, request)
}

fn check_stream(lines: &str, expect: Expect) {
    let (events, error) = testing::decode_stream(&protocol(""), PROVIDER, "qwen3", &sse(lines));
    expect.assert_eq(&testing::render(&events, error.as_ref()));
}

fn tool() -> ToolDefinition {
    ToolDefinition::new(
        "f",
        "does",
        json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
    )
}

#[test]
fn a_whole_request_has_every_field_in_its_place() {
    let call = ContentPart::ToolCall(ToolCallContent::parse("c1", "f", "{\"a\":1}"));
    let messages = vec![
        Message::user("go"),
        Message::new(Role::Assistant, vec![call]),
        Message::tool_result("c1", "ok", false),
    ];
    let mut request = Request {
        tools: vec![tool()],
        system_prompt: "s".into(),
        ..Request::new("qwen3", messages)
    };
    request.max_tokens = Some(100);
    request.temperature = Some(0.5);
    request.stop_sequences = vec!["END".into()];
    request.reasoning_effort = Some(ReasoningEffort::Low);
    expect![[r#"
        {
          "model": "qwen3",
          "messages": [
            {
              "role": "system",
              "content": "s"
            },
            {
              "role": "user",
              "content": "go"
            },
            {
              "role": "assistant",
              "content": null,
              "tool_calls": [
                {
                  "id": "c1",
                  "type": "function",
                  "function": {
                    "name": "f",
                    "arguments": "{\"a\":1}"
                  }
                }
              ]
            },
            {
              "role": "tool",
              "content": "ok",
              "tool_call_id": "c1"
            }
          ],
          "tools": [
            {
              "type": "function",
              "function": {
                "name": "f",
                "description": "does",
                "parameters": {
                  "type": "object",
                  "properties": {
                    "a": {
                      "type": "integer"
                    }
                  }
                }
              }
            }
          ],
          "max_tokens": 100,
          "temperature": 0.5,
          "stop": [
            "END"
          ],
          "reasoning_effort": "low",
          "stream": true,
          "stream_options": {
            "include_usage": true
          }
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&body("", &request)).unwrap());
}

#[test]
fn servers_differ_as_the_table_says() {
    let schema = ResponseFormat::JsonSchema {
        name: "r".into(),
        schema: json!({"type": "object"}),
        strict: false,
    };
    let request = Request {
        max_tokens: Some(5),
        response_format: Some(schema),
        reasoning_effort: Some(ReasoningEffort::Low),
        ..Request::prompt("m", "x")
    };
    let has = |server: &str, key: &str| body(server, &request).get(key).is_some();
    assert!(has("ollama", "max_tokens") && !has("ollama", "max_completion_tokens"));
    assert!(has("xai", "max_completion_tokens") && !has("xai", "max_tokens"));
    assert!(has("ollama", "stream_options") && !has("mistral", "stream_options"));
    assert!(has("ollama", "reasoning_effort") && !has("vllm", "reasoning_effort"));
    assert_eq!(
        body("deepseek", &request)["response_format"],
        json!({"type": "json_object"})
    );
    assert_eq!(
        Quirks::of("mine", "http://127.0.0.1:11434/v1"),
        Quirks::of("ollama", "")
    );
    assert_eq!(
        Quirks::of("mine", "https://api.deepseek.com").replay_reasoning,
        Some("reasoning_content")
    );
}

#[test]
fn calls_are_collected_by_index_and_usage_comes_last() {
    check_stream(
        r#"
        {"id":"x1","model":"qwen3","choices":[{"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":""}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}},{"index":1,"id":"c2","function":{"name":"g","arguments":"{}"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}
        {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}
        {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}
        [DONE]"#,
        expect![[r#"
            stream_start: qwen3 x1
            tool_call_start: 0 c1 f
            tool_call_delta: 0 "{\"a\""
            tool_call_start: 1 c2 g
            tool_call_delta: 1 "{}"
            tool_call_delta: 0 ":1}"
            tool_call_end: 0 c1 f {"a":1}
            tool_call_end: 1 c2 g {}
            finish: tool_use (tool_calls) in 3 out 4
        "#]],
    );
}

#[test]
fn calls_with_the_same_index_and_different_ids_are_different_calls() {
    check_stream(
        r#"
        {"id":"x1","model":"qwen3","choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c2","function":{"name":"f","arguments":"{\"a\""}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c2","function":{"name":"f","arguments":":2}"}}]}}]}
        {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}
        [DONE]"#,
        expect![[r#"
            stream_start: qwen3 x1
            tool_call_start: 0 c1 f
            tool_call_delta: 0 "{\"a\":1}"
            tool_call_start: 1 c2 f
            tool_call_delta: 1 "{\"a\""
            tool_call_delta: 1 ":2}"
            tool_call_end: 0 c1 f {"a":1}
            tool_call_end: 1 c2 f {"a":2}
            finish: tool_use (tool_calls) in 1 out 4
        "#]],
    );
}

#[test]
fn the_signature_of_a_call_is_sent_back_to_its_model() {
    let lines = r#"
        {"id":"c","model":"gemini-3.8-flash","choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}}]}
        {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let model = "gemini-3.8-flash";
    let response = testing::collect(&protocol("openrouter"), PROVIDER, model, &sse(lines));
    let messages = [
        Message::user("go"),
        response.message,
        Message::tool_result("c1", "ok", false),
    ];
    let sent = |model: &str| {
        let request = Request {
            tools: vec![tool()],
            ..Request::new(model, messages.clone())
        };
        body("openrouter", &request)["messages"][1]["tool_calls"][0]["extra_content"].clone()
    };
    assert_eq!(
        sent(model),
        json!({"google": {"thought_signature": "c2ln"}})
    );
    assert_eq!(sent("another-model"), Value::Null);
}

#[test]
fn arguments_as_objects_missing_ids_and_stop_with_calls_are_understood() {
    check_stream(
        r#"
        {"id":"x1","choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"function":{"name":"g","arguments":{}}}]},"finish_reason":"stop"}]}
        [DONE]"#,
        expect![[r#"
            stream_start: qwen3 x1
            tool_call_start: 0 call_x1_0 f
            tool_call_delta: 0 "{\"a\":1}"
            tool_call_start: 1 call_x1_1 g
            tool_call_delta: 1 "{}"
            tool_call_end: 0 call_x1_0 f {"a":1}
            tool_call_end: 1 call_x1_1 g {}
            finish: tool_use (stop) in 1 out 3
        "#]],
    );
}

#[test]
fn reasoning_comes_in_either_field_or_in_tags() {
    for delta in [
        r#"{"reasoning_content":"hm"}"#,
        r#"{"reasoning":"hm"}"#,
        r#"{"content":"<think>hm</think>"}"#,
    ] {
        let lines = format!(
            "{{\"choices\":[{{\"delta\":{delta}}}]}}\n{{\"choices\":[{{\"delta\":{{\"content\":\"yes\"}},\"finish_reason\":\"stop\"}}]}}\n[DONE]"
        );
        let response = testing::collect(&protocol(""), PROVIDER, "qwen3", &sse(&lines));
        assert_eq!(
            (
                response.message.thinking().as_str(),
                response.text().as_str()
            ),
            ("hm", "yes"),
            "{delta}"
        );
    }
}

#[test]
fn reasoning_is_sent_back_only_where_the_server_wants_it() {
    let lines = r#"
        {"model":"m","choices":[{"delta":{"reasoning_content":"hm","tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}
        [DONE]"#;
    let message = testing::collect(&protocol(""), PROVIDER, "m", &sse(lines)).message;
    let request = Request::new(
        "m",
        [
            Message::user("go"),
            message,
            Message::tool_result("c1", "ok", false),
        ],
    );
    assert_eq!(
        body("deepseek", &request)["messages"][1]["reasoning_content"],
        "hm"
    );
    assert_eq!(
        body("ollama", &request)["messages"][1].get("reasoning_content"),
        None
    );
}

#[test]
fn reasoning_details_are_sent_back_as_they_came() {
    let lines = r#"
        {"id":"c","model":"anthropic/claude-sonnet-5.5","choices":[{"delta":{"reasoning":"Let ","reasoning_details":[{"type":"reasoning.text","text":"Let ","index":0,"format":"anthropic-claude-v1"}]}}]}
        {"choices":[{"delta":{"reasoning":"me.","reasoning_details":[{"type":"reasoning.text","text":"me.","index":0}]}}]}
        {"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","index":0}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}],"reasoning_details":[{"type":"reasoning.encrypted","data":"c2Vh","id":"c1"},{"type":"reasoning.encrypted","data":"bGVk","id":"c2"}]}}]}
        {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let response = testing::collect(
        &protocol("openrouter"),
        PROVIDER,
        "anthropic/claude-sonnet-5.5",
        &sse(lines),
    );
    let mut messages = vec![Message::user("go"), response.message.clone()];
    messages.push(Message::tool_result("c1", "ok", false));
    let request = Request {
        tools: vec![tool()],
        ..Request::new("anthropic/claude-sonnet-5.5", messages)
    };
    let sent = body("openrouter", &request);
    expect![[r#"[{"type":"reasoning.text","text":"Let me.","index":0,"format":"anthropic-claude-v1","signature":"c2ln"},{"type":"reasoning.encrypted","data":"c2Vh","id":"c1"},{"type":"reasoning.encrypted","data":"bGVk","id":"c2"}]"#]]
    .assert_eq(&sent["messages"][1]["reasoning_details"].to_string());
}

#[test]
fn missing_usage_is_estimated_and_reasoning_counted_apart_is_added() {
    let lines =
        "{\"choices\":[{\"delta\":{\"content\":\"12345678\"},\"finish_reason\":\"stop\"}]}\n[DONE]";
    let usage = testing::collect(&protocol(""), PROVIDER, "m", &sse(lines)).usage;
    assert!(usage.estimated);
    assert_eq!(usage.output_tokens, 2);
    let apart = json!({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 12, "completion_tokens": 2, "total_tokens": 354, "completion_tokens_details": {"reasoning_tokens": 340}}});
    let usage = testing::decode(&protocol(""), PROVIDER, "m", &apart).usage;
    assert_eq!(
        (
            usage.output_tokens,
            usage.total_tokens(),
            usage.reasoning_tokens
        ),
        (342, 354, Some(340))
    );
}

#[test]
fn an_error_with_status_200_is_an_error() {
    check_stream(
        r#"{"error":{"message":"model not loaded","code":503}}"#,
        expect![[r#"
            error: server model not loaded (503)
        "#]],
    );
    check_stream(
        r#"{"error":"out of memory"}"#,
        expect![[r#"
        error: server out of memory
    "#]],
    );
}

#[test]
fn a_stream_without_its_last_line_is_complete_after_a_finish_reason() {
    let whole = r#"{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}"#;
    let (_, error) = testing::decode_stream(&protocol(""), PROVIDER, "m", &sse(whole));
    assert!(error.is_none());
    let (_, error) = testing::decode_stream(
        &protocol(""),
        PROVIDER,
        "m",
        &sse(r#"{"choices":[{"delta":{"content":"x"}}]}"#),
    );
    assert_eq!(error.unwrap().kind(), ErrorKind::Stream);
}

#[test]
fn a_call_at_the_output_limit_is_not_executable() {
    let lines = r#"
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":""}}]},"finish_reason":"length"}]}
        [DONE]"#;
    let response = testing::collect(&protocol(""), PROVIDER, "m", &sse(lines));
    assert!(response.message.tool_calls()[0].invalid.is_some());
}

#[test]
fn images_are_nested_urls_and_what_cannot_be_sent_is_a_warning() {
    let parts = vec![
        ContentPart::text("look"),
        ContentPart::Image(MediaContent::from_bytes("image/png", b"png")),
        ContentPart::Document(MediaContent::from_url(
            "application/pdf",
            "https://example.com/a.pdf",
        )),
    ];
    let request = Request::new("m", [Message::new(Role::User, parts)]);
    assert_eq!(
        body("", &request)["messages"][0]["content"][1],
        json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}})
    );
    assert_eq!(
        testing::warnings(&protocol(""), PROVIDER, &request),
        ["document"]
    );
}

#[test]
#[ignore = "needs ATTRACTOR_STREAMS"]
fn recorded_streams_give_the_same_events_at_every_cut() {
    for (name, text) in testing::recorded("vercel+ai/openai-compatible") {
        let stream = if name.ends_with(".chunks.txt") {
            sse(&text)
        } else {
            text
        };
        if !name.contains(".json") {
            testing::check_cuts(&protocol(""), PROVIDER, "m", &name, &stream);
        }
    }
}
