//! The forms that programs print a secret in: as text that may be escaped or percent-encoded, in hexadecimal, in
//! base64.
//!
//! A [`Needle`] is one form of one secret. A scan looks for its [`Anchor`]s, short texts that are in every occurrence,
//! and [`Needle::around`] decides whether there is a secret around one. So spellings that differ from place to place
//! (which bytes are percent-encoded, the case of digits, separators, wrapped lines) need no text of their own.

mod anchor;
pub(crate) mod hex;
mod text;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::occurrence::Occurrence;
use anchor::windows;

pub(crate) use anchor::Anchor;

/// So many characters of a secret before a cut are masked too.
const SHORTEST_CUT: usize = 8;

/// Characters in an anchor of base64. With fewer determined characters a match could be an accident.
const ANCHOR_CHARACTERS: usize = 6;

/// One form of one secret.
pub(crate) enum Needle {
    /// The characters; each may be escaped or percent-encoded.
    Text(Vec<char>),
    /// The bytes, as pairs of hexadecimal digits.
    Hex(Vec<u8>),
    /// The characters of its base64 that do not depend on what is before and after it.
    Base64(Vec<u8>),
}

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
            needles.push(Self::Hex(text.into_bytes()));
        }
        needles.push(Self::Text(secret.chars().collect()));
        needles
    }

    /// What a scan looks for. Hexadecimal and base64 are wrapped to lines, so that one of two anchors may be
    /// interrupted.
    pub(crate) fn anchors(&self) -> Vec<Anchor> {
        match self {
            Self::Text(text) => text::anchors(text),
            Self::Hex(bytes) => hex::anchors(bytes),
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
        let farthest = match (before, self) {
            (0, _) => 0,
            (before, Self::Text(_)) => before * text::LONGEST_LETTER,
            // A line may end between the two.
            (before, Self::Hex(_)) => before * 6 + hex::LONGEST_BREAK,
            (before, Self::Base64(_)) => before * 4 + 4,
        };
        let starts = (at.saturating_sub(farthest)..=at).rev();
        starts
            .filter_map(|start| self.from(hay, start))
            .find(|found| found.range.end > at)
    }

    /// The occurrence that starts at `start`, if there is one.
    fn from(&self, hay: &[u8], start: usize) -> Option<Occurrence> {
        // A secret may hold what looks escaped, so it is compared as it is first.
        if let Self::Text(text) = self
            && let Some(length) = text::as_it_is(hay.get(start..)?, text)
        {
            let range = start..start + length;
            let is_open = false;
            return Some(Occurrence { range, is_open });
        }
        let mut at = start;
        for done in 0..self.length() {
            if let Some(length) = self.step(hay, at, done) {
                at += length;
                continue;
            }
            let rest = hay.get(at..).unwrap_or_default();
            let is_open = match self {
                Self::Hex(_) => hex::is_end_of_line(hay, at),
                Self::Text(_) | Self::Base64(_) => {
                    rest.iter().all(|one| matches!(one, b'\n' | b'\r'))
                }
            };
            let is_cut = is_ellipsis(rest) || is_open && self.is_inside(done);
            let range = start..self.end(hay, at);
            return (done >= SHORTEST_CUT && is_cut).then_some(Occurrence { range, is_open });
        }
        let range = start..self.end(hay, at);
        let is_open = false;
        Some(Occurrence { range, is_open })
    }

    /// Bytes or characters, by the form.
    fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Hex(bytes) | Self::Base64(bytes) => bytes.len(),
        }
    }

    /// How many bytes at `at` are the n-th byte or character of the needle; `None` if they are not.
    fn step(&self, hay: &[u8], at: usize, done: usize) -> Option<usize> {
        let rest = hay.get(at..)?;
        match self {
            Self::Text(text) => text::step(hay, at, *text.get(done)?),
            Self::Hex(bytes) => hex::step(rest, *bytes.get(done)?, done),
            Self::Base64(core) => base64_step(rest, *core.get(done)?, done),
        }
    }

    /// Whether a text that ends here was cut: texts end at the ends of words without having been.
    fn is_inside(&self, done: usize) -> bool {
        match self {
            Self::Text(text) => text.get(done).is_some_and(char::is_ascii_alphanumeric),
            Self::Hex(_) | Self::Base64(_) => true,
        }
    }

    fn end(&self, hay: &[u8], at: usize) -> usize {
        match self {
            Self::Hex(_) => hex::with_characters(hay, at),
            Self::Text(_) | Self::Base64(_) => at,
        }
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
