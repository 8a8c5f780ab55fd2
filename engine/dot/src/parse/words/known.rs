//! What a reader of words has to know of a token, by its kind alone: a table, so that it costs no branch.

use super::word::WordKind;
use crate::TokenKind;

/// What a reader has to do at a token.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Step {
    /// An identifier may begin here, perhaps one of several tokens.
    Id,
    Bracket,
    Brace,
    /// Perhaps nothing the grammar sees.
    Look,
    /// Nothing but take it.
    Push,
}

/// What is known of a token by its kind alone.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) step: Step,
    /// What it is, alone.
    pub(super) word: WordKind,
}

impl Known {
    pub(super) fn of(kind: TokenKind) -> Self {
        #[expect(clippy::indexing_slicing, reason = "runs when this is compiled")]
        const TABLE: [Known; TokenKind::ALL.len()] = {
            let mut table = [Known::new(TokenKind::Unknown); TokenKind::ALL.len()];
            let mut at = 0;
            assert!(TokenKind::Unknown as usize + 1 == table.len());
            while at < table.len() {
                assert!(TokenKind::ALL[at] as usize == at, "kinds are in order");
                table[at] = Known::new(TokenKind::ALL[at]);
                at += 1;
            }
            table
        };
        let known = TABLE.get(kind as usize).copied();
        known.unwrap_or(const { Self::new(TokenKind::Unknown) })
    }

    const fn new(kind: TokenKind) -> Self {
        let step = match kind {
            kind if is_id_like(kind) => Step::Id,
            TokenKind::LeftBracket | TokenKind::RightBracket => Step::Bracket,
            TokenKind::LeftBrace | TokenKind::RightBrace => Step::Brace,
            TokenKind::UnclosedString => Step::Look,
            kind if kind.is_trivia() => Step::Look,
            _ => Step::Push,
        };
        Self {
            step,
            word: WordKind::of(kind),
        }
    }
}

/// Whether an identifier may begin with a token of this kind.
pub(super) const fn is_id_like(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Number
            | TokenKind::String
            | TokenKind::Html
            | TokenKind::Dot
            | TokenKind::Slash
    )
}
