//! Texts without the escape sequences of terminals: a colour in the middle of a secret does not hide it, as who prints or
//! stores the text may leave the colours out.

const ESCAPE: u8 = 0x1b;

/// A text without its sequences, and where its bytes are in the text with them.
pub(crate) struct Plain {
    pub(crate) bytes: Vec<u8>,
    places: Vec<usize>,
}

impl Plain {
    /// None of a text that has no sequences.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        if !bytes.contains(&ESCAPE) {
            return None;
        }
        let mut plain = Self {
            bytes: Vec::with_capacity(bytes.len()),
            places: Vec::with_capacity(bytes.len()),
        };
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if *byte == ESCAPE {
                at += sequence(bytes.get(at..).unwrap_or_default());
            } else {
                plain.bytes.push(*byte);
                plain.places.push(at);
                at += 1;
            }
        }
        Some(plain)
    }

    /// Where a range of the plain text is in the text with sequences.
    pub(crate) fn original(
        &self,
        range: &std::ops::Range<usize>,
    ) -> Option<std::ops::Range<usize>> {
        let start = *self.places.get(range.start)?;
        let last = *self.places.get(range.end.checked_sub(1)?)?;
        Some(start..last + 1)
    }
}

/// The length of the sequence that a text begins with: `ESC [ … letter`, or `ESC` and one byte.
fn sequence(bytes: &[u8]) -> usize {
    let Some(b'[') = bytes.get(1) else {
        return 2;
    };
    let end = bytes
        .iter()
        .skip(2)
        .position(|byte| (0x40..=0x7e).contains(byte));
    end.map_or(bytes.len(), |end| end + 3)
}
