//! The beginning of a graph, `strict digraph name`, and what may be between graphs: nothing.
//!
//! ```text
//! input:   strict digraph a b {
//! output:  Header { strict, keyword, id: a }   and: expected `{` after the name of the graph, found `b`
//! ```

use super::statement_tokens::leading_id;
use super::statements::Preceding;
use crate::ast::Id;
use crate::error::{self, ErrorSink};
use crate::{TextRange, Token, TokenKind, Tokens};

/// What is before the `{` of a graph.
pub(super) struct Header {
    pub(super) range: TextRange,
    pub(super) strict: Option<TextRange>,
    pub(super) keyword: TextRange,
    pub(super) directed: bool,
    pub(super) id: Option<Id>,
    /// What it is to the first statement.
    pub(super) preceding: Preceding,
}

/// So few tokens after a broken graph are the rest of it.
const MAX_REST_TOKENS: usize = 3;

/// Finds the next graph at or after the token at index `*at` and leaves `*at` on its `{`. `None` at
/// the end.
///
/// Recovery has given every graph its braces, so everything up to the next `{` belongs to the header.
/// `preceding` is how the graph before it ends.
pub(super) fn next_header(
    tokens: &Tokens,
    at: &mut usize,
    preceding: Preceding,
    errors: &mut ErrorSink<'_>,
) -> Option<Header> {
    let mut before = Vec::new();
    while let Some((index, token)) = tokens.seen(*at) {
        *at = index;
        if token.kind == TokenKind::LeftBrace {
            return Some(read(&before, token.range.start(), errors));
        }
        before.push(token);
        *at += 1;
    }
    let rest = preceding == Preceding::Broken && before.len() <= MAX_REST_TOKENS;
    if !before.is_empty() && !rest {
        errors.push(|text| error::outside_graph(text, &before));
    }
    None
}

/// Reads the tokens before a `{`; at most one message.
fn read(tokens: &[Token], brace: usize, errors: &mut ErrorSink<'_>) -> Header {
    let keyword_at = tokens
        .iter()
        .position(|token| matches!(token.kind, TokenKind::Graph | TokenKind::Digraph));
    let nowhere = TextRange::empty(tokens.first().map_or(brace, |first| first.range.start()));
    let Some((keyword_at, keyword)) = keyword_at.and_then(|at| Some((at, *tokens.get(at)?))) else {
        errors.push(|text| {
            error::missing_graph_keyword(text, tokens, TextRange::new(brace, brace + 1))
        });
        let strict = tokens
            .first()
            .filter(|first| first.kind == TokenKind::Strict)
            .map(|first| first.range);
        let name = tokens.len().saturating_sub(1);
        let id = leading_id(tokens.get(name..).unwrap_or_default()).map(|(id, _)| id);
        return Header {
            range: nowhere.cover(TextRange::empty(brace)),
            strict,
            keyword: nowhere,
            directed: true,
            id,
            preceding: Preceding::Broken,
        };
    };
    let (before, after) = tokens.split_at_checked(keyword_at).unwrap_or_default();
    let strict = before
        .last()
        .filter(|last| last.kind == TokenKind::Strict)
        .map(|last| last.range);
    let junk_before = before
        .get(..before.len() - usize::from(strict.is_some()))
        .unwrap_or_default();
    let mut header = Header {
        range: strict.unwrap_or(keyword.range).cover(keyword.range),
        strict,
        keyword: keyword.range,
        directed: keyword.kind == TokenKind::Digraph,
        id: None,
        preceding: Preceding::Sound,
    };
    let mut junk_after = after.get(1..).unwrap_or_default();
    if let [odd, name] = junk_after
        && !odd.kind.is_id()
        && let Some((id, _)) = leading_id(&[*name])
    {
        header.id = Some(id);
        header.range = header.range.cover(id.range);
        errors.push(|text| error::unexpected_in_header(text, odd.range));
        header.preceding = Preceding::Broken;
        junk_after = &[];
    }
    if let Some((id, taken)) = leading_id(junk_after) {
        header.id = Some(id);
        header.range = header.range.cover(id.range);
        junk_after = junk_after.get(taken..).unwrap_or_default();
    }
    if !junk_before.is_empty() || !junk_after.is_empty() {
        header.preceding = Preceding::Broken;
    }
    if !junk_before.is_empty() {
        errors.push(|text| error::outside_graph(text, junk_before));
    } else if !junk_after.is_empty() {
        errors.push(|text| error::graph_header(text, junk_after, header.id));
    }
    header
}
