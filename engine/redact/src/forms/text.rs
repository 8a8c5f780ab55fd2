//! A secret as text: as it is, percent-encoded or escaped, each character by itself.
//!
//! JSON within JSON doubles the backslashes again and again, and encoders differ in what they escape: Go spells `&` as
//! `\u0026`, PHP `/` as `\/`, Python `ä` as `\u00e4`. So any number of backslashes may be before what one can escape.

use super::anchor::{Anchor, pair};

/// Characters in an anchor.
const ANCHOR_LETTERS: usize = 4;

/// A shorter run of letters and digits is not an anchor by itself.
const SHORTEST_RUN: usize = 3;

/// Spellings of the first characters of a text at most: each that needs escaping may be escaped in several ways.
const MOST_SPELLINGS: usize = 256;

/// Bytes that one character takes at most: two escaped UTF-16 units, each behind several backslashes.
pub(super) const LONGEST_LETTER: usize = 24;

/// Backslashes before an escaped character at most: four JSON texts within each other.
const MOST_BACKSLASHES: usize = 16;

/// What a scan looks for: the first characters in all spellings, and letters and digits in a row, which nobody escapes.
pub(super) fn anchors(text: &[char]) -> Vec<Anchor> {
    let mut anchors = Vec::new();
    let run = run(text);
    if let Some((before, run)) = run {
        let text = run.iter().map(|one| *one as u8).collect();
        anchors.push(Anchor { text, before });
    }
    if run.is_none_or(|(before, _)| before > 0) {
        let spelled = spelled(text).into_iter();
        anchors.extend(spelled.map(|text| Anchor { text, before: 0 }));
    }
    anchors
}

/// The first letters and digits in a row, and how many characters are before them.
fn run(text: &[char]) -> Option<(usize, &[char])> {
    let find = |length: usize| {
        let mut windows = text.windows(length).enumerate();
        windows.find(|(_, window)| window.iter().all(char::is_ascii_alphanumeric))
    };
    find(ANCHOR_LETTERS).or_else(|| find(SHORTEST_RUN))
}

/// The spellings of the first characters.
fn spelled(text: &[char]) -> Vec<Vec<u8>> {
    let mut texts = vec![Vec::new()];
    for letter in text.iter().take(ANCHOR_LETTERS) {
        let spellings = spellings(*letter);
        if texts.len() * spellings.len() > MOST_SPELLINGS {
            break;
        }
        let longer = texts.iter().flat_map(|text: &Vec<u8>| {
            let with = |spelling: &Vec<u8>| [text.as_slice(), spelling].concat();
            spellings.iter().map(with)
        });
        texts = longer.collect();
    }
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// The usual spellings of a character.
fn spellings(letter: char) -> Vec<Vec<u8>> {
    let mut buffer = [0; 4];
    let bytes = letter.encode_utf8(&mut buffer).as_bytes().to_vec();
    if letter.is_ascii_alphanumeric() {
        return vec![bytes];
    }
    let percent = |spell: &dyn Fn(u8) -> String| -> Vec<u8> {
        let all = bytes.iter().map(|byte| spell(*byte));
        all.collect::<Vec<String>>().concat().into_bytes()
    };
    let mut all = vec![
        percent(&|byte| format!("%{byte:02x}")),
        percent(&|byte| format!("%{byte:02X}")),
    ];
    let mut units = [0; 2];
    for slashes in ["\\", "\\\\", "\\\\\\\\"] {
        let units = letter.encode_utf16(&mut units).iter();
        let (lower, upper): (Vec<String>, Vec<String>) = units
            .map(|unit| {
                (
                    format!("{slashes}u{unit:04x}"),
                    format!("{slashes}u{unit:04X}"),
                )
            })
            .unzip();
        all.extend([lower.concat().into_bytes(), upper.concat().into_bytes()]);
    }
    match letter {
        '\\' => all.extend([1, 2, 4].map(|count| vec![b'\\'; count])),
        ' ' => all.push(b"+".to_vec()),
        _ => {}
    }
    if let Some(short) = short_escape(letter) {
        all.extend([1, 2, 4].map(|count| [vec![b'\\'; count], vec![short]].concat()));
    } else if letter.is_ascii_punctuation() && letter != '\\' {
        all.extend([1, 2, 3, 4, 7].map(|count| [vec![b'\\'; count], bytes.clone()].concat()));
    }
    all.push(bytes);
    all
}

/// The length of a text at the beginning of another, if it is there as it is.
pub(super) fn as_it_is(rest: &[u8], text: &[char]) -> Option<usize> {
    let mut buffer = [0; 4];
    text.iter().try_fold(0, |at, letter| {
        let bytes = letter.encode_utf8(&mut buffer).as_bytes();
        rest.get(at..)?
            .starts_with(bytes)
            .then_some(at + bytes.len())
    })
}

/// The length of the spelling of `letter` that begins at `at`; `None` if it is none of it.
pub(super) fn step(hay: &[u8], at: usize, letter: char) -> Option<usize> {
    let rest = hay.get(at..)?;
    let slashes = backslashes(rest);
    let is_escaped = slashes > 0 || at > 0 && hay.get(at - 1) == Some(&b'\\');
    if letter == '\\' && is_escaped {
        // The next character may be a backslash or escaped too, with backslashes of its own.
        return code_units(rest, slashes, letter).or(Some(slashes));
    }
    if let Some(length) = plain(rest, letter) {
        return Some(length);
    }
    if !is_escaped {
        return None;
    }
    let after = rest.get(slashes..)?;
    if let Some(short) = short_escape(letter)
        && after.first() == Some(&short)
    {
        return Some(slashes + 1);
    }
    if !letter.is_ascii_alphanumeric()
        && let Some(length) = plain(after, letter)
    {
        return Some(slashes + length);
    }
    code_units(rest, slashes, letter)
}

/// A character as it is, or with its bytes percent-encoded.
fn plain(rest: &[u8], letter: char) -> Option<usize> {
    let mut buffer = [0; 4];
    let mut at = 0;
    for byte in letter.encode_utf8(&mut buffer).bytes() {
        at += match rest.get(at..)? {
            [b'%', high, low, ..] if pair(*high, *low) == Some(byte) => 3,
            [first, ..] if *first == byte => 1,
            [b'+', ..] if byte == b' ' => 1,
            _ => return None,
        };
    }
    Some(at)
}

/// `\u00e4`, or two of them.
fn code_units(rest: &[u8], slashes: usize, letter: char) -> Option<usize> {
    let mut units = [0; 2];
    let mut at = slashes;
    for (index, unit) in letter.encode_utf16(&mut units).iter().enumerate() {
        if index > 0 {
            at += backslashes(rest.get(at..)?);
        }
        let [b'u', a, b, c, d, ..] = rest.get(at..)? else {
            return None;
        };
        let found = u16::from(pair(*a, *b)?) << 8 | u16::from(pair(*c, *d)?);
        if found != *unit {
            return None;
        }
        at += 5;
    }
    Some(at)
}

fn backslashes(rest: &[u8]) -> usize {
    let run = rest.iter().take(MOST_BACKSLASHES);
    run.take_while(|byte| **byte == b'\\').count()
}

/// The letter that escapes a control character.
fn short_escape(letter: char) -> Option<u8> {
    match letter {
        '\n' => Some(b'n'),
        '\r' => Some(b'r'),
        '\t' => Some(b't'),
        '\u{8}' => Some(b'b'),
        '\u{c}' => Some(b'f'),
        _ => None,
    }
}
