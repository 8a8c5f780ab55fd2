//! Masks secrets in texts, JSON values and streams, and neutralises control characters.
//!
//! Two kinds: values that are known to be secret, in every form that programs print them in ([`forms`]), and the
//! shapes of well-known keys ([`shapes`]). Pure: who knows the values passes them in.
//!
//! ```
//! use attractor_redact::Redactor;
//! let redactor = Redactor::knowing(["correct horse"]);
//! assert_eq!(redactor.text("curl -d correct%20horse"), "curl -d [redacted]");
//! assert_eq!(redactor.text("Y29ycmVjdCBob3JzZQ=="), "[redacted]Q==");
//! ```
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod escapes;
mod forms;
mod known;
mod occurrence;
mod printable;
mod shapes;
mod stream;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use escapes::Plain;
use known::KnownSecrets;
use occurrence::Occurrence;
pub use printable::printable;
pub use stream::Scrubber;

/// The replacement of a secret.
pub const MASK: &str = "[redacted]";

/// Masks known values and the shapes of keys. A clone shares the automaton; the default knows no values.
#[derive(Clone, Default)]
pub struct Redactor {
    known: Option<Arc<KnownSecrets>>,
}

/// Never the values.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}

impl Redactor {
    /// Masks these values, and the shapes of keys. Values shorter than four bytes are left out: a text would not be
    /// readable without them.
    pub fn knowing<V: Into<String>>(values: impl IntoIterator<Item = V>) -> Self {
        let known = KnownSecrets::new(values.into_iter().map(Into::into).collect());
        Self {
            known: Some(Arc::new(known)),
        }
    }

    /// Masks one more value.
    #[must_use]
    pub fn and(&self, value: impl Into<String>) -> Self {
        let known = self.known.iter().flat_map(|known| known.values());
        Self::knowing(known.cloned().chain([value.into()]))
    }

    /// A text without secrets.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
        }
    }

    /// Bytes without secrets.
    pub fn bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        let found = self.find(bytes);
        if found.is_empty() {
            return Cow::Borrowed(bytes);
        }
        let mut masked = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for secret in found.into_iter().map(|found| found.range) {
            masked.extend_from_slice(bytes.get(at..secret.start).unwrap_or_default());
            masked.extend_from_slice(MASK.as_bytes());
            at = secret.end;
        }
        masked.extend_from_slice(bytes.get(at..).unwrap_or_default());
        Cow::Owned(masked)
    }

    /// A text whose secrets are drawn over with `*`, so that offsets and lines are those of the text.
    pub fn cover<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.find(text.as_bytes());
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut covered = text.as_bytes().to_vec();
        for secret in found {
            for byte in covered.get_mut(secret.range).into_iter().flatten() {
                if *byte != b'\n' {
                    *byte = b'*';
                }
            }
        }
        Cow::Owned(String::from_utf8_lossy(&covered).into_owned())
    }

    /// Whether a word may be the beginning of a secret.
    pub(crate) fn may_begin(&self, word: &[u8]) -> bool {
        let known = self.known.as_ref();
        known.is_some_and(|known| known.may_begin(word)) || shapes::may_begin(word)
    }

    /// Whether there is a secret in these bytes.
    pub fn finds(&self, bytes: &[u8]) -> bool {
        !self.find(bytes).is_empty()
    }

    /// Masks secrets in every text of a value, keys of objects included.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(masked) = self.text(text) {
                    *text = masked;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(table) => {
                if table.keys().any(|key| self.finds(key.as_bytes())) {
                    let fields = std::mem::take(table).into_iter();
                    table.extend(fields.map(|(key, item)| (self.text(&key).into_owned(), item)));
                }
                table.values_mut().for_each(|item| self.value(item));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Where secrets are: ascending, without overlaps.
    fn find(&self, bytes: &[u8]) -> Vec<Occurrence> {
        let mut found = self.find_in(bytes);
        if let Some(plain) = Plain::of(bytes) {
            let in_plain = self.find_in(&plain.bytes).into_iter();
            found.extend(in_plain.filter_map(|one| {
                let range = plain.original(&one.range)?;
                Some(Occurrence { range, ..one })
            }));
        }
        occurrence::merged(found)
    }

    fn find_in(&self, bytes: &[u8]) -> Vec<Occurrence> {
        let mut found: Vec<Occurrence> = shapes::find(bytes)
            .map(|range| Occurrence {
                is_open: range.end == bytes.len(),
                range,
            })
            .collect();
        if let Some(known) = &self.known {
            known.find(bytes, &mut found);
        }
        found
    }

    /// The length of the longest known value that spans lines.
    fn spanning(&self) -> usize {
        self.known.as_ref().map_or(0, |known| known.spanning())
    }
}

/// Masks what has the shape of a key in a text. Most texts are too short for one, and cost nothing.
pub fn mask_keys(text: &mut String) {
    if !has_long_word(text.as_bytes()) {
        return;
    }
    if let Cow::Owned(masked) = Redactor::default().text(text) {
        *text = masked;
    }
}

/// Whether a text has a word that is long enough for a key. A long word fills every window of the shortest length in
/// it, so most bytes need no look.
fn has_long_word(text: &[u8]) -> bool {
    const SHORTEST: usize = 16;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let mut rest = text;
    while let Some(window) = rest.first_chunk::<SHORTEST>() {
        let Some(gap) = window.iter().rposition(|byte| !is_part(byte)) else {
            return true;
        };
        rest = rest.get(gap + 1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests;
