//! From the written form of an identifier to what it says.

use std::borrow::Cow;

use crate::TokenKind;
use crate::ast::IdKind;
use crate::parse::lexer::lex;

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
            _ => Cow::Owned(joined(written, kind)),
        },
        IdKind::Concatenated => Cow::Owned(joined(written, kind)),
    }
}

fn joined(written: &str, kind: IdKind) -> String {
    let pieces = pieces(written, kind);
    pieces.into_iter().map(|(_, text)| text).collect()
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
pub(super) fn pieces(written: &str, kind: IdKind) -> Vec<(usize, &str)> {
    match kind {
        IdKind::Bare | IdKind::Numeral | IdKind::Extended => vec![(0, written)],
        IdKind::Html => {
            let offset = usize::from(written.starts_with('<'));
            vec![(offset, html_content(written))]
        }
        IdKind::Quoted => string_pieces(written).collect(),
        IdKind::Concatenated => {
            let tokens = lex(written, &[]);
            let pieces = tokens.solid().flat_map(|token| {
                let (offset, part) = (token.range.start(), token.range.text(written));
                let pieces = match token.kind {
                    TokenKind::String => pieces(part, IdKind::Quoted),
                    TokenKind::Html => pieces(part, IdKind::Html),
                    _ => Vec::new(),
                };
                let of_all = move |(at, piece)| (offset + at, piece);
                pieces.into_iter().map(of_all)
            });
            pieces.collect()
        }
    }
}

fn html_content(written: &str) -> &str {
    let inside = written.strip_prefix('<').unwrap_or(written);
    inside.strip_suffix('>').unwrap_or(inside)
}

/// Cuts `"a\"b"` into `a` and `"b`. A quote inside that is not escaped, as in a broken string, is text.
fn string_pieces(written: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = written.as_bytes();
    let mut start = 1;
    let pieces = std::iter::from_fn(move || {
        let begin = start;
        // The quote that an escape leaves is the first byte of the next piece.
        let is_escaped = begin > 1 && bytes.get(begin - 1) == Some(&b'\\');
        let mut at = begin + usize::from(is_escaped);
        let length = loop {
            match bytes.get(at..)? {
                [] if begin >= at => return None,
                [] | [b'"'] | [b'\\', b'"', ..] => break 1,
                [b'\\', b'\n', ..] => break 2,
                [b'\\', b'\r', b'\n', ..] => break 3,
                [b'\\', b'\\', ..] => at += 2,
                _ => at += 1,
            }
        };
        start = at + length;
        Some((begin, written.get(begin..at).unwrap_or_default()))
    });
    pieces.filter(|(_, piece)| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::decode;
    use crate::ast::IdKind;
    use crate::strings::quote;

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
    fn quotes_inside_of_a_broken_string_are_text() {
        check(r#""say "hi" \"now\"""#, IdKind::Quoted, r#"say "hi" "now""#);
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
