//! Keeps keys out of messages and logs.

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::error::Error;

/// The replacement of a secret.
const MASK: &str = "[redacted]";

/// What keys look like: a prefix, then at least 16 letters, digits, `-` or `_`.
const PREFIXES: &[&str] = &[
    "sk-", "sk_", "AIza", "xai-", "gsk_", "hf_", "AQ.", "Bearer ",
];
const MIN_SECRET: usize = 16;

/// Replaces known secrets, and whatever looks like a key, in texts.
#[derive(Clone, Default)]
pub struct Redactor {
    secrets: Arc<Vec<SecretString>>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Redactor({} secrets)", self.secrets.len())
    }
}

impl Redactor {
    /// A redactor that knows these secrets.
    pub fn new(secrets: impl IntoIterator<Item = SecretString>) -> Self {
        let long_enough = |secret: &SecretString| secret.expose_secret().len() >= 6;
        Self {
            secrets: Arc::new(secrets.into_iter().filter(long_enough).collect()),
        }
    }

    /// The same redactor with one more secret.
    #[must_use]
    pub fn and(&self, secret: SecretString) -> Self {
        Self::new(self.secrets.iter().cloned().chain([secret]))
    }

    /// The text without secrets.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in self.secrets.iter() {
            if text.contains(secret.expose_secret()) {
                text = text.replace(secret.expose_secret(), MASK);
            }
        }
        for prefix in PREFIXES {
            text = redact_after(&text, prefix);
        }
        text
    }

    /// The value with every text in it redacted.
    pub fn redact_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.redact(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            Value::Object(fields) => fields
                .values_mut()
                .for_each(|field| self.redact_value(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The error with message and body redacted.
    #[must_use]
    pub fn redact_error(&self, mut error: Error) -> Error {
        let data = error.data_mut();
        data.message = self.redact(&data.message);
        if let Some(raw) = &mut data.raw {
            self.redact_value(raw);
        }
        error
    }
}

/// Masks what follows each prefix, if it is long enough to be a key.
fn redact_after(text: &str, prefix: &str) -> String {
    let mut rest = text;
    let mut out = String::with_capacity(text.len());
    while let Some((before, after)) = rest.split_once(prefix) {
        out.push_str(before);
        out.push_str(prefix);
        let is_key = |c: char| c.is_ascii_alphanumeric() || "-_.*".contains(c);
        let end = after.find(|c: char| !is_key(c)).unwrap_or(after.len());
        let (key, tail) = after.split_at(end);
        out.push_str(if key.len() >= MIN_SECRET { MASK } else { key });
        rest = tail;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_secrets_and_whatever_looks_like_a_key_are_masked() {
        let redactor = Redactor::new([SecretString::from("hunter2hunter2")]);
        let cases = [
            ("key hunter2hunter2 is wrong", "key [redacted] is wrong"),
            (
                "Incorrect API key provided: sk-proj-abcdefghij0123456789.",
                "Incorrect API key provided: sk-[redacted]",
            ),
            ("AIzaSyA1234567890abcdefgh, and", "AIza[redacted], and"),
            ("a sk-short one", "a sk-short one"),
            (
                "Authorization: Bearer abcdefghijklmnopqrst",
                "Authorization: Bearer [redacted]",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(redactor.redact(text), expected);
        }
    }

    #[test]
    fn values_are_redacted_all_the_way_down() {
        let mut value = serde_json::json!({"a": ["sk-abcdefghijklmnopqrstuvwx", 1]});
        Redactor::default().redact_value(&mut value);
        assert_eq!(value, serde_json::json!({"a": ["sk-[redacted]", 1]}));
    }
}
