//! What an entry is made of.

use serde::{Deserialize, Serialize};

use super::text::{one_line, split_headline};
use crate::event::NodeAttempt;

/// An event as a transcript shows it. Neither `text` nor a line contains a line break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct TranscriptEntry {
    /// What it shows.
    pub kind: EntryKind,
    /// The sign before the text; before each line of an output.
    pub glyph: char,
    /// What it means.
    pub role: EntryRole,
    /// The node it is about, `GRAPH/NODE` in a sub-pipeline; the one that a transition leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The tool of a call; `text` follows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What happened, in a line, without the node. Empty for an output: that is the `text` of its event.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What follows below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<EntryLine>,
}

/// A line below the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct EntryLine {
    /// What it means.
    pub role: EntryRole,
    /// The line, with the sign of a difference: `+ x`.
    pub text: String,
}

/// What an entry shows, for its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntryKind {
    /// Something that happened to the run or to a node.
    Line,
    /// A way that was chosen.
    Transition,
    /// A piece of what a step wrote; successive pieces continue each other.
    Output,
    /// A tool call of an agent.
    ToolCall,
    /// What a tool call gave.
    ToolResult,
    /// A call of a model by an agent.
    ModelCall,
    /// A question to people, in Markdown.
    Question,
}

/// What an entry or a line means, for its color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntryRole {
    /// Nothing in particular.
    Plain,
    /// Something begins.
    Start,
    /// Something succeeded.
    Success,
    /// Something failed.
    Failure,
    /// Someone should look.
    Attention,
    /// Someone said something: an answer, a message.
    Dialogue,
    /// What a command or a tool wrote.
    Output,
    /// What a model thought.
    Thinking,
    /// A line that was added.
    Added,
    /// A line that was removed.
    Removed,
    /// The answers that can be chosen.
    Choices,
    /// How much is left out.
    More,
}

impl EntryLine {
    pub(super) fn new(role: EntryRole, text: &str) -> Self {
        let text = one_line(text);
        Self { role, text }
    }
}

impl TranscriptEntry {
    /// An entry of a line; line breaks of `text` become spaces.
    pub(super) fn new(kind: EntryKind, glyph: char, role: EntryRole, text: &str) -> Self {
        Self {
            kind,
            glyph,
            role,
            node: None,
            tool: None,
            text: one_line(text),
            lines: Vec::new(),
        }
    }

    /// Something that happened.
    pub(super) fn line(glyph: char, role: EntryRole, text: &str) -> Self {
        Self::new(EntryKind::Line, glyph, role, text)
    }

    /// The same, of a node.
    #[must_use]
    pub(super) fn at(self, at: &NodeAttempt) -> Self {
        self.of_node(at.graph.as_deref(), &at.node)
    }

    /// The same, of a node of a sub-pipeline, or of the pipeline itself.
    #[must_use]
    pub(super) fn of_node(self, graph: Option<&str>, node: &str) -> Self {
        let name = match graph {
            Some(graph) => format!("{graph}/{node}"),
            None => node.to_owned(),
        };
        let node = Some(one_line(&name));
        Self { node, ..self }
    }

    /// The same with further lines.
    #[must_use]
    pub(super) fn with(mut self, lines: impl IntoIterator<Item = EntryLine>) -> Self {
        self.lines.extend(lines);
        self
    }

    /// The same with the lines of a text below it.
    #[must_use]
    pub(super) fn with_text(self, role: EntryRole, text: &str) -> Self {
        let text = text.trim_end();
        self.with(text.lines().map(|line| EntryLine::new(role, line)))
    }

    /// The same with the first line of a text and facts in its own, and the rest of the text below.
    #[must_use]
    pub(super) fn with_headline(self, text: &str, facts: &[String]) -> Self {
        let (first, rest) = split_headline(text);
        let parts = [self.text.as_str(), first]
            .into_iter()
            .filter(|part| !part.is_empty());
        let head = parts.collect::<Vec<_>>().join(": ");
        let parts = std::iter::once(head.as_str()).chain(facts.iter().map(String::as_str));
        let text: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let text = one_line(&text.join(" · "));
        Self { text, ..self }.with_text(EntryRole::Plain, rest)
    }
}
