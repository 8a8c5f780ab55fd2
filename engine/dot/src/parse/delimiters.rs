//! Stage 2: brackets and braces are made to match, before statements are parsed.
//!
//! ```text
//! input:   { a [ x = 1  b -> c }        a `]` is lost
//! output:  { a [ x = 1 ] b -> c }       put in, with an empty range;  and: unclosed `[`
//! ```
//!
//! In a list (`[ … ]`) there can be no brace, no further `[` and no edge operator, so one of these shows
//! that the list was never closed: it ended before the statement that they belong to
//! (`delimiters/brackets.rs`). Braces are counted first: while the count is right it is trusted, and only
//! when it is wrong does the indentation decide which brace is missing or too many (`delimiters/braces.rs`).
//! Delimiters that are too many are left out; those that are put in have an empty range.

mod braces;
mod brackets;

use std::borrow::Cow;

use crate::error::{self, ErrorSink};
use crate::{TextRange, Token, TokenKind, Tokens};

/// Braces nested deeper than this are refused.
pub const MAX_DEPTH: usize = 256;

/// The tokens with brackets that match: made-up ones have an empty range, surplus ones are left out.
/// `None` when braces are nested too deep to be read at all.
pub(super) fn balance<'t>(
    text: &str,
    tokens: &'t Tokens,
    errors: &mut ErrorSink<'_>,
) -> Option<Cow<'t, Tokens>> {
    let too_deep = |tokens: &Tokens, at: usize| {
        let brace = tokens
            .get(at)
            .map_or(TextRange::default(), |token| token.range);
        error::too_deep(brace, MAX_DEPTH)
    };
    match survey(tokens.kinds()) {
        Survey::Sound => Some(Cow::Borrowed(tokens)),
        Survey::TooDeep(at) => {
            errors.push(|_| too_deep(tokens, at));
            None
        }
        Survey::Broken => {
            let seen: Vec<Token> = tokens.solid().filter(|token| token.is_seen()).collect();
            let listed = brackets::close_lists(text, &seen, errors);
            let braced = braces::match_braces(text, &listed, errors);
            let braced = Tokens::from_solid(braced, tokens.length());
            match survey(braced.kinds()) {
                Survey::TooDeep(at) => {
                    errors.push(|_| too_deep(&braced, at));
                    None
                }
                Survey::Sound | Survey::Broken => Some(Cow::Owned(braced)),
            }
        }
    }
}

enum Survey {
    Sound,
    Broken,
    /// The brace that is too deep, by its index.
    TooDeep(usize),
}

/// Whether everything matches, at the price of one look at each token.
fn survey(kinds: &[TokenKind]) -> Survey {
    let mut depth = 0usize;
    let mut in_list = false;
    let mut sound = true;
    let mut header = false;
    for (at, kind) in kinds.iter().enumerate() {
        match kind {
            TokenKind::LeftBrace => {
                sound &= !in_list;
                depth += 1;
                header = false;
                if depth > MAX_DEPTH {
                    return Survey::TooDeep(at);
                }
            }
            TokenKind::RightBrace => {
                sound &= !in_list && depth > 0;
                depth = depth.saturating_sub(1);
            }
            TokenKind::LeftBracket => {
                sound &= !in_list && depth > 0;
                in_list = true;
            }
            TokenKind::RightBracket => {
                sound &= in_list;
                in_list = false;
            }
            TokenKind::Arrow | TokenKind::Line => sound &= !in_list && depth > 0,
            // Between graphs only a header may be, and one header needs one pair of braces.
            TokenKind::Graph | TokenKind::Digraph if depth == 0 => {
                sound &= !header;
                header = true;
            }
            _ => {}
        }
    }
    if sound && !in_list && depth == 0 && !header {
        Survey::Sound
    } else {
        Survey::Broken
    }
}
