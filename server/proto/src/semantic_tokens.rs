//! Semantic tokens in the encoding of the protocol, and the difference between two encodings.

use std::sync::Arc;

use attractor_ide::dot::TextRange;
use attractor_ide::semantic_tokens::{self, Token};
use lsp_types::{Position, SemanticToken, SemanticTokensEdit};

use crate::context::RequestContext;
use crate::semantic_tokens_cache::CachedTokens;
use crate::to_proto;

/// The result of a delta request.
#[derive(Debug)]
pub(crate) struct Delta {
    /// The id of the new result.
    pub result_id: String,
    /// The edit that turns the previous result into the new one; at most one.
    pub edits: Vec<SemanticTokensEdit>,
}

/// Every token of a document, with a result id for delta requests.
pub(crate) fn full(context: &RequestContext) -> (String, Vec<SemanticToken>) {
    let tokens = semantic_tokens::tokens(&context.document, None);
    let encoded = encode(context, Position::default(), &tokens);
    let result_id = store(context, tokens, encoded.clone());
    (result_id, encoded)
}

/// What changed since a previous result; `None` when that is not the one sent last.
pub(crate) fn delta(context: &RequestContext, previous: &str) -> Option<Delta> {
    let CachedTokens {
        document,
        mut tokens,
        mut encoded,
    } = context
        .host
        .semantic_tokens()
        .take(&context.uri, previous)?;
    let change = semantic_tokens::change(&document, &tokens, &context.document);
    let edits = if let Some(change) = change {
        change.apply(&mut tokens);
        let (at, count) = (change.at, change.tokens.len());
        splice(context, &tokens, &mut encoded, (at, change.removed, count))
    } else {
        tokens = semantic_tokens::tokens(&context.document, None);
        let new = encode(context, Position::default(), &tokens);
        let edits = difference(&encoded, &new);
        encoded = new;
        edits
    };
    let result_id = store(context, tokens, encoded);
    Some(Delta { result_id, edits })
}

/// The tokens of a range of a document.
pub(crate) fn range(context: &RequestContext, range: TextRange) -> Vec<SemanticToken> {
    let tokens = semantic_tokens::tokens(&context.document, Some(range));
    encode(context, Position::default(), &tokens)
}

fn store(context: &RequestContext, tokens: Vec<Token>, encoded: Vec<SemanticToken>) -> String {
    let document = Arc::clone(&context.document);
    let cached = CachedTokens {
        document,
        tokens,
        encoded,
    };
    let cache = context.host.semantic_tokens();
    cache.store(context.uri.clone(), cached)
}

/// Updates an encoding where, from token `at` on, `removed` tokens became `count`. The token after them is encoded again
/// too, because it is relative to the one before it.
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
    let new = encode(context, previous, changed);
    let old = encoded.get(at..old_end).unwrap_or_default();
    let mut edits = difference(old, &new);
    for edit in &mut edits {
        edit.start += numbers(at);
    }
    encoded.splice(at..old_end, new);
    edits
}

/// Tokens, each relative to the one before it, the first to `before`.
fn encode(context: &RequestContext, mut before: Position, tokens: &[Token]) -> Vec<SemanticToken> {
    let mut positions = context.document.positions(context.encoding());
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

/// The protocol counts integers, five per token.
fn numbers(tokens: usize) -> u32 {
    u32::try_from(tokens * 5).unwrap_or(u32::MAX)
}

/// The edit that turns `old` into `new`: what is between their common prefix and their common suffix.
fn difference(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
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
    let removed = old.len() - tail;
    let added = new.get(..new.len() - tail).unwrap_or_default();
    if removed == 0 && added.is_empty() {
        return Vec::new();
    }
    vec![SemanticTokensEdit {
        start: numbers(same),
        delete_count: numbers(removed),
        data: Some(added.to_vec()),
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
    fn difference_turns_old_into_new() {
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
