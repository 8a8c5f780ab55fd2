//! What is wrong only because a bracket is: mending speaks of it again, right beside the bracket.
//!
//! Brackets are guessed before statements are read. Where a guess went another way than the person
//! meant, the words next to it fit badly, and each would be told as a mistake of its own.

use crate::error::{ErrorSink, SyntaxCode, SyntaxError};
use crate::{TextRange, Tokens};

/// So many tokens beside a bracket nothing more is said, as in a statement.
const NEAR: usize = 3;

/// Leaves out what mending says beside the brackets that the first `brackets` of the messages, in
/// the order they were found, speak of; and what it says beside that.
pub(super) fn fold(tokens: &Tokens, brackets: usize, errors: &mut ErrorSink<'_>) {
    let listed = errors.listed();
    if brackets == 0 || listed.len() <= brackets {
        return;
    }
    let mut mended = listed.split_off(brackets);
    mended.sort_by_key(|error| error.range);
    let index = |offset: usize| tokens.index_after(offset);
    let mut places: Vec<usize> = listed.iter().flat_map(of_bracket).map(index).collect();
    places.sort_unstable();
    let beside_bracket = |at: usize| {
        let next = places.partition_point(|&place| place + NEAR < at);
        places.get(next).is_some_and(|&place| place <= at + NEAR)
    };
    let mut echo: Option<usize> = None;
    mended.retain(|error| {
        let at = index(error.range.start());
        let beside_echo = echo.is_some_and(|echo| at <= echo + NEAR);
        let folded = beside_echo || !is_sure(error.code) && beside_bracket(at);
        if folded {
            echo = Some(at);
        }
        !folded
    });
    listed.append(&mut mended);
}

/// Where the bracket is, and where it was put in.
fn of_bracket(error: &SyntaxError) -> impl Iterator<Item = usize> + '_ {
    let put_in = error.fixes.iter().flat_map(|fix| &fix.edits);
    let put_in = put_in.map(|edit| edit.range);
    std::iter::once(error.range)
        .chain(put_in)
        .map(TextRange::start)
}

/// Whether a mistake of this kind is one whatever stands around it.
fn is_sure(code: SyntaxCode) -> bool {
    matches!(code, SyntaxCode::NeedsQuotes | SyntaxCode::KeywordAsId)
}
