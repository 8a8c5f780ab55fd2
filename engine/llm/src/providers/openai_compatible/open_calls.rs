//! The tool calls of a stream in progress: which call a delta belongs to.

use serde_json::{Value, json};

use super::wire::ToolCallDelta;
use crate::content::{ProviderState, ToolCallContent};

/// What the server sent with a call and wants to see again, such as the signature of Gemini's thoughts.
pub(super) const EXTRA_CONTENT: &str = "extra_content";

/// The calls of one stream, in the order in which they began.
#[derive(Default)]
pub(super) struct OpenCalls(Vec<OpenCall>);

/// A call in progress.
pub(super) struct OpenCall {
    index: usize,
    pub(super) part: usize,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) json: String,
    extra: Option<Value>,
}

/// The place of a delta among those of its chunk.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) position: usize,
    pub(super) count: usize,
}

impl OpenCalls {
    /// The place of the call that a delta continues; none if it begins one. Calls are distinguished by their index, by their id where
    /// a server gives all of them the same index, and servers that send neither send one whole call at a time.
    pub(super) fn find(&self, delta: &ToolCallDelta, place: Place) -> Option<usize> {
        let has_name = delta.has_name();
        let Some(index) = delta.index else {
            let is_first = place.position >= self.0.len();
            let begins = has_name && (place.count == 1 || place.position > 0 || is_first);
            return self.0.len().checked_sub(1).filter(|_| !begins);
        };
        let found = self.0.iter().rposition(|open| open.index == index)?;
        let open = self.0.get(found)?;
        let is_another = has_name && delta.id().is_some_and(|id| id != open.id);
        (!is_another).then_some(found)
    }

    /// The call at a place.
    pub(super) fn get_mut(&mut self, place: usize) -> Option<&mut OpenCall> {
        self.0.get_mut(place)
    }

    /// Begins a call, at the last place.
    pub(super) fn begin(
        &mut self,
        delta: &ToolCallDelta,
        part: usize,
        answer: &str,
    ) -> ToolCallContent {
        let index = delta.index.unwrap_or(self.0.len());
        let id = delta.id().map(str::to_owned);
        let id = id.unwrap_or_else(|| format!("call_{answer}_{index}"));
        let name = delta.function.name.clone().unwrap_or_default();
        let begun = ToolCallContent::parse(id.as_str(), name.as_str(), "");
        self.0.push(OpenCall {
            index,
            part,
            id,
            name,
            json: String::new(),
            extra: None,
        });
        begun
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }
}

impl IntoIterator for OpenCalls {
    type Item = OpenCall;
    type IntoIter = std::vec::IntoIter<OpenCall>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl OpenCall {
    /// Adds arguments, and what the server wants to see again.
    pub(super) fn add(&mut self, json: &str, extra: Option<Value>) {
        self.json.push_str(json);
        self.extra = extra.or(self.extra.take());
    }

    /// The complete call.
    pub(super) fn complete(self, state: impl FnOnce(Value) -> ProviderState) -> ToolCallContent {
        ToolCallContent {
            state: self.extra.map(|extra| state(json!({EXTRA_CONTENT: extra}))),
            ..ToolCallContent::parse(self.id, self.name, self.json)
        }
    }
}

impl ToolCallDelta {
    fn id(&self) -> Option<&str> {
        self.id.as_deref().filter(|id| !id.is_empty())
    }

    fn has_name(&self) -> bool {
        let name = self.function.name.as_deref();
        name.is_some_and(|name| !name.is_empty())
    }
}
