//! A conversation in the form every API accepts: turns that alternate, each tool call with exactly one result right
//! after it, in the order of the calls.

use crate::content::{ContentPart, ToolCallContent, ToolResultContent};
use crate::message::{Message, Role};
use crate::request::Request;
use crate::response::Warning;

/// A request's messages, put in order.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Conversation {
    /// The system prompt and the instructions before the first other message.
    pub(crate) instructions: Vec<String>,
    /// What follows.
    pub(crate) turns: Vec<Turn>,
    /// What had to be repaired.
    pub(crate) warnings: Vec<Warning>,
}

/// The parts of one or more messages of the same role.
#[derive(Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) role: TurnRole,
    pub(crate) parts: Vec<ContentPart>,
}

/// Who a turn is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TurnRole {
    /// Instructions in the middle of the conversation.
    System,
    /// The user, tool results first.
    User,
    /// The model.
    Assistant,
}

impl Conversation {
    /// Puts the messages of a request in order.
    pub(crate) fn of(request: &Request) -> Self {
        let mut conversation = Self::default();
        if !request.system_prompt.is_empty() {
            conversation
                .instructions
                .push(request.system_prompt.clone());
        }
        for message in &request.messages {
            conversation.add(message);
        }
        conversation.match_results();
        conversation.turns.retain(|turn| !turn.parts.is_empty());
        conversation.merge();
        conversation
    }

    fn add(&mut self, message: &Message) {
        let role = match message.role {
            Role::System | Role::Developer if self.turns.is_empty() => {
                self.instructions.push(message.text());
                return;
            }
            Role::System | Role::Developer => TurnRole::System,
            Role::User | Role::Tool => TurnRole::User,
            Role::Assistant => TurnRole::Assistant,
        };
        let is_empty = |part: &&ContentPart| matches!(part, ContentPart::Text(text) if text.text.is_empty() && text.state.is_none());
        let parts = message
            .content
            .iter()
            .filter(|part| !is_empty(part))
            .cloned()
            .collect();
        self.turns.push(Turn { role, parts });
        self.merge_last();
    }

    fn merge_last(&mut self) {
        let Some(last) = self.turns.pop() else { return };
        match self.turns.last_mut() {
            Some(previous) if previous.role == last.role => previous.parts.extend(last.parts),
            _ => self.turns.push(last),
        }
    }

    fn merge(&mut self) {
        for turn in std::mem::take(&mut self.turns) {
            self.turns.push(turn);
            self.merge_last();
        }
    }

    /// Gives each tool call its result in the turn after it, and drops results without a call.
    fn match_results(&mut self) {
        let mut results = self.take_results();
        let mut turns = Vec::with_capacity(self.turns.len());
        for (index, turn) in std::mem::take(&mut self.turns).into_iter().enumerate() {
            let calls: Vec<ToolCallContent> = match turn.role {
                TurnRole::Assistant => turn.parts.iter().filter_map(as_call).cloned().collect(),
                TurnRole::System | TurnRole::User => Vec::new(),
            };
            turns.push(turn);
            let mut answers = Vec::new();
            for call in calls {
                let answers_call = |(position, result): &(usize, ToolResultContent)| {
                    *position > index && result.tool_call_id == call.tool_call_id
                };
                let found = results
                    .iter()
                    .position(answers_call)
                    .map(|found| results.remove(found).1);
                let mut result = found.unwrap_or_else(|| self.missing(&call));
                result.tool_name.clone_from(&call.tool_name);
                answers.push(ContentPart::ToolResult(result));
            }
            if !answers.is_empty() {
                turns.push(Turn {
                    role: TurnRole::User,
                    parts: answers,
                });
            }
        }
        self.turns = turns;
        for (_, orphan) in results {
            let message = format!(
                "dropped the result of tool call `{}`, which no message contains",
                orphan.tool_call_id
            );
            self.warnings
                .push(Warning::new("orphan_tool_result", message));
        }
    }

    /// Takes all tool results out of the turns, each with the number of its turn.
    fn take_results(&mut self) -> Vec<(usize, ToolResultContent)> {
        let mut results = Vec::new();
        for (index, turn) in self.turns.iter_mut().enumerate() {
            for part in std::mem::take(&mut turn.parts) {
                match part {
                    ContentPart::ToolResult(result) => results.push((index, result)),
                    other => turn.parts.push(other),
                }
            }
        }
        results
    }

    fn missing(&mut self, call: &ToolCallContent) -> ToolResultContent {
        let message = format!(
            "tool call `{}` of `{}` has no result; sent an error in its place",
            call.tool_call_id, call.tool_name
        );
        self.warnings
            .push(Warning::new("missing_tool_result", message));
        let content = match &call.invalid {
            Some(invalid) => format!("error: the arguments are not valid JSON: {invalid}"),
            None => "error: the tool was not executed".to_owned(),
        };
        ToolResultContent {
            tool_call_id: call.tool_call_id.clone(),
            content,
            is_error: true,
            ..ToolResultContent::default()
        }
    }
}

fn as_call(part: &ContentPart) -> Option<&ToolCallContent> {
    match part {
        ContentPart::ToolCall(call) => Some(call),
        _ => None,
    }
}

/// An id of letters, digits, `_` and `-`, at most `max` long. The same id always gives the same result, and different
/// ids different ones.
pub(crate) fn legal_id(id: &str, max: usize) -> String {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if !id.is_empty() && id.len() <= max && id.bytes().all(is_legal) {
        return id.to_owned();
    }
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let kept = id
        .bytes()
        .filter(|byte| is_legal(*byte))
        .take(max.saturating_sub(17))
        .map(char::from);
    format!("{}_{hash:016x}", kept.collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    fn assistant_calls(ids: &[&str]) -> Message {
        let calls = ids
            .iter()
            .map(|id| ContentPart::ToolCall(ToolCallContent::parse(*id, "f", "{}")));
        Message::new(Role::Assistant, calls.collect())
    }

    fn check(messages: Vec<Message>, expect: Expect) {
        let conversation = Conversation::of(&Request::new("m", messages));
        let mut text = String::new();
        for turn in &conversation.turns {
            write!(text, "{:?}:", turn.role).unwrap();
            for part in &turn.parts {
                let shown = match part {
                    ContentPart::Text(text) => format!(" {:?}", text.text),
                    ContentPart::ToolCall(call) => format!(" call {}", call.tool_call_id),
                    ContentPart::ToolResult(result) => {
                        format!(
                            " result {} {:?}{}",
                            result.tool_call_id,
                            result.content,
                            if result.is_error { " error" } else { "" }
                        )
                    }
                    other => format!(" {}", other.kind()),
                };
                text.push_str(&shown);
            }
            text.push('\n');
        }
        for warning in &conversation.warnings {
            writeln!(text, "warning: {}", warning.message).unwrap();
        }
        expect.assert_eq(&text);
    }

    #[test]
    fn messages_of_the_same_role_are_merged() {
        check(
            vec![
                Message::user("a"),
                Message::user(""),
                Message::user("b"),
                Message::assistant("c"),
                Message::assistant("d"),
            ],
            expect![[r#"
                User: "a" "b"
                Assistant: "c" "d"
            "#]],
        );
    }

    #[test]
    fn results_come_first_and_in_the_order_of_the_calls() {
        check(
            vec![
                Message::user("go"),
                assistant_calls(&["1", "2"]),
                Message::user("hurry"),
                Message::tool_result("2", "two", false),
                Message::tool_result("1", "one", true),
            ],
            expect![[r#"
                User: "go"
                Assistant: call 1 call 2
                User: result 1 "one" error result 2 "two" "hurry"
            "#]],
        );
    }

    #[test]
    fn a_call_without_result_is_given_an_error_and_an_orphan_is_dropped() {
        check(
            vec![
                Message::user("go"),
                assistant_calls(&["1"]),
                Message::user("instead"),
                Message::tool_result("9", "nine", false),
            ],
            expect![[r#"
                User: "go"
                Assistant: call 1
                User: result 1 "error: the tool was not executed" error "instead"
                warning: tool call `1` of `f` has no result; sent an error in its place
                warning: dropped the result of tool call `9`, which no message contains
            "#]],
        );
    }

    #[test]
    fn leading_instructions_are_apart_from_later_ones() {
        let messages = vec![
            Message::system("one"),
            Message::user("a"),
            Message::system("two"),
        ];
        let conversation = Conversation::of(&Request {
            system_prompt: "zero".into(),
            ..Request::new("m", messages)
        });
        assert_eq!(conversation.instructions, ["zero", "one"]);
        assert_eq!(conversation.turns.last().unwrap().role, TurnRole::System);
    }

    #[test]
    fn ids_become_legal_and_stay_distinct() {
        assert_eq!(legal_id("toolu_01", 64), "toolu_01");
        let (one, other) = (legal_id("call|fc:1", 64), legal_id("call|fc.1", 64));
        assert_ne!(one, other);
        for id in [
            &one,
            &other,
            &legal_id(&"x".repeat(200), 64),
            &legal_id("", 64),
        ] {
            assert!(
                id.len() <= 64
                    && id
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)),
                "{id}"
            );
        }
    }
}
