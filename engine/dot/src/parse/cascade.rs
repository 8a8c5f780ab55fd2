//! Stage 6: errors that only follow from others are left out.
//!
//! ```text
//! input:   digraph { a [x=1; b -> -> c }
//! errors:  unclosed `[`; expected a node between `->` and `->`
//! output:  unclosed `[`
//! ```
//!
//! Delimiters are matched before statements are read. Where that guess is not what was meant, the tokens
//! next to it fit badly, and each would be an error of its own. The same holds for the line of a string
//! that is never closed, and for everything that is still open where the text ends.

use super::lines;
use crate::error::{self, ErrorSink, SyntaxCode, SyntaxError};
use crate::{TextRange, TokenKind, Tokens};

/// Leaves out what follows from others. The first `delimiters` of the errors are those of stages 1 and 2.
pub(super) fn suppress_cascading(
    text: &str,
    tokens: &Tokens,
    delimiters: usize,
    errors: &mut ErrorSink<'_>,
) {
    suppress_near_delimiters(tokens, delimiters, errors);
    suppress_near_broken_strings(text, tokens, errors);
    join_at_end(text, errors);
}

/// The number of tokens around a delimiter in which nothing else is reported.
const CASCADE_WINDOW_TOKENS: usize = 3;

/// Removes the errors that recovery reports near a bracket of the first `brackets` errors, which are in the order
/// in which they were found, and those near an error removed in this way.
fn suppress_near_delimiters(tokens: &Tokens, brackets: usize, errors: &mut ErrorSink<'_>) {
    let listed = errors.listed();
    if brackets == 0 || listed.len() <= brackets {
        return;
    }
    let mut of_statements = listed.split_off(brackets);
    of_statements.sort_by_key(|error| error.range);
    let index = |offset: usize| tokens.index_after(offset);
    let mut places: Vec<usize> = listed.iter().flat_map(of_bracket).map(index).collect();
    places.sort_unstable();
    let near_bracket = |at: usize| {
        let next = places.partition_point(|&place| place + CASCADE_WINDOW_TOKENS < at);
        places
            .get(next)
            .is_some_and(|&place| place <= at + CASCADE_WINDOW_TOKENS)
    };
    let mut cascading: Option<usize> = None;
    of_statements.retain(|error| {
        let at = index(error.range.start());
        let near_cascading = cascading.is_some_and(|other| at <= other + CASCADE_WINDOW_TOKENS);
        let suppressed = near_cascading || !is_sure(error.code) && near_bracket(at);
        if suppressed {
            cascading = Some(at);
        }
        !suppressed
    });
    listed.append(&mut of_statements);
}

/// Where the bracket is, and where it was put in.
fn of_bracket(error: &SyntaxError) -> impl Iterator<Item = usize> + '_ {
    let put_in = error.fixes.iter().flat_map(|fix| &fix.edits);
    let put_in = put_in.map(|edit| edit.range);
    std::iter::once(error.range)
        .chain(put_in)
        .map(TextRange::start)
}

/// Whether an error of this kind is one whatever is around it.
fn is_sure(code: SyntaxCode) -> bool {
    matches!(code, SyntaxCode::NeedsQuotes | SyntaxCode::KeywordAsId)
}

/// What else is wrong on a line where a string is broken follows from that.
fn suppress_near_broken_strings(text: &str, tokens: &Tokens, errors: &mut ErrorSink<'_>) {
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

/// A text that ends too early leaves several things open; that is one error, the innermost's.
fn join_at_end(text: &str, errors: &mut ErrorSink<'_>) {
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
        // An incomplete last statement is not reported separately.
        let last_line = lines::line_at(text, end).start();
        others.retain(|error| {
            error.range.start() < last_line.max(innermost.range.start())
                || error.code == SyntaxCode::StrayCloser
        });
        others.push(error::ends_too_early(text, innermost, open, end));
    }
    *errors.listed() = others;
}
