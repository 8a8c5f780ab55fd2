//! What is still open where the text ends, or was ended by recovery.

use super::lines;
use crate::error::{self, ErrorSink, SyntaxCode, SyntaxError};
use crate::parse::statement_tokens::LONGEST_RUN;
use crate::{TextRange, Token, TokenKind, Tokens};

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

/// What else is wrong on a line where a string is broken is an echo of that.
pub(super) fn silence_echoes(text: &str, tokens: &Tokens, errors: &mut ErrorSink<'_>) {
    let broken: Vec<TextRange> = tokens
        .solid()
        .filter(|token| {
            matches!(
                token.kind,
                TokenKind::UnclosedString | TokenKind::UnclosedHtml
            )
        })
        .flat_map(|token| {
            [
                lines::line_at(text, token.range.start()),
                lines::line_at(text, token.range.end()),
            ]
        })
        .collect();
    let is_cause = |code| {
        matches!(
            code,
            SyntaxCode::UnclosedString
                | SyntaxCode::BareQuote
                | SyntaxCode::UnclosedHtml
                | SyntaxCode::UnclosedBrace
        )
    };
    errors.listed().retain(|error| {
        is_cause(error.code)
            || !broken
                .iter()
                .any(|line| line.contains_inclusive(error.range.start()))
    });
}

/// A text that ends too early leaves several things open; that is one mistake, the innermost's.
pub(super) fn join_at_end(text: &str, errors: &mut ErrorSink<'_>) {
    let end = text.trim_end().len();
    let unclosed = |error: &SyntaxError| {
        matches!(
            error.code,
            SyntaxCode::UnclosedBrace
                | SyntaxCode::UnclosedBracket
                | SyntaxCode::UnclosedString
                | SyntaxCode::UnclosedHtml
        ) && error
            .fixes
            .iter()
            .flat_map(|fix| &fix.edits)
            .any(|edit| edit.range.start() >= end)
    };
    let (mut open, mut others): (Vec<SyntaxError>, Vec<SyntaxError>) =
        std::mem::take(errors.listed())
            .into_iter()
            .partition(unclosed);
    open.sort_by_key(|error| error.range);
    if let Some(innermost) = open.pop() {
        // What the last statement still lacks is no mistake of its own.
        let last_line = lines::line_at(text, end).start();
        others.retain(|error| {
            error.range.start() < last_line.max(innermost.range.start())
                || error.code == SyntaxCode::StrayCloser
        });
        others.push(error::ends_too_early(text, innermost, open, end));
    }
    *errors.listed() = others;
}
