//! Changes to a text, and the fixes and hints that carry them.

use crate::TextRange;

/// Replace the bytes of `range` by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub range: TextRange,
    /// What stands there afterwards.
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

/// An obvious repair a person can accept as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the repair does, in the imperative: "replace `--` by `->`".
    pub title: String,
    /// The edits, none overlapping another.
    pub edits: Vec<Edit>,
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
