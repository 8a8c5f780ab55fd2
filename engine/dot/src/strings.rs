//! What identifiers say: from their written form to their text and back.
//!
//! Graphviz knows three escapes in a quoted string: `\"` is a quote, `\\` stays two backslashes (so
//! that a backslash can end a string) and a backslash before a line end makes both vanish. Every
//! other backslash stays, for the attribute's own escapes such as `\n` and `\l`.

mod bare;
mod decode;
mod decoded;
mod unescape;

use std::borrow::Cow;

use bare::is_bare;
pub use bare::is_keyword;
pub(crate) use decode::decode;
pub use decoded::Decoded;
pub use unescape::unescape;

/// A DOT identifier that decodes to `text`: bare where plain Graphviz allows it, else quoted.
///
/// Graphviz cannot express a single backslash before a quote, a line end or the end of a string; there, and
/// only there, the backslash is doubled, which Graphviz' own escapes print as one.
///
/// ```
/// use attractor_dot::strings::quote;
/// assert_eq!(quote("build"), "build");
/// assert_eq!(quote("say \"hi\""), r#""say \"hi\"""#);
/// ```
pub fn quote(text: &str) -> Cow<'_, str> {
    if is_bare(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("\"{}\"", escape_into_quoted(text)))
    }
}

/// `text` as it must be between the quotes of a quoted string.
pub fn escape_into_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let mut odd_backslashes = false;
    for c in text.chars() {
        if matches!(c, '"' | '\n' | '\r') && odd_backslashes {
            out.push('\\');
        }
        if c == '"' {
            out.push('\\');
        }
        odd_backslashes = c == '\\' && !odd_backslashes;
        out.push(c);
    }
    if odd_backslashes {
        out.push('\\');
    }
    out
}

/// Where the quotes of `text` are that no backslash escapes: each begins or ends a string.
pub fn bare_quotes(text: &str) -> impl Iterator<Item = usize> {
    let mut escaped = false;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        let found = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        found.then_some(at)
    })
}
