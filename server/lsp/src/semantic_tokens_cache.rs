//! Semantic tokens as the protocol packs them, and the difference between two packings.
//!
//! What a client was last sent of a document is kept, so that after an edit only the part that changed is read, encoded
//! and sent.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use attractor_ide::document::Document;
use attractor_ide::dot::TextRange;
use attractor_ide::position::Encoding;
use attractor_ide::semantic_tokens::{self, Token};
use lsp_types::{Position, SemanticToken, SemanticTokensEdit, Uri};
use rustc_hash::FxHashMap;

use crate::context::RequestContext;
use crate::sync::lock;
use crate::to_proto;

/// What each document's client was last sent.
#[derive(Debug, Default)]
pub(crate) struct SemanticTokensCache {
    last: Mutex<FxHashMap<Uri, Sent>>,
    count: AtomicU64,
}

/// The tokens of one version of a document.
#[derive(Debug)]
struct Sent {
    /// What the client calls it.
    name: String,
    document: Arc<Document>,
    tokens: Vec<Token>,
    encoded: Vec<SemanticToken>,
}

/// What is different from what the client was last sent.
#[derive(Debug)]
pub(crate) struct Delta {
    /// The name of the new packing.
    pub(crate) name: String,
    /// The edit that makes it of the last one; at most one.
    pub(crate) edits: Vec<SemanticTokensEdit>,
}

impl SemanticTokensCache {
    /// Every token of a document, encoded, under a name by which the client may ask for differences.
    pub(crate) fn all(&self, context: &RequestContext) -> (String, Vec<SemanticToken>) {
        let tokens = semantic_tokens::tokens(&context.document, None);
        let encoded = encode(
            &context.document,
            context.encoding(),
            Position::default(),
            &tokens,
        );
        let name = self.store(context, tokens, encoded.clone());
        (name, encoded)
    }

    /// What changed since the packing of that name; `None` when that is not the one sent last.
    pub(crate) fn delta(&self, context: &RequestContext, name: &str) -> Option<Delta> {
        let before = {
            let mut last = lock(&self.last);
            match last.get(&context.uri) {
                Some(sent) if sent.name == name => last.remove(&context.uri)?,
                _ => return None,
            }
        };
        let Sent {
            document,
            mut tokens,
            mut encoded,
            ..
        } = before;
        let change = semantic_tokens::change(&document, &tokens, &context.document);
        let edits = if let Some(change) = change {
            change.apply(&mut tokens);
            let (at, count) = (change.at, change.tokens.len());
            splice(context, &tokens, &mut encoded, (at, change.removed, count))
        } else {
            tokens = semantic_tokens::tokens(&context.document, None);
            let new = encode(
                &context.document,
                context.encoding(),
                Position::default(),
                &tokens,
            );
            let edits = difference(&encoded, &new);
            encoded = new;
            edits
        };
        let name = self.store(context, tokens, encoded);
        Some(Delta { name, edits })
    }

    /// Forgets a document.
    pub(crate) fn remove(&self, uri: &Uri) {
        lock(&self.last).remove(uri);
    }

    fn store(
        &self,
        context: &RequestContext,
        tokens: Vec<Token>,
        encoded: Vec<SemanticToken>,
    ) -> String {
        let name = self.count.fetch_add(1, Ordering::Relaxed).to_string();
        let sent = Sent {
            name: name.clone(),
            document: Arc::clone(&context.document),
            tokens,
            encoded,
        };
        lock(&self.last).insert(context.uri.clone(), sent);
        name
    }
}

/// Brings a packing up to date where, from token `at` on, `removed` tokens became `count`. The token after them is
/// encoded again too, as it counts from the one before it.
fn splice(
    context: &RequestContext,
    tokens: &[Token],
    encoded: &mut Vec<SemanticToken>,
    (at, removed, count): (usize, usize, usize),
) -> Vec<SemanticTokensEdit> {
    let end = (at + count + 1).min(tokens.len());
    let old_end = (at + removed + 1).min(encoded.len());
    let previous = at.checked_sub(1).and_then(|before| tokens.get(before));
    let previous = previous.map_or(Position::default(), |token| {
        to_proto::position(context, token.range.start())
    });
    let changed = tokens.get(at..end).unwrap_or_default();
    let new = encode(&context.document, context.encoding(), previous, changed);
    let old = encoded.get(at..old_end).unwrap_or_default();
    let mut edits = difference(old, &new);
    for edit in &mut edits {
        edit.start += numbers(at);
    }
    encoded.splice(at..old_end, new);
    edits
}

/// The tokens of a range of a document.
pub(crate) fn range(context: &RequestContext, range: TextRange) -> Vec<SemanticToken> {
    let tokens = semantic_tokens::tokens(&context.document, Some(range));
    encode(
        &context.document,
        context.encoding(),
        Position::default(),
        &tokens,
    )
}

/// Tokens, each counted from the one before it, the first from `before`.
fn encode(
    document: &Document,
    encoding: Encoding,
    mut before: Position,
    tokens: &[Token],
) -> Vec<SemanticToken> {
    let mut positions = document.positions(encoding);
    let tokens = tokens.iter();
    tokens
        .map(|token| {
            let start = to_proto::line_column(positions.position(token.range.start()));
            let end = to_proto::line_column(positions.position(token.range.end()));
            let same_line = start.line == before.line;
            let column = if same_line { before.character } else { 0 };
            let encoded = SemanticToken {
                delta_line: start.line.saturating_sub(before.line),
                delta_start: start.character.saturating_sub(column),
                length: end.character.saturating_sub(start.character),
                token_type: token.kind.index(),
                token_modifiers_bitset: token.modifiers,
            };
            before = start;
            encoded
        })
        .collect()
}

/// The protocol counts numbers, five to a token.
fn numbers(tokens: usize) -> u32 {
    u32::try_from(tokens * 5).unwrap_or(u32::MAX)
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
