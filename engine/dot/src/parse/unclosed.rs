//! Strings, HTML and comments that are never closed, reported before delimiters are matched.

use crate::error::{self, ErrorSink};
use crate::parse::statement_tokens::LONGEST_RUN;
use crate::{Token, TokenKind, Tokens};

/// Says which strings and comments are never closed.
pub(super) fn check(tokens: &Tokens, errors: &mut ErrorSink<'_>) {
    let unclosed = [
        TokenKind::UnclosedString,
        TokenKind::UnclosedHtml,
        TokenKind::UnclosedComment,
    ];
    let Some(last) = tokens.len().checked_sub(1) else {
        return;
    };
    // The usual case first: a quick look at the kinds.
    if !unclosed.into_iter().any(|kind| tokens.have(kind)) {
        return;
    }
    let mut depth = 0usize;
    for (index, token) in tokens.solid().enumerate() {
        match token.kind {
            TokenKind::LeftBrace => depth += 1,
            TokenKind::RightBrace => depth = depth.saturating_sub(1),
            TokenKind::UnclosedString => {
                errors.push(|text| error::broken_string(text, token.range));
            }
            TokenKind::UnclosedHtml => {
                let open = html_open(tokens, index).unwrap_or(token);
                errors.push(|_| error::unclosed_html(open.range.start(), token.range));
            }
            // After the last graph Graphviz no longer looks.
            TokenKind::UnclosedComment if depth > 0 || index < last => {
                errors.push(|_| error::unclosed_comment(token.range));
            }
            _ => {}
        }
    }
}

/// The HTML that closed too early before the unclosed one at `index`: the `<b>` of `<b>x</b`.
fn html_open(tokens: &Tokens, index: usize) -> Option<Token> {
    let mut after = tokens.get(index)?;
    let run = (index.saturating_sub(LONGEST_RUN)..index)
        .rev()
        .map_while(|at| {
            let glued = tokens
                .get(at)
                .filter(|token| token.range.end() == after.range.start());
            after = glued?;
            glued
        });
    run.filter(|token| token.kind == TokenKind::Html).last()
}
