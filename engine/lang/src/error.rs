//! What a language inside a string says about a mistake.
//!
//! A [`LangError`] points at bytes of the *decoded* text; whoever knows the DOT string around it maps the
//! range back to the file. It never knows a file or a lint rule.

use std::ops::Range;

/// A mistake in one of the small languages, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LangError {
    /// Byte range in the decoded text; may be empty where something is missing.
    pub range: Range<usize>,
    /// What was found, what was expected, what to do.
    pub message: String,
    /// A change that would mend it, when there is one obvious change.
    pub fix: Option<LangFix>,
}

/// One replacement that mends a [`LangError`].
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
    /// A mistake at `range` without an obvious fix.
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            range,
            message: message.into(),
            fix: None,
        }
    }

    /// The same mistake with a fix that replaces `range` by `text`.
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
