//! Requests in a form that is the same in another folder, on another machine, at another time.

use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::{NoExpand, Regex};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::{Error, ErrorKind};
use crate::redact::Redactor;
use crate::request::Request;

/// Times as RFC 3339 writes them, durations with a fraction as tools that build and test write them (`in 0.32s`), and
/// ULIDs, the ids of runs.
static VOLATILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?|\b\d+\.\d+ ?(s|ms|seconds)\b|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b",
    )
    .ok()
});

/// What differs between two runs of the same calls.
#[derive(Debug, Clone, Default)]
pub struct Normaliser {
    replacements: Vec<(String, String)>,
    masks: Vec<(Regex, String)>,
    redactor: Redactor,
}

impl Normaliser {
    /// Masks these secrets, times and ids of runs.
    pub const fn new(redactor: Redactor) -> Self {
        Self {
            replacements: Vec::new(),
            masks: Vec::new(),
            redactor,
        }
    }

    /// Puts `[name]` in place of a text, such as the path of the workspace; longer texts first.
    #[must_use]
    pub fn replace(mut self, text: impl Into<String>, name: &str) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.replacements.push((text, format!("[{name}]")));
            self.replacements
                .sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        }
        self
    }

    /// Puts `[name]` in place of what a pattern matches in requests.
    #[must_use]
    pub fn mask(mut self, pattern: Regex, name: &str) -> Self {
        self.masks.push((pattern, format!("[{name}]")));
        self
    }

    /// The request as it is recorded, without what only middleware sees.
    pub(super) fn request(&self, request: &Request) -> Result<Value, Error> {
        let mut value = to_value(request)?;
        if let Value::Object(fields) = &mut value {
            fields.shift_remove("metadata");
            fields.shift_remove("cache_key");
        }
        self.strings(&mut value, &request.redactor, true);
        Ok(value)
    }

    /// An answer as it is recorded; `caller` knows the secrets of who asked.
    pub(super) fn answer(&self, mut value: Value, caller: &Redactor) -> Value {
        self.strings(&mut value, caller, false);
        value
    }

    /// The events of an answer as they are recorded. What is masked in the text of all pieces of a part is masked in its
    /// first piece: a secret may lie across several.
    pub(super) fn events(&self, events: Vec<Value>, caller: &Redactor) -> Vec<Value> {
        let mut whole: IndexMap<(String, u64), String> = IndexMap::new();
        for event in &events {
            if let Some((part, text)) = delta(event) {
                whole.entry(part).or_default().push_str(text);
            }
        }
        whole.retain(|_, text| self.text(text, caller, false) != *text);
        let mut kept = Vec::with_capacity(events.len());
        for mut event in events {
            let part = delta(&event).map(|(part, _)| part);
            let Some(part) = part.filter(|part| whole.contains_key(part)) else {
                kept.push(self.answer(event, caller));
                continue;
            };
            // The other pieces are part of the first one.
            let text = whole.get_mut(&part).map(std::mem::take).unwrap_or_default();
            if !text.is_empty() {
                if let Some(field) = event.get_mut("text") {
                    *field = Value::from(text);
                }
                kept.push(self.answer(event, caller));
            }
        }
        kept
    }

    /// A recorded answer as it is replayed here.
    pub(super) fn restore(&self, value: &mut Value) {
        each_string(value, &|text| {
            let mut out = text.to_owned();
            for (text, placeholder) in &self.replacements {
                out = out.replace(placeholder.as_str(), text);
            }
            out
        });
    }

    fn strings(&self, value: &mut Value, caller: &Redactor, is_key: bool) {
        each_string(value, &|text| self.text(text, caller, is_key));
        // Names of fields too: those of the arguments of a call are the model's.
        caller.value(value);
        self.redactor.value(value);
    }

    fn text(&self, text: &str, caller: &Redactor, is_key: bool) -> String {
        let mut out = text.to_owned();
        for (text, placeholder) in &self.replacements {
            out = out.replace(text.as_str(), placeholder);
        }
        // Before what looks volatile, which could be a part of a secret.
        out = caller.text(&out).into_owned();
        out = self.redactor.text(&out).into_owned();
        if is_key {
            for (pattern, placeholder) in &self.masks {
                out = pattern
                    .replace_all(&out, NoExpand(placeholder))
                    .into_owned();
            }
            if let Some(volatile) = VOLATILE.as_ref() {
                out = volatile.replace_all(&out, "[volatile]").into_owned();
            }
        }
        out
    }
}

/// The part that an event adds text to, and the text.
fn delta(event: &Value) -> Option<((String, u64), &str)> {
    let kind = event.get("type")?.as_str()?;
    let part = event.get("part")?.as_u64()?;
    let text = event.get("text")?.as_str()?;
    Some(((kind.to_owned(), part), text))
}

fn each_string(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_string(item, change)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| each_string(field, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

pub(super) fn to_value(value: &impl serde::Serialize) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| {
        Error::new(
            ErrorKind::InvalidRequest,
            format!("cannot write the request as JSON: {error}"),
        )
    })
}

/// A short fingerprint of a value.
pub(super) fn fingerprint(value: &Value) -> String {
    let hash = Sha256::digest(value.to_string().as_bytes());
    let digits = hash.iter().take(16).flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
