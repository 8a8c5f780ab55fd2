//! A function call whose arguments are still arriving.

use serde_json::{Map, Value};

use super::partial_arguments::PartialArguments;
use crate::content::ToolCallContent;

/// A call that has begun.
#[derive(Debug)]
pub(super) struct OpenCall {
    /// The number of its part.
    pub(super) part: usize,
    id: String,
    name: String,
    /// The part it began with, which holds the signature.
    first: Value,
    arguments: PartialArguments,
}

impl OpenCall {
    /// A call that begins with `part`.
    pub(super) fn new(number: usize, id: String, name: &str, part: &Value) -> Self {
        let call = part.get("functionCall");
        let mut open = Self {
            part: number,
            id,
            name: name.to_owned(),
            first: part.clone(),
            arguments: PartialArguments::new(call.and_then(|call| call.get("args"))),
        };
        if let Some(call) = call {
            open.add(call);
        }
        open
    }

    /// Whether a call has more pieces after this one.
    pub(super) fn continues(call: &Value) -> bool {
        let flag = call.get("willContinue").and_then(Value::as_bool);
        flag.unwrap_or_default()
    }

    /// Takes the pieces of one `functionCall`.
    pub(super) fn add(&mut self, call: &Value) {
        let pieces = call.get("partialArgs").and_then(Value::as_array);
        for piece in pieces.into_iter().flatten() {
            self.arguments.add(piece);
        }
    }

    /// The call as it begins, without arguments.
    pub(super) fn start(&self) -> ToolCallContent {
        ToolCallContent {
            arguments: Map::new(),
            arguments_json: String::new(),
            ..ToolCallContent::parse(&self.id, &self.name, "")
        }
    }

    /// The call, and the part to repeat in later requests: as if it had arrived whole.
    pub(super) fn finish(self, is_complete: bool) -> (ToolCallContent, Value) {
        let (arguments, problem) = self.arguments.finish();
        let mut call = ToolCallContent::parse(&self.id, &self.name, arguments.to_string());
        let incomplete = || "the answer ended before the arguments were complete".to_owned();
        let problem = problem.or_else(|| (!is_complete).then(incomplete));
        call.invalid = call.invalid.or(problem);
        let mut part = self.first;
        if let Some(Value::Object(fields)) = part.get_mut("functionCall") {
            for partial in ["partialArgs", "willContinue"] {
                fields.shift_remove(partial);
            }
            if !fields.contains_key("args") && arguments == Value::Object(Map::new()) {
                return (call, part);
            }
            fields.insert("args".to_owned(), arguments);
        }
        (call, part)
    }
}
