//! What a scan looks for, and how the parts of a needle are read.

/// A text that is in every occurrence of a needle.
pub(crate) struct Anchor {
    pub(crate) text: Vec<u8>,
    /// How much of the needle is before it: bytes or characters, by its form.
    pub(crate) before: usize,
}

/// The first and the second part of so many bytes, with what is before each.
pub(super) fn windows(bytes: &[u8], size: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let parts = [0, size].into_iter();
    parts.filter_map(move |start| Some((start, bytes.get(start..start + size)?)))
}

/// The byte that two hexadecimal digits are.
pub(super) fn pair(high: u8, low: u8) -> Option<u8> {
    let digit = |one: u8| char::from(one).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
