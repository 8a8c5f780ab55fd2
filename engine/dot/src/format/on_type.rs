//! Where on-type formatting looks: the block, statement or line that was just ended.

use super::Options;
use super::tree::bodies;
use crate::ast::{Block, File, Stmt};
use crate::{Edit, TextRange, TokenKind, Tokens};

pub(super) fn line_start(text: &str, offset: usize) -> usize {
    TextRange::new(0, offset)
        .text(text)
        .rfind('\n')
        .map_or(0, |end| end + 1)
}

/// From the `{` to the `}` that ends at `offset`.
pub(super) fn block_before(tokens: &Tokens, offset: usize) -> Option<TextRange> {
    let last = tokens.index_after(offset).checked_sub(1)?;
    let close = tokens
        .get(last)
        .filter(|token| token.kind == TokenKind::RightBrace)?;
    let mut depth = 0usize;
    for index in (0..=last).rev() {
        let token = tokens.get(index)?;
        match token.kind {
            TokenKind::RightBrace => depth += 1,
            TokenKind::LeftBrace => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(token.range.cover(close.range));
        }
    }
    None
}

/// Where the statement begins that `offset` is in or after, the innermost; `offset` if there is none.
pub(super) fn statement_start(file: &File, offset: usize) -> usize {
    let graph = file
        .graphs
        .iter()
        .find(|graph| is_inside(&graph.body, offset));
    let mut block = graph.map(|graph| &graph.body);
    let mut start = offset;
    while let Some(outer) = block {
        let before = outer
            .statements
            .partition_point(|statement| statement.range().start() < offset);
        let statement: Option<&Stmt> = before
            .checked_sub(1)
            .and_then(|last| outer.statements.get(last));
        start = statement.map_or(start, |statement| statement.range().start());
        block = statement.and_then(|statement| {
            bodies(statement)
                .into_iter()
                .find(|body| is_inside(body, offset))
        });
    }
    start
}

/// Whether `offset` is between the braces.
fn is_inside(block: &Block, offset: usize) -> bool {
    block.range.start() < offset && offset < block.range.end()
}

/// The spaces the line at `offset` should begin with, if it begins otherwise.
pub(super) fn indentation(
    text: &str,
    tokens: &Tokens,
    offset: usize,
    options: &Options,
) -> Option<Edit> {
    let start = line_start(text, offset);
    let line = text.get(start..).unwrap_or_default();
    // A line for the preprocessor is one only where it is.
    if line.starts_with('#') {
        return None;
    }
    let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut level = 0usize;
    for token in tokens
        .solid()
        .take_while(|token| token.range.end() <= start)
    {
        match token.kind {
            TokenKind::LeftBrace | TokenKind::LeftBracket => level += 1,
            TokenKind::RightBrace | TokenKind::RightBracket => level = level.saturating_sub(1),
            _ => {}
        }
    }
    let inside = tokens
        .at_offset(start)
        .is_some_and(|token| token.kind != TokenKind::Whitespace && token.range.start() < start);
    if line.starts_with(['}', ']']) || line.trim_start().starts_with(['}', ']']) {
        level = level.saturating_sub(1);
    }
    let right = options.indent.of(level);
    let range = TextRange::new(start, start + indentation);
    (!inside && range.text(text) != right).then(|| Edit::replace(range, right))
}
