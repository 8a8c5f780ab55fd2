//! Keeps secrets out of everything that is stored or shown.
//!
//! Three sources: the secret inputs of a run, the values of this process's variables whose names say that
//! they are secret, and the shapes of well-known keys. Streams are cleaned where they enter ([`Scrubber`]),
//! results where they enter the run; what is stored or shown later is clean because nothing else is.

mod names;
mod printable;
mod stream;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use regex::bytes::Regex;
use serde_json::Value;

use crate::secret_environment;

pub(crate) use names::{is_secret_name, is_secret_variable};
use names::{login_of_url, secret_parts};
pub use printable::printable;
pub(crate) use stream::Scrubber;

/// The replacement of a secret.
pub const MASK: &str = "[redacted]";

/// Shorter values of variables are no secrets, and masking them would make texts unreadable.
const SHORTEST: usize = 8;

/// The same for inputs, whose names are chosen by their users.
const SHORTEST_INPUT: usize = 4;

/// Shapes of keys that do not occur by accident.
const SHAPES: &str = concat!(
    r"\bsk-[A-Za-z0-9_-]{20,}",
    r"|\bgh[pousr]_[A-Za-z0-9]{30,}",
    r"|\bgithub_pat_[A-Za-z0-9_]{30,}",
    r"|\bglpat-[A-Za-z0-9_-]{20,}",
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    r"|\bAIza[0-9A-Za-z_-]{35}",
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}",
    r"|\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    r"|(?i:\bbearer[\t ]+)[A-Za-z0-9._~+/=-]{20,}",
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.)*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
);

/// Knows the secrets of this process and of one run.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Values, longest first, then shapes. None masks nothing, which happens in tests only.
    secrets: Option<Arc<Regex>>,
    /// The length of the longest value that spans lines: a stream waits for so much.
    spanning: usize,
}

/// Never the values.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redactor")
    }
}

impl Redactor {
    /// Knows the variables of this process, and these values, which were given as secrets.
    pub fn with<'s>(inputs: impl IntoIterator<Item = &'s str>) -> Self {
        let variables: Vec<String> = secret_environment::secrets()
            .into_iter()
            .flat_map(|(name, value)| {
                let login = login_of_url(&value).map(str::to_owned);
                let parts = secret_parts(&name, &value);
                login.into_iter().chain(parts).chain([value])
            })
            .filter(|value| value.len() >= SHORTEST)
            .collect();
        let inputs: Vec<String> = inputs
            .into_iter()
            .filter(|value| value.len() >= SHORTEST_INPUT)
            .map(str::to_owned)
            .collect();
        if inputs.is_empty() {
            Self::of_environment(variables)
        } else {
            Self::knowing(variables.into_iter().chain(inputs))
        }
    }

    /// The redactor of runs without secret inputs. They share one: its automata take a hundred kilobytes.
    fn of_environment(variables: Vec<String>) -> Self {
        static SHARED: Mutex<Option<(Vec<String>, Redactor)>> = Mutex::new(None);
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        match &*shared {
            Some((known, redactor)) if *known == variables => redactor.clone(),
            _ => {
                let redactor = Self::knowing(variables.clone());
                *shared = Some((variables, redactor.clone()));
                redactor
            }
        }
    }

    /// Masks these values.
    fn knowing(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<String> = values.into_iter().collect();
        // A secret inside another one must not leave a rest of the longer one.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        let spanning = values
            .iter()
            .filter(|value| value.contains('\n'))
            .map(String::len)
            .max()
            .unwrap_or(0);
        let known = values.iter().map(|value| regex::escape(value));
        let pattern = known.chain([SHAPES.to_owned()]).collect::<Vec<_>>();
        let secrets = match Regex::new(&format!("(?-u){}", pattern.join("|"))) {
            Ok(secrets) => Some(Arc::new(secrets)),
            Err(error) => {
                tracing::error!(%error, "secrets cannot be masked");
                None
            }
        };
        Self { secrets, spanning }
    }

    /// A text without secrets.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
        }
    }

    /// Whether there is a secret in these bytes.
    pub fn finds(&self, bytes: &[u8]) -> bool {
        let secrets = self.secrets.as_ref();
        secrets.is_some_and(|secrets| secrets.is_match(bytes))
    }

    /// Bytes without secrets.
    fn bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        match &self.secrets {
            Some(secrets) => secrets.replace_all(bytes, MASK.as_bytes()),
            None => Cow::Borrowed(bytes),
        }
    }

    /// Masks secrets in every text of a value.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(masked) = self.text(text) {
                    *text = masked;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(table) => table.values_mut().for_each(|item| self.value(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_and_known_shapes_are_masked() {
        let redactor = Redactor::knowing(["hunter2hunter2".to_owned(), "a.b|c".to_owned()]);
        let key = format!("sk-{}", "a1B2".repeat(8));
        for (text, expected) in [
            ("key=hunter2hunter2;", "key=[redacted];"),
            ("a.b|c, but not axb|c", "[redacted], but not axb|c"),
            (key.as_str(), "[redacted]"),
            (
                "Authorization: Bearer abcdefghijklmnopqrstu",
                "Authorization: [redacted]",
            ),
            ("AKIAIOSFODNN7EXAMPLE", "[redacted]"),
            ("task-force and sk-1 é", "task-force and sk-1 é"),
        ] {
            assert_eq!(redactor.text(text), expected);
        }
    }

    #[test]
    fn redactors_without_inputs_share_their_automata() {
        let shared = |left: &Redactor, right: &Redactor| match (&left.secrets, &right.secrets) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            _ => false,
        };
        let first = Redactor::with([]);
        assert!(shared(&first, &Redactor::with([])));
        assert!(!shared(&first, &Redactor::with(["k1y2"])));
        let changed = Redactor::of_environment(vec!["hunter2hunter2".to_owned()]);
        assert_eq!(changed.text("hunter2hunter2"), MASK);
    }

    #[test]
    fn inputs_may_be_shorter_than_variables() {
        assert_eq!(
            Redactor::with(["k1y2"]).text("it is k1y2"),
            "it is [redacted]"
        );
        assert_eq!(Redactor::with(["a"]).text("a banana"), "a banana");
    }
}
