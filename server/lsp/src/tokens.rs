//! Semantic tokens as the protocol packs them, and the difference between two packings.
//!
//! The last packing of each document is kept, so that a client that asks for a difference gets one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use attractor_ide::dot::TextRange;
use attractor_ide::semantic_tokens;
use lsp_types::{Position, SemanticToken, SemanticTokensEdit, Uri};
use rustc_hash::FxHashMap;

use crate::session::View;
use crate::sync::lock;

/// The last packing of each document.
#[derive(Debug, Default)]
pub(crate) struct Packings {
    last: Mutex<FxHashMap<Uri, (String, Vec<SemanticToken>)>>,
    count: AtomicU64,
}

impl Packings {
    /// Keeps a packing; gives the name a client may ask differences by.
    pub(crate) fn keep(&self, uri: &Uri, tokens: Vec<SemanticToken>) -> String {
        let name = self.count.fetch_add(1, Ordering::Relaxed).to_string();
        lock(&self.last).insert(uri.clone(), (name.clone(), tokens));
        name
    }

    /// The packing of that name, if it is the last one.
    pub(crate) fn get(&self, uri: &Uri, name: &str) -> Option<Vec<SemanticToken>> {
        let last = lock(&self.last);
        last.get(uri)
            .filter(|(known, _)| known == name)
            .map(|(_, tokens)| tokens.clone())
    }

    /// Forgets a document.
    pub(crate) fn forget(&self, uri: &Uri) {
        lock(&self.last).remove(uri);
    }
}

/// The tokens of a document, or of a range of it.
pub(crate) fn pack(view: &View, range: Option<TextRange>) -> Vec<SemanticToken> {
    let mut before = Position::default();
    let tokens = semantic_tokens::tokens(&view.document, range).into_iter();
    tokens
        .map(|token| {
            let range = view.range(token.range);
            let same_line = range.start.line == before.line;
            let packed = SemanticToken {
                delta_line: range.start.line.saturating_sub(before.line),
                delta_start: range.start.character.saturating_sub(if same_line {
                    before.character
                } else {
                    0
                }),
                length: range.end.character.saturating_sub(range.start.character),
                token_type: token.kind.index(),
                token_modifiers_bitset: token.modifiers,
            };
            before = range.start;
            packed
        })
        .collect()
}

/// The edit that makes `new` of `old`: what lies between their common beginning and their common end.
pub(crate) fn difference(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let same = old
        .iter()
        .zip(new)
        .take_while(|(one, other)| one == other)
        .count();
    let (old, new) = (
        old.get(same..).unwrap_or_default(),
        new.get(same..).unwrap_or_default(),
    );
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(one, other)| one == other)
        .count();
    let gone = old.len() - tail;
    let come = new.get(..new.len() - tail).unwrap_or_default();
    if gone == 0 && come.is_empty() {
        return Vec::new();
    }
    // The protocol counts numbers, five to a token.
    let numbers = |tokens: usize| u32::try_from(tokens * 5).unwrap_or(u32::MAX);
    vec![SemanticTokensEdit {
        start: numbers(same),
        delete_count: numbers(gone),
        data: Some(come.to_vec()),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lengths: &[u32]) -> Vec<SemanticToken> {
        let token = |length: &u32| SemanticToken {
            delta_line: 0,
            delta_start: 1,
            length: *length,
            token_type: 0,
            token_modifiers_bitset: 0,
        };
        lengths.iter().map(token).collect()
    }

    fn apply(old: &[SemanticToken], edits: &[SemanticTokensEdit]) -> Vec<SemanticToken> {
        let mut tokens = old.to_vec();
        for edit in edits {
            let (start, count) = (edit.start as usize / 5, edit.delete_count as usize / 5);
            tokens.splice(start..start + count, edit.data.clone().unwrap_or_default());
        }
        tokens
    }

    #[test]
    fn a_difference_makes_the_new_of_the_old() {
        let cases: [(&[u32], &[u32]); 6] = [
            (&[1, 2, 3], &[1, 2, 3]),
            (&[1, 2, 3], &[1, 9, 3]),
            (&[1, 1, 1], &[1, 1]),
            (&[], &[4]),
            (&[4], &[]),
            (&[1, 2, 1], &[1, 2, 1, 2, 1]),
        ];
        for (old, new) in cases {
            let (old, new) = (tokens(old), tokens(new));
            let edits = difference(&old, &new);
            assert_eq!(apply(&old, &edits), new);
            assert_eq!(edits.is_empty(), old == new);
        }
    }
}
