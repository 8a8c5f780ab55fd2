//! Errors of the languages inside strings.
//!
//! A [`LangError`] points at bytes of the *decoded* text; the owner of the DOT string maps the
//! range back to the file. It never knows a file or a lint rule.

use std::ops::Range;

/// An error in one of the small languages, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LangError {
    /// Byte range in the decoded text; may be empty where something is missing.
    pub range: Range<usize>,
    /// What was found, what was expected, what to do.
    pub message: String,
    /// A change that would fix it, when there is one obvious change.
    pub fix: Option<LangFix>,
}

/// One replacement that fixes a [`LangError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LangFix {
    /// What the change does, as the title of a quick fix.
    pub title: String,
    /// Byte range in the decoded text.
    pub range: Range<usize>,
    /// The decoded text to put there.
    pub text: String,
}

impl LangError {
    /// An error at `range` without an obvious fix.
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            range,
            message: message.into(),
            fix: None,
        }
    }

    /// The same error with a fix that replaces `range` by `text`.
    #[must_use]
    pub fn with_fix(
        mut self,
        title: impl Into<String>,
        range: Range<usize>,
        text: impl Into<String>,
    ) -> Self {
        self.fix = Some(LangFix {
            title: title.into(),
            range,
            text: text.into(),
        });
        self
    }
}
