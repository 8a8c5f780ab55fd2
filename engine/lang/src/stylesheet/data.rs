//! JSON and TOML as one tree of values that know their bytes.

use std::ops::Range;

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use crate::LangError;

/// A value and its place.
pub(super) struct Data {
    pub(super) kind: Kind,
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
}

/// What a value is.
pub(super) enum Kind {
    Null,
    Text(String),
    /// A number, a boolean or a date, as text.
    Scalar(String),
    List(Vec<Data>),
    Table(Vec<Entry>),
}

/// A key of a table and its value.
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_range: Range<usize>,
    pub(super) value: Data,
}

/// Parses JSON.
pub(super) fn json(text: &str) -> Result<Data, LangError> {
    // The syntax is checked first, which bounds the depth too; then the places are collected.
    if let Err(error) = serde_json::from_str::<Value>(text) {
        let before = text.split_inclusive('\n').take(error.line().max(1) - 1);
        let line: usize = before.map(str::len).sum();
        let at = line + error.column().max(1) - 1;
        let message = error.to_string();
        let message = message
            .rsplit_once(" at line ")
            .map_or(&*message, |(message, _)| message);
        return Err(not_read(text, at..at + 1, "JSON", message));
    }
    let whole = JsonReader { text, at: 0 }.value();
    whole.ok_or_else(|| not_read(text, 0..1, "JSON", "no value"))
}

/// Parses TOML.
pub(super) fn toml(text: &str) -> Result<Data, LangError> {
    match DeTable::parse(text) {
        Ok(table) => Ok(of_toml(
            table.span(),
            &DeValue::Table(table.get_ref().clone()),
        )),
        Err(error) => Err(not_read(
            text,
            error.span().unwrap_or(0..1),
            "TOML",
            error.message(),
        )),
    }
}

pub(super) fn not_read(text: &str, range: Range<usize>, format: &str, reason: &str) -> LangError {
    let floor = |at: usize| {
        let mut boundaries = (0..=at.min(text.len())).rev();
        boundaries
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0)
    };
    let reason = reason.trim().replace('\n', "; ");
    LangError::new(
        floor(range.start)..floor(range.end),
        format!("invalid {format}: {reason}"),
    )
}

/// Reads valid JSON once more, with the places of its values.
struct JsonReader<'t> {
    text: &'t str,
    at: usize,
}

impl JsonReader<'_> {
    /// The next character that is neither a blank nor a comma or colon between values.
    fn next(&mut self) -> Option<char> {
        let rest = self.text.get(self.at..)?;
        let value = rest.trim_start_matches([' ', '\t', '\r', '\n', ',', ':']);
        self.at += rest.len() - value.len();
        value.chars().next()
    }

    fn value(&mut self) -> Option<Data> {
        let first = self.next()?;
        let start = self.at;
        let kind = match first {
            '{' => Kind::Table(self.until('}', Self::entry)?),
            '[' => Kind::List(self.until(']', Self::value)?),
            _ => match self.scalar()? {
                Value::Null => Kind::Null,
                Value::String(text) => Kind::Text(text),
                other => Kind::Scalar(other.to_string()),
            },
        };
        let range = start..self.at;
        Some(Data { kind, range })
    }

    fn entry(&mut self) -> Option<Entry> {
        self.next()?;
        let start = self.at;
        let key = self.scalar()?.as_str()?.to_owned();
        let key_range = start..self.at;
        let value = self.value()?;
        Some(Entry {
            key,
            key_range,
            value,
        })
    }

    /// What is inside the bracket that is next.
    fn until<T>(&mut self, end: char, one: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = Vec::new();
        self.at += 1;
        while self.next()? != end {
            all.push(one(self)?);
        }
        self.at += 1;
        Some(all)
    }

    fn scalar(&mut self) -> Option<Value> {
        let rest = self.text.get(self.at..)?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let value = values.next()?.ok()?;
        self.at += values.byte_offset();
        Some(value)
    }
}

fn of_toml(range: Range<usize>, value: &DeValue<'_>) -> Data {
    let kind = match value {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(number) => Kind::Scalar(
            i64::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| number.as_str().to_owned(), |number| number.to_string()),
        ),
        DeValue::Float(number) => Kind::Scalar(number.as_str().to_owned()),
        DeValue::Boolean(value) => Kind::Scalar(value.to_string()),
        DeValue::Datetime(date) => Kind::Scalar(date.to_string()),
        DeValue::Array(list) => {
            let values = list.iter();
            Kind::List(
                values
                    .map(|one| of_toml(one.span(), one.get_ref()))
                    .collect(),
            )
        }
        DeValue::Table(table) => {
            let entries = table.iter().map(|(key, value)| Entry {
                key: key.get_ref().to_string(),
                key_range: key.span(),
                value: of_toml(value.span(), value.get_ref()),
            });
            let mut entries: Vec<Entry> = entries.collect();
            // Tables are sorted by key; rules go by the order of the text.
            entries.sort_by_key(|entry| entry.key_range.start);
            Kind::Table(entries)
        }
    };
    Data { kind, range }
}
