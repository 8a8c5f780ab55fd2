//! How a file writes its text: a byte order mark, and its line ends. A model writes neither; an edit keeps both.

use std::borrow::Cow;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// How a file writes its text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TextFormat {
    /// It begins with a byte order mark.
    pub(crate) mark: bool,
    /// Its lines end with CR LF.
    pub(crate) crlf: bool,
}

impl TextFormat {
    /// The format of a file: that of most of its lines.
    pub(crate) fn of(content: &[u8]) -> Self {
        let mut newlines = 0_usize;
        let mut crlf = 0_usize;
        for at in memchr::memchr_iter(b'\n', content) {
            newlines += 1;
            crlf += usize::from(
                content
                    .get(..at)
                    .is_some_and(|before| before.ends_with(b"\r")),
            );
        }
        Self {
            mark: content.starts_with(MARK),
            crlf: crlf * 2 > newlines,
        }
    }

    /// A text with the line ends of the file.
    pub(crate) fn line_ends(self, text: &str) -> Cow<'_, str> {
        if self.crlf && text.contains('\n') {
            Cow::Owned(text.replace("\r\n", "\n").replace('\n', "\r\n"))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// A whole file with this text.
    pub(crate) fn encode(self, text: &str) -> Vec<u8> {
        let text = self.line_ends(text);
        let mark = if self.mark && !text.as_bytes().starts_with(MARK) {
            MARK
        } else {
            b""
        };
        [mark, text.as_bytes()].concat()
    }

    /// The content of a file without its byte order mark.
    pub(crate) fn without_mark(content: &[u8]) -> &[u8] {
        content.strip_prefix(MARK).unwrap_or(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(before: &str, text: &str) -> String {
        let content = TextFormat::of(before.as_bytes()).encode(text);
        String::from_utf8(content).unwrap()
    }

    #[test]
    fn the_format_of_the_file_is_used_for_new_text() {
        assert_eq!(rewritten("a\r\nb\r\n", "x\ny\n"), "x\r\ny\r\n");
        assert_eq!(rewritten("a\r\nb\r\n", "x\r\ny\n"), "x\r\ny\r\n");
        assert_eq!(rewritten("a\nb\n", "x\ny\n"), "x\ny\n");
        assert_eq!(rewritten("a\nb\nc\r\n", "x\n"), "x\n");
        assert_eq!(rewritten("\u{feff}a\n", "x\n"), "\u{feff}x\n");
        assert_eq!(rewritten("\u{feff}a\n", "\u{feff}x\n"), "\u{feff}x\n");
        assert_eq!(rewritten("", "x\n"), "x\n");
    }
}
