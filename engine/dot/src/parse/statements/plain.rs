//! What nearly every statement consists of, read with one look ahead.
//!
//! ```text
//! input:   a -> b [x=1, y=2]
//! plain:   a    b  x=1, y=2     the nodes, and each pair with its separator
//! ```
//!
//! Each alternative here accepts a part of what the grammar accepts after it, with the same result: what is neither
//! sound nor simple is left to the grammar. Without them parsing a generated pipeline takes half as long again.

use smallvec::smallvec;

use super::input::Recovery;
use crate::TokenKind;
use crate::ast::{Attr, EdgeEnd, Id, NodeRef};
use crate::parse::statement_tokens::{Word, WordKind};

impl Recovery<'_, '_, '_, '_> {
    /// Pairs `key=value` with their separators, as many as follow, put into the pairs of the state.
    #[inline]
    pub(super) fn plain_pairs(&mut self) -> Option<()> {
        let words = self.next();
        let mut taken = 0;
        while let Some((pair, length)) = words.get(taken..).and_then(plain_pair) {
            self.state().pairs.push(pair);
            taken += length;
        }
        self.keep_words(taken);
        (taken > 0).then_some(())
    }

    /// A node without a port, and not in a list of nodes.
    #[inline]
    pub(super) fn plain_node(&mut self) -> Option<EdgeEnd> {
        let &[node, after] = self.next().first_chunk()?;
        let is_single = match after.kind {
            WordKind::Operator { .. } | WordKind::Id(_) | WordKind::CloseBrace => true,
            WordKind::Token(kind) => {
                matches!(kind, TokenKind::LeftBracket | TokenKind::Semicolon)
            }
            _ => false,
        };
        let id = id_of(node).filter(|_| is_single)?;
        self.keep_words(1);
        Some(EdgeEnd::Nodes(smallvec![NodeRef { id, port: None }]))
    }

    /// Whether the next token is a name and no `=` follows: neither an assignment nor anything that is wrong.
    #[inline]
    pub(super) fn begins_with_node(&self) -> bool {
        matches!(self.next(), [first, second, ..]
            if matches!(first.kind, WordKind::Id(_)) && !second.is(TokenKind::Equals))
    }

    /// Whether the edge surely ends before the next token.
    #[inline]
    pub(super) fn ends_links(&self) -> bool {
        self.next().first().is_none_or(|next| match next.kind {
            WordKind::Id(_) | WordKind::CloseBrace => true,
            WordKind::Token(kind) => {
                matches!(kind, TokenKind::LeftBracket | TokenKind::Semicolon)
            }
            _ => false,
        })
    }
}

/// `key=value` and the separator after it, with how many tokens these are; the end of the list may follow, too.
#[inline]
fn plain_pair(words: &[Word]) -> Option<(Attr, usize)> {
    let [key, equals, value, after] = words.first_chunk()?;
    let WordKind::Token(after) = after.kind else {
        return None;
    };
    let length = match after {
        TokenKind::Comma | TokenKind::Semicolon => 4,
        TokenKind::RightBracket => 3,
        _ => return None,
    };
    let (key, value) = (id_of(*key)?, id_of(*value)?);
    let pair = equals.is(TokenKind::Equals);
    pair.then(|| (Attr::new(key, equals.range, Some(value)), length))
}

#[inline]
fn id_of(word: Word) -> Option<Id> {
    let WordKind::Id(kind) = word.kind else {
        return None;
    };
    let range = word.range;
    Some(Id { range, kind })
}
