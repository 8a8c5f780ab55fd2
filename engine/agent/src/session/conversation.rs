//! The messages of a session. Every tool call has its result right after it, also when the work was cut short.

use std::collections::HashSet;

use attractor_llm::{ContentPart, Message, Role, ToolCallContent, ToolResultContent};

/// Gives each tool call without a result an error as its result, in one message after the calls. Gives their number.
pub(super) fn repair(messages: &mut Vec<Message>, reason: &str) -> usize {
    let answered: HashSet<String> = messages
        .iter()
        .flat_map(results)
        .map(|result| result.tool_call_id.clone())
        .collect();
    let mut repaired = 0;
    let mut whole = Vec::with_capacity(messages.len());
    let mut waiting: Vec<ContentPart> = Vec::new();
    for message in messages.drain(..) {
        let is_result = results(&message).next().is_some();
        if !is_result && !waiting.is_empty() {
            add_results(&mut whole, std::mem::take(&mut waiting));
        }
        let orphans = message.tool_calls().into_iter();
        let orphans = orphans.filter(|call| !answered.contains(&call.tool_call_id));
        let errors = orphans.map(|call| ContentPart::ToolResult(missing(call, reason)));
        let before = waiting.len();
        waiting.extend(errors);
        repaired += waiting.len() - before;
        whole.push(message);
    }
    if !waiting.is_empty() {
        add_results(&mut whole, waiting);
    }
    *messages = whole;
    repaired
}

/// The calls of the last answer of the model that have no result.
pub(super) fn unanswered(messages: &[Message]) -> Vec<ToolCallContent> {
    let last = messages
        .iter()
        .rposition(|message| message.role == Role::Assistant);
    let Some((answer, after)) = last.and_then(|at| messages.get(at..)?.split_first()) else {
        return Vec::new();
    };
    let has_result = |call: &&ToolCallContent| {
        let mut results = after.iter().flat_map(results);
        results.any(|result| result.tool_call_id == call.tool_call_id)
    };
    let calls = answer.tool_calls().into_iter();
    calls.filter(|call| !has_result(call)).cloned().collect()
}

/// Adds results to the message of results at the end, or as one of their own.
fn add_results(messages: &mut Vec<Message>, parts: Vec<ContentPart>) {
    match messages.last_mut() {
        Some(last) if last.role == Role::Tool => last.content.extend(parts),
        _ => messages.push(Message::new(Role::Tool, parts)),
    }
}

fn results(message: &Message) -> impl Iterator<Item = &ToolResultContent> {
    message.content.iter().filter_map(|part| match part {
        ContentPart::ToolResult(result) => Some(result),
        _ => None,
    })
}

fn missing(call: &ToolCallContent, reason: &str) -> ToolResultContent {
    ToolResultContent {
        tool_call_id: call.tool_call_id.clone(),
        tool_name: call.tool_name.clone(),
        content: format!("error: {reason}"),
        is_error: true,
        ..ToolResultContent::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(ids: &[&str]) -> Message {
        let calls = ids
            .iter()
            .map(|id| ContentPart::ToolCall(ToolCallContent::parse(*id, "t", "{}")));
        Message::new(Role::Assistant, calls.collect())
    }

    fn drawn(messages: &[Message]) -> String {
        let parts = messages.iter().map(|message| {
            let parts = message.content.iter().map(|part| match part {
                ContentPart::ToolCall(call) => format!("call {}", call.tool_call_id),
                ContentPart::ToolResult(result) => {
                    format!("result {} {:?}", result.tool_call_id, result.content)
                }
                _ => message.text(),
            });
            parts.collect::<Vec<_>>().join(", ")
        });
        parts.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn every_call_without_result_gets_an_error_after_it() {
        let result = |id| Message::tool_result(id, "ok", false);
        let cases = [
            vec![calls(&["1", "2"]), result("1")],
            vec![calls(&["1"]), Message::user("stop"), calls(&["2"])],
            vec![calls(&["1"]), result("1"), Message::assistant("done")],
        ];
        let lines = cases.map(|mut messages| {
            repair(&mut messages, "interrupted");
            drawn(&messages)
        });
        expect_test::expect![[r#"
            call 1, call 2 | result 1 "ok", result 2 "error: interrupted"
            call 1 | result 1 "error: interrupted" | stop | call 2 | result 2 "error: interrupted"
            call 1 | result 1 "ok" | done"#]]
        .assert_eq(&lines.join("\n"));
    }
}
