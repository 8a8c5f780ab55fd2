//! Several conditions in one attribute: `goal_conditions="exit_code == 0; note != 'a; b'"`.

use std::ops::Range;

use logos::Logos;

use super::token::Token;

/// The conditions of a list, without the spaces around them, as bytes of `text`; empty ones too. A semicolon in a
/// quoted text separates nothing.
///
/// ```
/// use attractor_lang::condition::pieces;
/// let text = "note != 'a; b'; exit_code == 0";
/// let found: Vec<_> = pieces(text).into_iter().filter_map(|bytes| text.get(bytes)).collect();
/// assert_eq!(found, ["note != 'a; b'", "exit_code == 0"]);
/// ```
pub fn pieces(text: &str) -> Vec<Range<usize>> {
    let ends = Token::lexer(text)
        .spanned()
        .filter(|(_, range)| text.get(range.clone()) == Some(";"))
        .map(|(_, range)| range.start)
        .chain([text.len()]);
    let mut start = 0;
    ends.map(|end| {
        let piece = text.get(start..end).unwrap_or_default();
        let from = start + piece.len() - piece.trim_start().len();
        start = end + 1;
        from..from + piece.trim().len()
    })
    .collect()
}
