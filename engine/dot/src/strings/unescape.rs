//! The second step of reading a string: the escapes `\n`, `\t` and `\\` that pipelines decode and
//! Graphviz leaves to its attributes (Attractor specification, section 2.2: string escapes).
//! Any other backslash stays as written, so that `\d` in a pattern or `\l` in a label survive.

use std::borrow::Cow;

/// Decodes `\n`, `\t` and `\\` in text whose quotes are already decoded.
///
/// ```
/// use attractor_dot::strings::unescape;
/// assert_eq!(unescape(r"one\ntwo"), "one\ntwo");
/// assert_eq!(unescape(r"printf '\\n' \d"), r"printf '\n' \d");
/// ```
pub fn unescape(text: &str) -> Cow<'_, str> {
    if text.contains('\\') {
        Cow::Owned(runs(text).map(|run| run.text).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// A piece of unescaped text and the offset, in the escaped text, that it is for.
pub(super) struct Unescaped<'t> {
    pub(super) offset: usize,
    pub(super) text: &'t str,
}

/// Cuts `text` into runs that are taken over and characters that an escape is for.
pub(super) fn runs(text: &str) -> impl Iterator<Item = Unescaped<'_>> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let rest = text.get(offset..).filter(|rest| !rest.is_empty())?;
        let start = offset;
        if let Some(replacement) = escape(rest) {
            offset += 2;
            return Some(Unescaped {
                offset: start,
                text: replacement,
            });
        }
        // From the second byte on: the first does not end an escape, but it may be a backslash.
        let length = rest
            .char_indices()
            .skip(1)
            .find(|&(at, c)| c == '\\' && rest.get(at..).and_then(escape).is_some())
            .map_or(rest.len(), |(at, _)| at);
        offset += length;
        Some(Unescaped {
            offset: start,
            text: rest.get(..length).unwrap_or_default(),
        })
    })
}

fn escape(rest: &str) -> Option<&'static str> {
    match rest.as_bytes() {
        [b'\\', b'n', ..] => Some("\n"),
        [b'\\', b't', ..] => Some("\t"),
        [b'\\', b'\\', ..] => Some("\\"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::unescape;

    #[test]
    fn escapes() {
        assert_eq!(unescape("plain"), "plain");
        assert_eq!(unescape(r"a\nb\tc\\d"), "a\nb\tc\\d");
        assert_eq!(unescape(r"\\n"), r"\n");
        assert_eq!(unescape(r"\d\l\é\"), r"\d\l\é\");
        assert_eq!(unescape(r"\\\n"), "\\\n");
    }

    proptest! {
        #[test]
        fn is_total_and_undone_by_doubling(text in r#"[a-c\\nté]*"#) {
            unescape(&text);
            let doubled = text.replace('\\', r"\\");
            prop_assert_eq!(unescape(&doubled), text.as_str());
        }
    }
}
