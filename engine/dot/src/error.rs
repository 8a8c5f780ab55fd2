//! What can be wrong with a text. How it is said is in one place, `error/wording.rs`.

mod sink;
mod wording;

use std::fmt;

pub(crate) use sink::{BrokenRange, ErrorSink};
pub(crate) use wording::*;

use crate::{Applicability, Edit, Fix, Related, TextRange};

/// One error of one place, for the person who typed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    /// Which error.
    pub code: SyntaxCode,
    /// What was found, what is missing, what to do.
    pub message: String,
    /// Where, as narrow as it helps.
    pub range: TextRange,
    /// Places that explain it.
    pub related: Vec<Related>,
    /// Repairs, the likeliest first.
    pub fixes: Vec<Fix>,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxCode {
    /// A `"` that is never closed.
    UnclosedString,
    /// A `"` inside a string, not escaped.
    BareQuote,
    /// A `<` that is never closed.
    UnclosedHtml,
    /// A `/*` that is never closed.
    UnclosedComment,
    /// A `[` that is never closed.
    UnclosedBracket,
    /// A `{` that is never closed.
    UnclosedBrace,
    /// A `]` or `}` that closes nothing.
    StrayCloser,
    /// `--` in a digraph, `->` in a graph, `-`, `=>`.
    WrongEdgeOperator,
    /// An edge that leads nowhere or comes from nowhere.
    MissingEdgeEnd,
    /// `key=` or `key` alone in a list.
    MissingValue,
    /// `=value`
    MissingKey,
    /// A keyword where a name belongs.
    KeywordAsId,
    /// A name or value that must be quoted.
    NeedsQuotes,
    /// A separator where none belongs.
    StraySeparator,
    /// `node` or `edge` without a list; a subgraph without braces.
    Incomplete,
    /// Text outside a graph, or no graph at all.
    OutsideGraph,
    /// Anything else that does not belong.
    Unexpected,
    /// More nesting, or more text, than can be read.
    TooLarge,
}

impl SyntaxError {
    pub(crate) fn new(code: SyntaxCode, range: TextRange, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            range,
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    #[must_use]
    pub(crate) fn related(mut self, range: TextRange, message: impl Into<String>) -> Self {
        self.related.push(Related {
            range,
            message: message.into(),
        });
        self
    }

    #[must_use]
    pub(crate) fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fixes.push(Fix::new(title, edits));
        self
    }

    /// The message with its last fix made [safe](Applicability::Safe) to apply unasked.
    #[must_use]
    pub(crate) fn safe(self) -> Self {
        self.applicable(Applicability::Safe)
    }

    /// The message with its last fix as the single plausible one.
    #[must_use]
    pub(crate) fn preferred(self) -> Self {
        self.applicable(Applicability::Preferred)
    }

    fn applicable(mut self, applicability: Applicability) -> Self {
        if let Some(last) = self.fixes.last_mut() {
            last.applicability = applicability;
        }
        self
    }
}

impl SyntaxCode {
    /// A stable name, in kebab case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnclosedString => "unclosed-string",
            Self::BareQuote => "bare-quote",
            Self::UnclosedHtml => "unclosed-html",
            Self::UnclosedComment => "unclosed-comment",
            Self::UnclosedBracket => "unclosed-bracket",
            Self::UnclosedBrace => "unclosed-brace",
            Self::StrayCloser => "stray-closer",
            Self::WrongEdgeOperator => "wrong-edge-operator",
            Self::MissingEdgeEnd => "missing-edge-end",
            Self::MissingValue => "missing-value",
            Self::MissingKey => "missing-key",
            Self::KeywordAsId => "keyword-as-id",
            Self::NeedsQuotes => "needs-quotes",
            Self::StraySeparator => "stray-separator",
            Self::Incomplete => "incomplete",
            Self::OutsideGraph => "outside-graph",
            Self::Unexpected => "unexpected",
            Self::TooLarge => "too-large",
        }
    }
}

impl fmt::Display for SyntaxCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
