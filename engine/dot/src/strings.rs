//! What identifiers say: from their written form to their text and back.
//!
//! Graphviz knows three escapes in a quoted string: `\"` is a quote, `\\` stays two backslashes (so
//! that a backslash can end a string) and a backslash before a line end makes both vanish. Every
//! other backslash stays, for the attribute's own escapes such as `\n` and `\l`.

mod bare;
mod decoded;
mod unescape;

use std::borrow::Cow;

use bare::is_bare;
pub use bare::is_keyword;
pub use decoded::Decoded;
pub use unescape::unescape;

use crate::ast::IdKind;

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

/// What the identifier written `written` says.
pub(crate) fn decode(written: &str, kind: IdKind) -> Cow<'_, str> {
    match kind {
        IdKind::Bare | IdKind::Numeral | IdKind::Extended => Cow::Borrowed(written),
        IdKind::Html => Cow::Borrowed(html_content(written)),
        IdKind::Quoted => match written
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
        {
            Some(inside) if is_verbatim(inside) => Cow::Borrowed(inside),
            _ => Cow::Owned(pieces(written, kind).map(|(_, text)| text).collect()),
        },
        IdKind::Concatenated => Cow::Owned(pieces(written, kind).map(|(_, text)| text).collect()),
    }
}

/// Whether text between quotes says what is written: it holds no `\"` and no backslash before a line end.
fn is_verbatim(inside: &str) -> bool {
    // The usual case first: a quick look for the only byte that can change anything.
    if memchr::memchr(b'\\', inside.as_bytes()).is_none() {
        return true;
    }
    let mut bytes = inside.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' && matches!(bytes.next(), None | Some(b'"' | b'\n' | b'\r')) {
            return false;
        }
    }
    true
}

/// The runs of `written` that are taken over as they are, with their offsets.
fn pieces(written: &str, kind: IdKind) -> Box<dyn Iterator<Item = (usize, &str)> + '_> {
    match kind {
        IdKind::Bare | IdKind::Numeral | IdKind::Extended => {
            Box::new(std::iter::once((0, written)))
        }
        IdKind::Html => Box::new(std::iter::once((
            usize::from(written.starts_with('<')),
            html_content(written),
        ))),
        IdKind::Quoted | IdKind::Concatenated => Box::new(QuotedPieces {
            written,
            at: 0,
            state: State::Outside,
        }),
    }
}

fn html_content(written: &str) -> &str {
    let inside = written.strip_prefix('<').unwrap_or(written);
    inside.strip_suffix('>').unwrap_or(inside)
}

/// Cuts `"a\"b" + "c"` into `a`, `"b`, `c`.
struct QuotedPieces<'s> {
    written: &'s str,
    at: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Inside,
    Outside,
    LineComment,
    BlockComment,
    /// Inside `<…>`, a part of a concatenation, at this depth.
    Html(u32),
}

impl<'s> Iterator for QuotedPieces<'s> {
    type Item = (usize, &'s str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self
                .written
                .get(self.at..)
                .filter(|rest| !rest.is_empty())?;
            let start = self.at;
            match self.state {
                State::Inside => {
                    let mut bytes = rest.bytes().enumerate().peekable();
                    let mut take = rest.len();
                    let mut skip = 0;
                    while let Some((i, byte)) = bytes.next() {
                        match (byte, bytes.peek().map(|&(_, next)| next)) {
                            (b'"', _) => (take, skip, self.state) = (i, 1, State::Outside),
                            (b'\\', Some(b'"')) => (take, skip) = (i, 1),
                            (b'\\', Some(b'\n')) => (take, skip) = (i, 2),
                            (b'\\', Some(b'\r'))
                                if rest.get(i + 2..).is_some_and(|r| r.starts_with('\n')) =>
                            {
                                (take, skip) = (i, 3);
                            }
                            (b'\\', Some(b'\\')) => {
                                bytes.next();
                                continue;
                            }
                            _ => continue,
                        }
                        break;
                    }
                    // After `\"` the quote itself begins the next run and must not close the string.
                    let escaped_quote = skip == 1 && self.state == State::Inside;
                    self.at += take + skip;
                    if take > 0 {
                        if escaped_quote {
                            self.at -= 1;
                        }
                        return rest.get(..take).map(|text| (start, text));
                    }
                    if escaped_quote {
                        self.at += 1;
                        return rest.get(1..2).map(|text| (start + 1, text));
                    }
                }
                State::Outside => {
                    let (state, skip) = match rest.as_bytes() {
                        [b'"', ..] => (State::Inside, 1),
                        [b'/', b'/', ..] | [b'#', ..] => (State::LineComment, 1),
                        [b'/', b'*', ..] => (State::BlockComment, 2),
                        [b'<', ..] => (State::Html(1), 1),
                        _ => (
                            State::Outside,
                            rest.chars().next().map_or(1, char::len_utf8),
                        ),
                    };
                    self.state = state;
                    self.at += skip;
                }
                State::LineComment => {
                    self.at += rest.find('\n').map_or(rest.len(), |i| i + 1);
                    self.state = State::Outside;
                }
                State::BlockComment => {
                    self.at += rest.find("*/").map_or(rest.len(), |i| i + 2);
                    self.state = State::Outside;
                }
                State::Html(mut depth) => {
                    let end = rest.bytes().position(|byte| {
                        match byte {
                            b'<' => depth += 1,
                            b'>' => depth -= 1,
                            _ => {}
                        }
                        depth == 0
                    });
                    let take = end.unwrap_or(rest.len());
                    self.at += take + usize::from(end.is_some());
                    self.state = State::Outside;
                    return rest.get(..take).map(|text| (start, text));
                }
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{decode, quote};
    use crate::ast::IdKind;

    #[track_caller]
    fn check(written: &str, kind: IdKind, text: &str) {
        assert_eq!(decode(written, kind), text, "{written}");
    }

    #[test]
    fn escapes() {
        check(r#""a\"b""#, IdKind::Quoted, r#"a"b"#);
        check(r#""\"""#, IdKind::Quoted, "\"");
        check(r#""\"\"""#, IdKind::Quoted, "\"\"");
        check(r#""a\\""#, IdKind::Quoted, r"a\\");
        check(r#""a\nb\l""#, IdKind::Quoted, r"a\nb\l");
        check("\"a\\\nb\"", IdKind::Quoted, "ab");
        check("\"a\\\r\nb\"", IdKind::Quoted, "ab");
        check("\"a\nb\"", IdKind::Quoted, "a\nb");
        check("\"\"", IdKind::Quoted, "");
        check("\"open\\\"", IdKind::Quoted, "open\"");
        check("\"open", IdKind::Quoted, "open");
    }

    #[test]
    fn other_forms() {
        check("<b <i>x</i>>", IdKind::Html, "b <i>x</i>");
        check("\"a\" + \"b\\\"\"", IdKind::Concatenated, "ab\"");
        check(
            "\"a\" // \"no\"\n + /* \"no\" */ \"b\"",
            IdKind::Concatenated,
            "ab",
        );
        check("gpt-5.4", IdKind::Extended, "gpt-5.4");
    }

    proptest! {
        #[test]
        fn quoting_is_undone_by_decoding(text in r#"[a-c"\\ \n]*"#) {
            let text = text.replace('\\', r"\\");
            let quoted = quote(&text);
            let kind = if quoted.starts_with('"') { IdKind::Quoted } else { IdKind::Bare };
            prop_assert_eq!(decode(&quoted, kind), text.as_str());
        }

        #[test]
        fn decoding_is_total(written in r#"["\\a<>+/* \n#é-]*"#) {
            for kind in [IdKind::Bare, IdKind::Quoted, IdKind::Html, IdKind::Concatenated] {
                decode(&written, kind);
            }
        }
    }
}
