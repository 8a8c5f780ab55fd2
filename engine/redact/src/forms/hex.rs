//! A secret in hexadecimal: in a row, with separators, and as tools print bytes in lines, with the offset before and
//! the characters after them.

use super::anchor::{Anchor, pair, windows};

/// Bytes in an anchor.
const ANCHOR_BYTES: usize = 4;

/// What separates each two bytes.
const SEPARATORS: [&str; 8] = [":", "-", ",", ", 0x", " 0x", "%", "\\x", "\\u00"];

/// Characters before the bytes of a line at most: a line break, the characters of the line before, an offset.
pub(super) const LONGEST_BREAK: usize = 128;

/// What is before the first whole byte of a line at most: the line break, an offset, and half a byte.
const LONGEST_START: usize = 24;

/// Digits of an offset.
const OFFSET: std::ops::RangeInclusive<usize> = 4..=16;

/// Bytes in a line that may be one of several at least.
const SHORTEST_LINE: usize = 8;

/// What a scan looks for. A line may end within one of the two windows, not within both.
pub(super) fn anchors(bytes: &[u8]) -> Vec<Anchor> {
    let windows = windows(bytes, ANCHOR_BYTES);
    let anchors = windows.flat_map(|(before, part)| {
        let texts = texts(part).into_iter();
        texts.map(move |text| Anchor { text, before })
    });
    anchors.collect()
}

fn texts(part: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for digits in [
        part.iter().map(|byte| format!("{byte:02x}")).collect(),
        part.iter()
            .map(|byte| format!("{byte:02X}"))
            .collect::<Vec<_>>(),
    ] {
        texts.extend(SEPARATORS.map(|separator| digits.join(separator).into_bytes()));
        // Bytes may be in groups: each place between two has a space or has none.
        let mut grouped = vec![String::new()];
        for (index, pair) in digits.iter().enumerate() {
            let separators: &[&str] = if index == 0 { &[""] } else { &["", " "] };
            let longer = grouped.iter().flat_map(|text: &String| {
                separators
                    .iter()
                    .map(move |one| format!("{text}{one}{pair}"))
            });
            grouped = longer.collect();
        }
        texts.extend(grouped.into_iter().map(String::into_bytes));
    }
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// The length of the spelling of `byte` that begins a text, with what separates it from the one before.
pub(super) fn step(rest: &[u8], byte: u8, done: usize) -> Option<usize> {
    let skipped = if done == 0 { 0 } else { separator(rest) };
    if is_pair(rest, skipped, byte) {
        return Some(skipped + 2);
    }
    let skipped = next_line(rest).filter(|_| done > 0)?;
    is_pair(rest, skipped, byte).then_some(skipped + 2)
}

fn is_pair(rest: &[u8], at: usize, byte: u8) -> bool {
    matches!(rest.get(at..), Some([high, low, ..]) if pair(*high, *low) == Some(byte))
}

/// The length of what separates two bytes of a line.
fn separator(rest: &[u8]) -> usize {
    const LONGEST: usize = 8;
    let mut at = 0;
    while at < LONGEST {
        at += match rest.get(at..).unwrap_or_default() {
            [b'\\', b'u', b'0', b'0', ..] => 4,
            [b'\\', b'x' | b'n' | b'r', ..] | [b'0', b'x', ..] => 2,
            [b'\\', b'\\', ..] | [b' ' | b'\t' | b'\r' | b'\n' | b':' | b'-' | b',' | b'%', ..] => {
                1
            }
            _ => break,
        };
    }
    at
}

/// The length of the rest of a line and of the offset that begins the next one.
fn next_line(rest: &[u8]) -> Option<usize> {
    let end = line_end(rest)?;
    let offset = offset(rest.get(end + 1..)?)?;
    Some(end + 1 + offset)
}

/// Where a line ends.
fn line_end(rest: &[u8]) -> Option<usize> {
    let mut bytes = rest.iter().take(LONGEST_BREAK);
    bytes.position(|byte| *byte == b'\n')
}

/// The length of an offset and what follows it: `00000010: `, `00000010  `, `0000020 `.
fn offset(line: &[u8]) -> Option<usize> {
    let is_digit = |byte: &&u8| byte.is_ascii_hexdigit();
    let digits = line.iter().take_while(is_digit).count();
    let after = line.get(digits..)?;
    let colon = usize::from(after.first() == Some(&b':'));
    let spaces = after
        .iter()
        .skip(colon)
        .take_while(|one| **one == b' ')
        .count();
    (OFFSET.contains(&digits) && spaces > 0).then_some(digits + colon + spaces)
}

/// The end of the line in which an occurrence ends if it has a column of characters, which show the secret too.
pub(super) fn with_characters(hay: &[u8], end: usize) -> usize {
    let rest = hay.get(end..).unwrap_or_default();
    let from = end.saturating_sub(LONGEST_BREAK);
    let before = hay.get(from..end).unwrap_or_default();
    let newline = before.iter().rposition(|byte| *byte == b'\n');
    let line = newline.map_or(before, |at| before.get(at + 1..).unwrap_or_default());
    let is_byte = |one: &u8| one.is_ascii_hexdigit() || *one == b' ';
    let bytes = offset(line).and_then(|start| line.get(start..));
    let is_dump = bytes.is_some_and(|bytes| bytes.iter().all(is_byte));
    if !is_dump || !rest.first().is_some_and(is_byte) {
        return end;
    }
    let line = rest.iter().take(LONGEST_BREAK);
    end + line
        .take_while(|byte| !matches!(byte, b'\n' | b'\r'))
        .count()
}

/// Whether nothing but the end of a line of bytes follows, and at most the beginning of the next one, which may continue
/// it.
pub(super) fn is_end_of_line(hay: &[u8], end: usize) -> bool {
    let end = with_characters(hay, end);
    let rest = hay.get(end..).unwrap_or_default();
    let is_part = |one: &u8| one.is_ascii_hexdigit() || b"\r\n :".contains(one);
    rest.len() <= LONGEST_START && rest.iter().all(is_part)
}

/// Whether a line may be one of several of bytes in hexadecimal.
pub(crate) fn is_line(line: &[u8]) -> bool {
    let start = offset(line).unwrap_or(0);
    let bytes = line.get(start..).unwrap_or_default();
    let words = bytes.split(|byte| matches!(byte, b' ' | b':'));
    let words = words.filter(|word| !word.is_empty());
    let is_bytes =
        |word: &&[u8]| word.len().is_multiple_of(2) && word.iter().all(u8::is_ascii_hexdigit);
    let count: usize = words.take_while(is_bytes).map(<[u8]>::len).sum();
    count / 2 >= SHORTEST_LINE
}
