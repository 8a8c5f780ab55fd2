//! The forms that programs print a secret in: as it is or JSON-escaped, either one with some of its bytes
//! percent-encoded, in hexadecimal, in base64.
//!
//! A [`Needle`] is one form of one secret. A scan looks for its [`Anchor`]s, short texts that are in every occurrence,
//! and [`Needle::around`] decides whether there is a secret around one. So spellings that differ from place to place
//! (which bytes are percent-encoded, the case of digits, separators, wrapped lines) need no text of their own.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::occurrence::Occurrence;

/// So many characters of a secret before a cut are masked too.
const SHORTEST_CUT: usize = 8;

/// Bytes in an anchor of a text or of hexadecimal digits.
const ANCHOR_BYTES: usize = 4;

/// Characters in an anchor of base64. With fewer determined characters a match could be an accident.
const ANCHOR_CHARACTERS: usize = 6;

/// Spellings of the first bytes of a text at most: each byte that needs escaping may be escaped.
const MOST_SPELLINGS: usize = 27;

/// What separates two bytes in hexadecimal where an anchor is looked for.
const HEX_SEPARATORS: [&str; 5] = ["", " ", ":", "%", "\\x"];

/// One form of one secret.
pub(crate) enum Needle {
    /// The bytes; each may be percent-encoded.
    Text(Vec<u8>),
    /// The bytes, as pairs of hexadecimal digits.
    Hex(Vec<u8>),
    /// The characters of its base64 that do not depend on what is before and after it.
    Base64(Vec<u8>),
}

/// A text that is in every occurrence of a needle.
pub(crate) struct Anchor {
    pub(crate) text: Vec<u8>,
    /// How much of the needle is before it: bytes or characters, by its form.
    pub(crate) before: usize,
}

/// How many bytes at the start of a text are one byte of a secret, its n-th, in some form; `None` if they are not.
type Step = fn(&[u8], u8, usize) -> Option<usize>;

impl Needle {
    /// The forms of a secret.
    pub(crate) fn of(secret: &str) -> Vec<Self> {
        let mut needles = Vec::new();
        for text in spellings(secret) {
            for offset in 0..3 {
                let core = base64_core(text.as_bytes(), offset);
                if core.len() >= ANCHOR_CHARACTERS {
                    needles.push(Self::Base64(core));
                }
            }
            needles.push(Self::Hex(text.clone().into_bytes()));
            needles.push(Self::Text(text.into_bytes()));
        }
        needles
    }

    /// What a scan looks for. Hexadecimal and base64 are wrapped to lines, so that one of two anchors may be
    /// interrupted.
    pub(crate) fn anchors(&self) -> Vec<Anchor> {
        match self {
            Self::Text(bytes) => text_anchors(bytes),
            Self::Hex(bytes) => windows(bytes, ANCHOR_BYTES)
                .flat_map(|(before, part)| {
                    hex_anchors(part).map(move |text| Anchor { text, before })
                })
                .collect(),
            Self::Base64(core) => windows(core, ANCHOR_CHARACTERS)
                .flat_map(|(before, part)| {
                    let url_safe: Vec<u8> = part.iter().map(|byte| url_safe(*byte)).collect();
                    let differs = url_safe != part;
                    let texts = [part.to_owned()].into_iter();
                    let texts = texts.chain(differs.then_some(url_safe));
                    texts.map(move |text| Anchor { text, before })
                })
                .collect(),
        }
    }

    /// The occurrence of this form around the anchor at `at`, of which `before` is before the anchor.
    pub(crate) fn around(&self, hay: &[u8], at: usize, before: usize) -> Option<Occurrence> {
        // A wrapped line may be between the two.
        let farthest = if before == 0 { 0 } else { before * 4 + 4 };
        let starts = (at.saturating_sub(farthest)..=at).rev();
        starts
            .filter_map(|start| self.from(hay, start))
            .find(|found| found.range.end > at)
    }

    /// The occurrence that starts at `start`, if there is one.
    fn from(&self, hay: &[u8], start: usize) -> Option<Occurrence> {
        let (wanted, step): (_, Step) = match self {
            Self::Text(bytes) => (bytes, text_step),
            Self::Hex(bytes) => (bytes, hex_step),
            Self::Base64(core) => (core, base64_step),
        };
        // A secret may hold what looks percent-encoded, so it is compared as it is first.
        if hay.get(start..)?.starts_with(wanted) {
            let range = start..start + wanted.len();
            let is_open = false;
            return Some(Occurrence { range, is_open });
        }
        let mut at = start;
        for (done, byte) in wanted.iter().enumerate() {
            let rest = hay.get(at..).unwrap_or_default();
            if let Some(length) = step(rest, *byte, done) {
                at += length;
                continue;
            }
            let is_open = rest.iter().all(|one| matches!(one, b'\n' | b'\r'));
            // Texts end at the ends of words without having been cut.
            let is_inside = !matches!(self, Self::Text(_)) || byte.is_ascii_alphanumeric();
            let is_cut = is_ellipsis(rest) || is_open && is_inside;
            let range = start..at;
            return (done >= SHORTEST_CUT && is_cut).then_some(Occurrence { range, is_open });
        }
        let range = start..at;
        Some(Occurrence {
            range,
            is_open: false,
        })
    }
}

/// Whether a text says that it was cut off here.
fn is_ellipsis(rest: &[u8]) -> bool {
    let signs: [&[u8]; 3] = ["…".as_bytes(), b"...", b"\\u2026"];
    signs.iter().any(|sign| rest.starts_with(sign))
}

/// The secret, and as it is spelled in a JSON text, in one with ASCII only, and in a JSON text within another.
fn spellings(secret: &str) -> Vec<String> {
    let json = |text: &str| {
        let quoted = serde_json::Value::from(text).to_string();
        quoted
            .get(1..quoted.len().saturating_sub(1))
            .map(str::to_owned)
    };
    let once = json(secret).unwrap_or_default();
    let twice = json(&once).unwrap_or_default();
    let slashes = once.replace('/', "\\/");
    let mut all = vec![secret.to_owned()];
    for text in [ascii(&once), once, slashes, twice] {
        if !text.is_empty() && !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// A JSON-escaped text with ASCII only.
fn ascii(text: &str) -> String {
    let mut units = [0; 2];
    text.chars().fold(String::new(), |mut out, letter| {
        if letter.is_ascii() {
            out.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut units) {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
        out
    })
}

/// The characters of the base64 of `bytes` after `offset` other bytes that are the same whatever surrounds them.
fn base64_core(bytes: &[u8], offset: usize) -> Vec<u8> {
    let mut padded = vec![0; offset];
    padded.extend_from_slice(bytes);
    let encoded = STANDARD_NO_PAD.encode(&padded).into_bytes();
    let first = (offset * 8).div_ceil(6);
    let end = padded.len() * 8 / 6;
    encoded.get(first..end).unwrap_or_default().to_owned()
}

/// The first and the second part of so many bytes, with what is before each.
fn windows(bytes: &[u8], size: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let parts = [0, size].into_iter();
    parts.filter_map(move |start| Some((start, bytes.get(start..start + size)?)))
}

fn hex_anchors(part: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    HEX_SEPARATORS.iter().flat_map(move |separator| {
        let join = |digits: &dyn Fn(&u8) -> String| {
            let pairs: Vec<String> = part.iter().map(digits).collect();
            pairs.join(separator).into_bytes()
        };
        let lower = join(&|byte| format!("{byte:02x}"));
        let upper = join(&|byte| format!("{byte:02X}"));
        let differs = lower != upper;
        [lower].into_iter().chain(differs.then_some(upper))
    })
}

/// The spellings of the first bytes of a text.
fn text_anchors(bytes: &[u8]) -> Vec<Anchor> {
    let mut texts = vec![Vec::new()];
    for byte in bytes.iter().take(ANCHOR_BYTES) {
        let spellings = byte_spellings(*byte);
        if texts.len() * spellings.len() > MOST_SPELLINGS {
            break;
        }
        let longer = texts.iter().flat_map(|text: &Vec<u8>| {
            let with = |spelling: &Vec<u8>| [text.as_slice(), spelling].concat();
            spellings.iter().map(with)
        });
        texts = longer.collect();
    }
    let anchors = texts.into_iter();
    anchors.map(|text| Anchor { text, before: 0 }).collect()
}

/// A byte as it is, and percent-encoded where an encoder would.
fn byte_spellings(byte: u8) -> Vec<Vec<u8>> {
    let mut all = vec![vec![byte]];
    if !byte.is_ascii_alphanumeric() {
        let upper = format!("%{byte:02X}").into_bytes();
        let lower = format!("%{byte:02x}").into_bytes();
        if upper != lower {
            all.push(lower);
        }
        all.push(upper);
    }
    if byte == b' ' {
        all.push(b"+".to_vec());
    }
    all
}

fn text_step(rest: &[u8], byte: u8, _: usize) -> Option<usize> {
    match rest {
        [b'%', high, low, ..] if pair(*high, *low) == Some(byte) => Some(3),
        [first, ..] if *first == byte => Some(1),
        [b'+', ..] if byte == b' ' => Some(1),
        _ => None,
    }
}

fn hex_step(rest: &[u8], byte: u8, done: usize) -> Option<usize> {
    let skipped = if done == 0 { 0 } else { hex_separator(rest) };
    match rest.get(skipped..)? {
        [high, low, ..] if pair(*high, *low) == Some(byte) => Some(skipped + 2),
        _ => None,
    }
}

/// The length of what separates two bytes in hexadecimal.
fn hex_separator(rest: &[u8]) -> usize {
    const LONGEST: usize = 8;
    let mut at = 0;
    while at < LONGEST {
        at += match rest.get(at..).unwrap_or_default() {
            [b'\\', b'x' | b'n' | b'r', ..] | [b'0', b'x', ..] => 2,
            [b' ' | b'\t' | b'\r' | b'\n' | b':' | b'-' | b',' | b'%', ..] => 1,
            _ => break,
        };
    }
    at
}

fn base64_step(rest: &[u8], byte: u8, done: usize) -> Option<usize> {
    let skipped = if done == 0 { 0 } else { line_break(rest) };
    let found = *rest.get(skipped)?;
    (found == byte || found == url_safe(byte)).then_some(skipped + 1)
}

/// The length of the line break of a wrapped text; it may be JSON-escaped.
fn line_break(rest: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += match rest.get(at..).unwrap_or_default() {
            [b'\\', b'n' | b'r', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ => return at,
        };
    }
}

/// The character in the alphabet for URLs.
fn url_safe(byte: u8) -> u8 {
    match byte {
        b'+' => b'-',
        b'/' => b'_',
        other => other,
    }
}

fn pair(high: u8, low: u8) -> Option<u8> {
    let digit = |one: u8| char::from(one).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
