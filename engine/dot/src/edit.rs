//! Changes to a text, and the fixes and hints that carry them.

use crate::TextRange;

/// Replace the bytes of `range` by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub range: TextRange,
    /// What is there afterwards.
    pub text: String,
}

impl Edit {
    /// Replace `range` by `text`.
    pub fn replace(range: TextRange, text: impl Into<String>) -> Self {
        Self {
            range,
            text: text.into(),
        }
    }

    /// Insert `text` at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self::replace(TextRange::empty(offset), text)
    }

    /// Delete `range`.
    pub fn delete(range: TextRange) -> Self {
        Self::replace(range, "")
    }
}

/// A repair a person can accept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the repair does, in the imperative: "replace `--` by `->`".
    pub title: String,
    /// The edits, none overlapping another.
    pub edits: Vec<Edit>,
    /// Who may apply it.
    pub applicability: Applicability,
}

/// Who may apply a fix: a tool by itself, or a person who has read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// Corrects spelling, quoting or an operator, or removes an exact duplicate. The text then says what every reader
    /// took it to say, so tools apply it unasked ("fix all", fix on save).
    Safe,
    /// The single plausible reading, but it changes what a run does: offered first, applied only when chosen.
    Preferred,
    /// One of several interpretations, or a change that needs a decision: applied only when chosen.
    Suggested,
}

impl Fix {
    /// A fix that is only suggested.
    pub fn new(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self {
            title: title.into(),
            edits,
            applicability: Applicability::Suggested,
        }
    }

    /// The same fix for other hands.
    #[must_use]
    pub fn with(self, applicability: Applicability) -> Self {
        Self {
            applicability,
            ..self
        }
    }

    /// The same fix, [safe](Applicability::Safe) to apply unasked.
    #[must_use]
    pub fn safe(self) -> Self {
        self.with(Applicability::Safe)
    }

    /// The same fix as the single plausible one, [preferred](Applicability::Preferred).
    #[must_use]
    pub fn preferred(self) -> Self {
        self.with(Applicability::Preferred)
    }
}

/// Another place that explains a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where to look.
    pub range: TextRange,
    /// What is to be seen there.
    pub message: String,
}

/// The text after `edits`, which may come in any order. An edit that overlaps an earlier one is left out.
///
/// ```
/// use attractor_dot::{Edit, TextRange, apply};
/// let edits = [Edit::insert(6, ";"), Edit::replace(TextRange::new(2, 4), "->")];
/// assert_eq!(apply("a -- b", &edits), "a -> b;");
/// ```
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.range);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in sorted {
        if edit.range.start() < done {
            continue;
        }
        out.push_str(TextRange::new(done, edit.range.start()).text(text));
        out.push_str(&edit.text);
        done = edit.range.end();
    }
    out.push_str(TextRange::new(done, text.len()).text(text));
    out
}
