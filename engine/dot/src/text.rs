//! From the bytes of a file to its text.
//!
//! DOT files are UTF-8, with or without a byte order mark. An older file may be Latin-1 and say so
//! (`charset=latin1`), which Graphviz honours and so does this. Anything else is read with the
//! replacement character where it is not UTF-8, and the note says so.

use std::fmt;

/// What was unusual about the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodingNote {
    /// The file is not UTF-8 and declares Latin-1; it was read as that.
    Latin1,
    /// Neither UTF-8 nor declared otherwise; the first offending byte, and the text has `U+FFFD` for what could not be read.
    Lossy {
        /// Offset of the first byte that is not UTF-8.
        offset: usize,
    },
}

impl fmt::Display for EncodingNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latin1 => f.write_str(
                "the file is Latin-1, as its `charset` says; save it as UTF-8 to be safe",
            ),
            Self::Lossy { offset } => write!(
                f,
                "the file is not UTF-8 (byte {offset}) and names no other `charset`; save it as UTF-8, or add `charset=latin1` if that is what it is"
            ),
        }
    }
}

/// The text of a file, without a byte order mark, and a note when it was not plain UTF-8.
///
/// ```
/// let (text, note) = attractor_dot::text::decode(b"graph { charset=latin1; caf\xe9 }");
/// assert!(text.contains("café") && note.is_some());
/// ```
pub fn decode(bytes: &[u8]) -> (String, Option<EncodingNote>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        // A program file may hold the words by chance; it also holds zero bytes, which no text does.
        Err(_) if declares_latin1(bytes) && !bytes.contains(&0) => (
            bytes.iter().map(|&byte| char::from(byte)).collect(),
            Some(EncodingNote::Latin1),
        ),
        Err(error) => {
            let note = EncodingNote::Lossy {
                offset: error.valid_up_to(),
            };
            (String::from_utf8_lossy(bytes).into_owned(), Some(note))
        }
    }
}

/// The names Graphviz knows Latin-1 by.
const LATIN1: [&str; 7] = [
    "latin1",
    "latin-1",
    "l1",
    "iso-8859-1",
    "iso_8859-1",
    "iso8859-1",
    "iso-ir-100",
];

/// Whether the bytes hold an assignment `charset = NAME` of a Latin-1 name.
fn declares_latin1(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    text.match_indices("charset").any(|(at, word)| {
        let after = text.get(at + word.len()..).unwrap_or_default();
        let value = after
            .trim_start_matches(['"', ' ', '\t', '\r', '\n'])
            .strip_prefix('=');
        let value = value
            .unwrap_or_default()
            .trim_start()
            .trim_start_matches('"');
        let end = value
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
            .unwrap_or(value.len());
        LATIN1.contains(&value.get(..end).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::{EncodingNote, decode};

    #[test]
    fn encodings() {
        assert_eq!(
            decode("\u{feff}graph{é}".as_bytes()),
            ("graph{é}".to_owned(), None)
        );
        assert_eq!(
            decode(b"graph{\"charset\" = \"ISO-8859-1\" \xe9}").1,
            Some(EncodingNote::Latin1)
        );
        assert_eq!(
            decode(b"graph{charset=utf8 \xe9}").1,
            Some(EncodingNote::Lossy { offset: 19 })
        );
    }
}
