//! From editor positions to byte offsets, and the changes a client reports, for the three encodings it may
//! choose.
//!
//! The one place that knows how editors count: zero-based lines that end with LF, CRLF or CR (and with
//! nothing else), and columns in UTF-8 bytes, UTF-16 units or UTF-32 characters. Everything a client can
//! send is accepted: a line past the end means the end of the text, a column past the end of its line
//! means the end of that line, a column inside a character means the start of that character. The way back
//! is in [`crate::line_index`].
//!
//! ```
//! use attractor_ide::position::{Encoding, Position, offset};
//! let rope = ropey::Rope::from_str("a\n🦀 b");
//! let after_crab = Position { line: 1, character: 2 };
//! assert_eq!(offset(&rope, after_crab, Encoding::Utf16), 6);
//! ```

use ropey::{Rope, RopeSlice};

/// How a client counts columns; negotiated when it connects (LSP 3.17, `positionEncoding`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units; what a client means that says nothing.
    #[default]
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

/// A zero-based line and column, the column counted in some [`Encoding`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 0.
    pub line: u32,
    /// Column within the line, from 0, in units of the encoding.
    pub character: u32,
}

/// One change a client reports: the new text of a range, or of the whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is replaced, start and end; `None` replaces everything.
    pub range: Option<(Position, Position)>,
    /// The new text.
    pub text: String,
}

/// The byte offset a position points at. Total: see the head of this module for what is clamped how.
pub fn offset(rope: &Rope, position: Position, encoding: Encoding) -> usize {
    rope.char_to_byte(char_index(rope, position, encoding))
}

/// Applies one change and returns the byte offset at its end. A range whose end lies before its start is read the other
/// way round.
pub fn apply(rope: &mut Rope, change: &Change, encoding: Encoding) -> usize {
    let Some((a, b)) = change.range else {
        let new = Rope::from_str(&change.text);
        let end = new.len_bytes() - common_suffix(rope, &new);
        *rope = new;
        return end;
    };
    let (a, b) = (char_index(rope, a, encoding), char_index(rope, b, encoding));
    let (start, end) = (a.min(b), a.max(b));
    rope.remove(start..end);
    rope.insert(start, &change.text);
    rope.char_to_byte(start) + change.text.len()
}

/// How many bytes at the end of two texts are the same.
fn common_suffix(left: &Rope, right: &Rope) -> usize {
    let left = left.chars_at(left.len_chars()).reversed();
    let right = right.chars_at(right.len_chars()).reversed();
    let pairs = left.zip(right);
    let same = pairs.take_while(|(left, right)| left == right);
    same.map(|(char, _)| char.len_utf8()).sum()
}

fn char_index(rope: &Rope, position: Position, encoding: Encoding) -> usize {
    let line = position.line as usize;
    if line >= rope.len_lines() {
        return rope.len_chars();
    }
    let text = content(rope.line(line));
    let column = position.character as usize;
    let chars = match encoding {
        Encoding::Utf8 => text.byte_to_char(column.min(text.len_bytes())),
        Encoding::Utf16 => text.utf16_cu_to_char(column.min(text.len_utf16_cu())),
        Encoding::Utf32 => column.min(text.len_chars()),
    };
    rope.line_to_char(line) + chars
}

/// A line without its line end.
fn content(line: RopeSlice<'_>) -> RopeSlice<'_> {
    let mut end = line.len_chars();
    let is = |at: usize, wanted: char| line.get_char(at) == Some(wanted);
    if end > 0 && is(end - 1, '\n') {
        end -= 1;
        if end > 0 && is(end - 1, '\r') {
            end -= 1;
        }
    } else if end > 0 && is(end - 1, '\r') {
        end -= 1;
    }
    line.get_slice(..end).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::line_index::Lines;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_count_in_the_units_of_the_encoding() {
        let rope = Rope::from_str("é🦀x\n");
        assert_eq!(offset(&rope, at(0, 3), Encoding::Utf16), 6);
    }

    #[test]
    fn a_column_inside_a_character_is_its_start() {
        let rope = Rope::from_str("🦀x");
        assert_eq!(offset(&rope, at(0, 1), Encoding::Utf16), 0);
        assert_eq!(offset(&rope, at(0, 3), Encoding::Utf8), 0);
    }

    #[test]
    fn what_lies_outside_is_clamped() {
        let rope = Rope::from_str("ab\r\ncd");
        assert_eq!(offset(&rope, at(0, 99), Encoding::Utf16), 2);
        assert_eq!(offset(&rope, at(9, 0), Encoding::Utf16), 6);
        assert_eq!(offset(&Rope::new(), at(4, 4), Encoding::Utf8), 0);
    }

    #[test]
    fn a_change_ends_after_its_new_text() {
        let end = |old: &str, range, text: &str| {
            let text = text.to_owned();
            let change = Change { range, text };
            apply(&mut Rope::from_str(old), &change, Encoding::Utf16)
        };
        assert_eq!(end("é b", Some((at(0, 1), at(0, 2))), "🦀"), 6);
        assert_eq!(end("a -> b; c", None, "a -> bé; c"), 8);
        assert_eq!(end("a -> b; c", None, "a; c"), 1);
    }

    #[test]
    fn a_change_may_name_its_range_backwards() {
        let mut rope = Rope::from_str("one two");
        let change = Change {
            range: Some((at(0, 7), at(0, 4))),
            text: "2".into(),
        };
        apply(&mut rope, &change, Encoding::Utf16);
        assert_eq!(rope.to_string(), "one 2");
    }

    fn texts() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("\n".to_owned()),
            Just("\r\n".to_owned()),
            Just("\r".to_owned()),
            Just("🦀".to_owned()),
            Just("\u{2028}".to_owned()),
            "[aé\\]\u{301}]{0,3}",
        ];
        proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// Every character boundary outside a CRLF survives the way to a position and back.
        #[test]
        fn offsets_survive_the_round_trip(text in texts()) {
            let (rope, lines) = (Rope::from_str(&text), Lines::new(&text));
            for encoding in ALL {
                for (byte, _) in text.char_indices() {
                    let inside_crlf = byte > 0
                        && text.as_bytes().get(byte - 1) == Some(&b'\r')
                        && text.as_bytes().get(byte) == Some(&b'\n');
                    let expected = if inside_crlf { byte - 1 } else { byte };
                    let position = lines.position(&text, byte, encoding);
                    prop_assert_eq!(offset(&rope, position, encoding), expected);
                }
            }
        }

        /// Any two numbers point somewhere: at a character boundary inside the text.
        #[test]
        fn every_position_has_an_offset(text in texts(), line in 0u32..40, character in 0u32..40) {
            let rope = Rope::from_str(&text);
            for encoding in ALL {
                prop_assert!(text.is_char_boundary(offset(&rope, at(line, character), encoding)));
            }
        }

        /// A change does to the rope what replacing the range does to the string.
        #[test]
        fn changes_do_what_they_say(text in texts(), new in texts(), a in (0u32..9, 0u32..9), b in (0u32..9, 0u32..9)) {
            let (a, b) = (at(a.0, a.1), at(b.0, b.1));
            for encoding in ALL {
                let mut rope = Rope::from_str(&text);
                let (from, to) = (offset(&rope, a, encoding), offset(&rope, b, encoding));
                let mut expected = text.clone();
                expected.replace_range(from.min(to)..from.max(to), &new);
                apply(&mut rope, &Change { range: Some((a, b)), text: new.clone() }, encoding);
                prop_assert_eq!(rope.to_string(), expected);
            }
        }
    }
}
