//! A word: a token as the grammar sees it.

use crate::ast::IdKind;
use crate::{TextRange, TokenKind};

/// A kind and where it stands. Words that recovery made up have an empty range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::parse) struct Word {
    pub(in crate::parse) kind: WordKind,
    pub(in crate::parse) range: TextRange,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::parse) enum WordKind {
    /// An identifier.
    Id(IdKind),
    /// `human.default_choice` where a `=` may follow.
    Key,
    /// `build-app`: a glued run that is an identifier only behind a `=`, and must be quoted elsewhere.
    Odd,
    /// Made up by recovery where an identifier or a subgraph is missing.
    Missing,
    /// Made up by recovery where a subgraph lacks its braces.
    NoBody,
    /// A parsed block; the builder holds it under this range.
    Body,
    /// `->` and `--`; which of the two is right is checked for the whole graph.
    Operator { directed: bool },
    /// Any other token.
    Token(TokenKind),
}

impl WordKind {
    /// What a token of this kind is, alone.
    pub(super) const fn of(kind: TokenKind) -> Self {
        match kind {
            TokenKind::Name => Self::Id(IdKind::Bare),
            TokenKind::Number => Self::Id(IdKind::Numeral),
            TokenKind::String | TokenKind::UnclosedString => Self::Id(IdKind::Quoted),
            TokenKind::Html | TokenKind::UnclosedHtml => Self::Id(IdKind::Html),
            TokenKind::Arrow => Self::Operator { directed: true },
            TokenKind::Line => Self::Operator { directed: false },
            kind => Self::Token(kind),
        }
    }
}

impl Word {
    pub(in crate::parse) fn new(kind: WordKind, range: TextRange) -> Self {
        Self { kind, range }
    }

    pub(in crate::parse) fn is(self, kind: TokenKind) -> bool {
        self.kind == WordKind::Token(kind)
    }
}
