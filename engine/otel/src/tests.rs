//! Events of a run, and the spans they become.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use attractor_run::Event;
use expect_test::{Expect, expect};
use opentelemetry::trace::{SpanId, Status};
use opentelemetry_sdk::trace::SpanData;
use serde_json::{Value, json};

use crate::trace::Trace;

/// The spans of events that are a second apart, as a tree: `NAME START-END status {attributes}`.
fn check(events: &[Value], expected: &Expect) {
    let mut trace = Trace::default();
    let mut spans = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let mut event = event.clone();
        event["run"] = "01JE0000000000000000000000".into();
        event["seq"] = (index + 1).into();
        event["time"] = format!("1970-01-01T00:00:{index:02}Z").into();
        let event: Event = serde_json::from_value(event).unwrap();
        spans.extend(trace.apply(&event));
    }
    assert!(trace.close().is_empty(), "all spans have ended");
    let mut tree = String::new();
    draw(&spans, SpanId::INVALID, 0, &mut tree);
    assert_eq!(tree.lines().count(), spans.len(), "every span has a parent");
    expected.assert_eq(&tree);
}

fn draw(spans: &[SpanData], parent: SpanId, depth: usize, tree: &mut String) {
    let mut children: Vec<&SpanData> = spans
        .iter()
        .filter(|span| span.parent_span_id == parent)
        .collect();
    children.sort_by_key(|span| (span.start_time, span.name.clone()));
    for span in children {
        let second = |time: SystemTime| {
            let since = time.duration_since(SystemTime::UNIX_EPOCH);
            since.as_ref().map_or(0, Duration::as_secs)
        };
        let status = match &span.status {
            Status::Error { description } => format!(" error({description})"),
            _ => String::new(),
        };
        let shown = span.attributes.iter().filter(|one| {
            let hidden = [
                "attractor.node.",
                "gen_ai.operation.name",
                "attractor.run.id",
            ];
            !hidden.iter().any(|name| one.key.as_str().starts_with(name))
        });
        let shown: Vec<String> = shown
            .map(|one| format!("{}={}", one.key, one.value))
            .collect();
        writeln!(
            tree,
            "{}{} {}-{}{status} {{{}}}",
            "  ".repeat(depth),
            span.name,
            second(span.start_time),
            second(span.end_time),
            shown.join(", ")
        )
        .unwrap();
        draw(spans, span.span_context.span_id(), depth + 1, tree);
    }
}

fn started() -> Value {
    json!({"type": "pipeline_started", "pipeline": "p", "nodes": 3, "start": "s"})
}

fn stage(node: &str, kind: &str, attempt: u32) -> Value {
    json!({"type": "stage_started", "node": node, "visit": 1, "attempt": attempt, "kind": kind, "label": node})
}

fn completed(node: &str, attempt: u32, more: &Value) -> Value {
    let mut event = json!({"type": "stage_completed", "node": node, "visit": 1, "attempt": attempt, "status": "success", "duration_ms": 1});
    for (key, value) in more.as_object().into_iter().flatten() {
        event[key] = value.clone();
    }
    event
}

fn end() -> Value {
    json!({"type": "pipeline_completed", "steps": 3, "duration_ms": 1, "usage": {"input_tokens": 12, "output_tokens": 3, "cost": 0.5}})
}

#[test]
fn agent_with_tools_and_a_retry() {
    let at = |mut event: Value| {
        event["node"] = "fix".into();
        event["visit"] = 1.into();
        event["attempt"] = 2.into();
        event
    };
    check(
        &[
            started(),
            stage("fix", "codergen", 1),
            json!({"type": "stage_failed", "node": "fix", "visit": 1, "attempt": 1, "reason": "overloaded", "class": "transient_infra", "will_retry": true, "duration_ms": 1,
                   "model": {"backend": "native", "provider": "anthropic", "model": "claude", "category": "rate_limit", "status": 429}}),
            stage("fix", "codergen", 2),
            at(
                json!({"type": "agent.tool_call_start", "tool_name": "shell", "tool_call_id": "c1", "arguments": {}}),
            ),
            at(
                json!({"type": "agent.tool_call_start", "tool_name": "grep", "tool_call_id": "c2", "arguments": {}}),
            ),
            at(
                json!({"type": "agent.tool_call_end", "tool_name": "shell", "tool_call_id": "c1", "output": "", "is_error": true}),
            ),
            at(
                json!({"type": "agent.tool_call_end", "tool_name": "grep", "tool_call_id": "c2", "output": "", "is_error": false}),
            ),
            at(
                json!({"type": "agent.model_call", "provider": "gemini", "model": "gemini-3", "duration_ms": 1000, "finish_reason": "stop",
                       "usage": {"input_tokens": 12, "output_tokens": 3, "cost": 0.5}}),
            ),
            // An answer of the model cannot have begun before the attempt.
            at(
                json!({"type": "agent.model_call", "provider": "gemini", "model": "gemini-3", "duration_ms": 60_000, "finish_reason": "length", "usage": {}}),
            ),
            completed(
                "fix",
                2,
                &json!({
                    "usage": {"input_tokens": 12, "output_tokens": 3, "cache_read_tokens": 4, "cost": 0.5},
                    "model": {"backend": "native", "provider": "gemini", "model": "gemini-3", "finish_reason": "stop", "response_id": "r1"}
                }),
            ),
            end(),
        ],
        &expect![[r#"
            invoke_workflow p 0-11 {gen_ai.workflow.name=p, attractor.run.status=success, gen_ai.usage.input_tokens=12, gen_ai.usage.output_tokens=3, attractor.usage.cost_usd=0.5}
              node fix 1-10 {}
                attempt 1 of fix 1-2 error(overloaded) {error.type=transient_infra}
                  invoke_agent fix 1-2 error(overloaded) {gen_ai.agent.name=fix, attractor.backend=native, gen_ai.provider.name=anthropic, gen_ai.request.model=claude, gen_ai.response.model=claude, http.response.status_code=429, error.type=rate_limit}
                attempt 2 of fix 3-10 {}
                  invoke_agent fix 3-10 {gen_ai.agent.name=fix, attractor.backend=native, gen_ai.provider.name=gcp.gemini, gen_ai.request.model=gemini-3, gen_ai.response.model=gemini-3, gen_ai.response.id=r1, gen_ai.response.finish_reasons=["stop"], gen_ai.usage.input_tokens=12, gen_ai.usage.output_tokens=3, gen_ai.usage.cache_read.input_tokens=4, attractor.usage.cost_usd=0.5}
                    chat gemini-3 3-9 {gen_ai.provider.name=gcp.gemini, gen_ai.request.model=gemini-3, gen_ai.response.model=gemini-3, gen_ai.response.finish_reasons=["length"]}
                    execute_tool shell 4-6 error(the tool reported an error) {gen_ai.tool.name=shell, gen_ai.tool.call.id=c1, gen_ai.tool.type=function, error.type=_OTHER}
                    execute_tool grep 5-7 {gen_ai.tool.name=grep, gen_ai.tool.call.id=c2, gen_ai.tool.type=function}
                    chat gemini-3 7-8 {gen_ai.provider.name=gcp.gemini, gen_ai.request.model=gemini-3, gen_ai.response.model=gemini-3, gen_ai.response.finish_reasons=["stop"], gen_ai.usage.input_tokens=12, gen_ai.usage.output_tokens=3, attractor.usage.cost_usd=0.5}
        "#]],
    );
}

#[test]
fn branches_and_sub_pipelines_are_inside_their_nodes() {
    let placed = |mut event: Value, graph: Option<&str>, branch: Option<&str>| {
        for (name, place) in [("graph", graph), ("branch", branch)] {
            if let Some(place) = place {
                event[name] = place.into();
            }
        }
        event
    };
    let a = |event| placed(event, None, Some("a"));
    let inner = |event| placed(event, Some("child"), Some("b"));
    let b = |event| placed(event, None, Some("b"));
    let begins = |name: &str| json!({"type": "parallel_branch_started", "node": "f", "visit": 1, "attempt": 1, "name": name, "index": 0});
    check(
        &[
            started(),
            stage("f", "parallel", 1),
            begins("a"),
            begins("b"),
            a(stage("a", "tool", 1)),
            b(stage("b", "pipeline", 1)),
            inner(stage("s", "prompt", 1)),
            inner(completed(
                "s",
                1,
                &json!({"model": {"backend": "simulate", "simulated": "no key"}}),
            )),
            b(completed("b", 1, &json!({}))),
            a(completed("a", 1, &json!({}))),
            completed("f", 1, &json!({})),
            end(),
        ],
        &expect![[r#"
            invoke_workflow p 0-11 {gen_ai.workflow.name=p, attractor.run.status=success, gen_ai.usage.input_tokens=12, gen_ai.usage.output_tokens=3, attractor.usage.cost_usd=0.5}
              node f 1-10 {}
                attempt 1 of f 1-10 {}
                node a 4-9 {}
                  attempt 1 of a 4-9 {}
                node b 5-8 {}
                  attempt 1 of b 5-8 {}
                  node s 6-7 {}
                    attempt 1 of s 6-7 {}
                      chat 6-7 {attractor.backend=simulate, attractor.simulated=true}
        "#]],
    );
}

#[test]
fn what_a_killed_process_left_open_ends_with_the_resume() {
    check(
        &[
            started(),
            stage("t", "tool", 1),
            json!({"type": "pipeline_resumed"}),
            stage("t", "tool", 1),
            json!({"type": "pipeline_failed", "failure": {"node": "t", "reason": "exit code 1", "class": "deterministic"}, "steps": 1, "duration_ms": 1}),
        ],
        &expect![[r#"
            invoke_workflow p 0-1 error(the process ended) {gen_ai.workflow.name=p}
              node t 1-1 error(stopped) {}
                attempt 1 of t 1-1 error(stopped) {}
            invoke_workflow p 2-4 error(exit code 1) {gen_ai.workflow.name=p, attractor.run.status=fail, error.type=deterministic}
              node t 3-4 error(stopped) {}
                attempt 1 of t 3-4 error(stopped) {}
        "#]],
    );
}
