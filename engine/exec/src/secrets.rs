//! Secret inputs of a run: handed to commands, kept in memory, stored nowhere.
//!
//! An input is secret when its name says so (`token`, `db_password`: the rule for variables of the
//! environment), or when its value is one of those variables' or has the shape of a well-known key. In the context, and
//! so in the journal and everywhere else, is a mask. Only a command sees the value, under the input's own name: a
//! text that happens to look like the mask never turns into a secret, and neither does anything a model writes. Models
//! do not receive it. A resumed run needs its secrets again.

use std::collections::BTreeMap;

use attractor_redact::{MASK, Redactor};
use serde_json::Value;
use ulid::Ulid;

use crate::redact::{is_secret_name, redactor};
use crate::secret_environment;

/// The secrets of one run, by name.
#[derive(Clone, Default)]
pub struct Secrets {
    values: BTreeMap<String, String>,
    /// Values that are masked as well, and that no command gets.
    masked: Vec<String>,
    /// Represents a value until it reaches the command; cannot be guessed.
    sign: String,
}

impl Secrets {
    /// Takes the secrets out of the inputs of a run; a mask stays in their place.
    pub fn take(inputs: &mut BTreeMap<String, Value>) -> Self {
        let redactor = redactor([]);
        let mut values = BTreeMap::new();
        for (name, value) in inputs {
            let text = match &*value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            if is_secret(name, &text, &redactor) {
                values.insert(name.clone(), text);
                *value = Value::from(MASK);
            }
        }
        Self::of(values)
    }

    /// Finds the secrets a run began with: among `inputs`, or in the environment.
    ///
    /// # Errors
    /// Some are in neither.
    pub fn recover(
        names: &[String],
        inputs: &BTreeMap<String, Value>,
    ) -> Result<Self, MissingSecrets> {
        let mut values = BTreeMap::new();
        let mut missing = Vec::new();
        for name in names {
            let value = match inputs.get(name) {
                Some(Value::String(text)) => Some(text.clone()),
                Some(other) => Some(other.to_string()),
                None => secret_environment::variable(&variable(name)),
            };
            match value {
                Some(value) => {
                    values.insert(name.clone(), value);
                }
                None => missing.push(name.clone()),
            }
        }
        if missing.is_empty() {
            return Ok(Self::of(values));
        }
        Err(MissingSecrets {
            variables: missing.iter().map(|name| variable(name)).collect(),
            names: missing,
        })
    }

    /// Masks these values too.
    #[must_use]
    pub fn masking(mut self, values: Vec<String>) -> Self {
        self.masked = values;
        self
    }

    fn of(values: BTreeMap<String, String>) -> Self {
        Self {
            values,
            masked: Vec::new(),
            sign: format!("<secret-{}:", Ulid::generate()),
        }
    }

    /// Puts them among the inputs of another run.
    pub fn put(self, inputs: &mut BTreeMap<String, Value>) {
        let values = self.values.into_iter();
        inputs.extend(values.map(|(name, value)| (name, Value::from(value))));
    }

    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.values.keys().cloned().collect()
    }

    /// Knows how to mask them.
    pub fn redactor(&self) -> Redactor {
        redactor(self.values.values().chain(&self.masked).map(String::as_str))
    }

    /// What a command's texts carry instead of the value under `name`, if `found` is its mask.
    pub fn sign(&self, name: &str, found: &Value) -> Option<Value> {
        let secret = found == MASK && self.values.contains_key(name);
        secret.then(|| Value::from(format!("{}{name}>", self.sign)))
    }

    /// A text with the values in the places of their signs.
    pub fn reveal(&self, text: String) -> String {
        if self.values.is_empty() || !text.contains(&self.sign) {
            return text;
        }
        self.values.iter().fold(text, |text, (name, value)| {
            text.replace(&format!("{}{name}>", self.sign), value)
        })
    }
}

/// Secrets that are neither among the inputs nor in the environment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("missing secrets: {}; expected as inputs, or in the environment as {}", names.join(", "), variables.join(", "))]
pub struct MissingSecrets {
    /// Their names.
    pub names: Vec<String>,
    /// The variables of the environment they are looked for in.
    pub variables: Vec<String>,
}

/// Whether an input is secret: by its name, or by its value.
pub fn is_secret(name: &str, text: &str, redactor: &Redactor) -> bool {
    is_secret_name(name) || redactor.text(text) != text
}

/// The variable of the environment a secret is looked for in: `db.password` in `DB_PASSWORD`.
fn variable(name: &str) -> String {
    name.chars()
        .map(|letter| match letter {
            letter if letter.is_ascii_alphanumeric() => letter.to_ascii_uppercase(),
            _ => '_',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_or_a_shape_makes_a_secret() {
        let mut inputs = BTreeMap::from([
            ("db_password".to_owned(), json!("pw")),
            ("token".to_owned(), json!(12345)),
            ("branch".to_owned(), json!("main")),
            ("header".to_owned(), json!("Bearer abcdefghijklmnopqrstuv")),
        ]);
        let secrets = Secrets::take(&mut inputs);
        assert_eq!(secrets.names(), ["db_password", "header", "token"]);
        assert_eq!(
            json!(inputs),
            json!({"branch": "main", "db_password": MASK, "header": MASK, "token": MASK})
        );
        let sign = secrets.sign("token", &json!(MASK)).unwrap();
        let text = format!("x {} {MASK}", sign.as_str().unwrap());
        assert_eq!(secrets.reveal(text), format!("x 12345 {MASK}"));
        assert_eq!(secrets.sign("token", &json!("another")), None);
        assert_eq!(secrets.sign("branch", &json!(MASK)), None);
    }

    #[test]
    fn missing_secrets_are_named() {
        let names = ["no_such.token".to_owned()];
        let missing = Secrets::recover(&names, &BTreeMap::new()).err().unwrap();
        assert_eq!(
            missing.to_string(),
            "missing secrets: no_such.token; expected as inputs, or in the environment as NO_SUCH_TOKEN"
        );
    }
}
