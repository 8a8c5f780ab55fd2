//! Reads a configuration file entry by entry, with the place of each, and collects what is wrong.

use std::fmt;
use std::time::Duration;

use attractor_lang::duration;
use attractor_model::catalogue::nearest;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// Something in a configuration file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub message: String,
    /// Whether a policy may be lost by it, so that nothing runs, in the user's file too.
    pub loses_policy: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Value,
    /// Where the key is, in bytes.
    pub(super) at: usize,
    /// Where the value is, in bytes.
    pub(super) value_at: usize,
    /// What is inside, when the value is a table.
    inside: Vec<Entry>,
}

/// One file.
pub(super) struct Reader<'t> {
    text: &'t str,
    found: Vec<Finding>,
    /// Whether what is read decides what may be done.
    is_policy: bool,
}

/// A problem at a byte of the text.
struct Finding {
    at: usize,
    message: String,
    loses_policy: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            found: Vec::new(),
            is_policy: false,
        }
    }

    /// The entries of the file; none, and a problem, when it is not TOML.
    pub(super) fn root(&mut self) -> Vec<Entry> {
        match DeTable::parse(self.text) {
            Ok(table) => entries(table.get_ref()),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                // What else is in the file is not known.
                self.is_policy = true;
                self.report(at, format!("this is not TOML: {}", error.message()));
                Vec::new()
            }
        }
    }

    /// The entries of a section; none, and a problem, when it is something else.
    pub(super) fn section(&mut self, entry: &Entry) -> Vec<Entry> {
        if !entry.value.is_table() {
            let (key, value) = (&entry.key, &entry.value);
            let message = format!("`{key}` is {value}; expected a section: [{key}]");
            self.report(entry.value_at, message);
        }
        entry.inside.clone()
    }

    /// A list of texts.
    pub(super) fn strings(&mut self, entry: &Entry, name: &str) -> Option<Vec<String>> {
        let items = entry.value.as_array();
        let texts: Option<Vec<String>> = items.and_then(|items| {
            items
                .iter()
                .map(|item| string(item).map(str::to_owned))
                .collect()
        });
        if texts.is_none() {
            let message = format!("`{name}` is {}; expected a list of strings", entry.value);
            self.report(entry.value_at, message);
        }
        texts
    }

    /// A text.
    pub(super) fn text(&mut self, entry: &Entry, name: &str) -> Option<String> {
        let text = string(&entry.value).map(str::to_owned);
        if text.is_none() {
            let message = format!("`{name}` is {}; expected a string", entry.value);
            self.report(entry.value_at, message);
        }
        text
    }

    /// A table of texts. A value may be a secret, which no message repeats.
    pub(super) fn secret_texts(&mut self, entry: &Entry, name: &str) -> Vec<(String, String)> {
        if !entry.value.is_table() {
            self.report(
                entry.value_at,
                format!("`{name}` is not a table; expected {{ NAME = \"VALUE\" }}"),
            );
            return Vec::new();
        }
        let mut texts = Vec::new();
        for one in entry.inside.clone() {
            match one.value.as_str() {
                Some(text) => texts.push((one.key, text.to_owned())),
                None => self.report(one.value_at, format!("`{name}.{}` is not a text", one.key)),
            }
        }
        texts
    }

    /// Yes or no.
    pub(super) fn boolean(&mut self, entry: &Entry, name: &str) -> Option<bool> {
        let found = entry.value.as_bool();
        if found.is_none() {
            let message = format!("`{name}` is {}; expected true or false", entry.value);
            self.report(entry.value_at, message);
        }
        found
    }

    /// A whole number in a range.
    pub(super) fn number(
        &mut self,
        entry: &Entry,
        name: &str,
        least: u32,
        most: u32,
    ) -> Option<u32> {
        let number = entry
            .value
            .as_integer()
            .and_then(|number| number.try_into().ok());
        let number = number.filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let value = &entry.value;
            let message = format!("`{name}` is {value}; expected a number from {least} to {most}");
            self.report(entry.value_at, message);
        }
        number
    }

    /// A duration of more than nothing, as attributes have it.
    pub(super) fn duration(&mut self, entry: &Entry, name: &str) -> Option<Duration> {
        let found = string(&entry.value).and_then(duration::parse);
        let found = found.filter(|time| !time.is_zero());
        if found.is_none() {
            let message = format!(
                "`{name}` is {}; expected a duration such as \"90s\"",
                entry.value
            );
            self.report(entry.value_at, message);
        }
        found
    }

    /// Reports a name that does not exist; `known` are those that do.
    pub(super) fn unknown<'k>(
        &mut self,
        entry: &Entry,
        what: &str,
        known: impl Iterator<Item = &'k str> + Clone,
    ) {
        let key = &entry.key;
        let message = match nearest(key, known.clone()) {
            Some(near) => format!("unknown {what} `{key}`; did you mean `{near}`?"),
            None if what == "rule" => {
                format!("unknown rule `{key}`; `attractor lints` lists the rules")
            }
            None => {
                let known: Vec<&str> = known.collect();
                format!(
                    "unknown {what} `{key}`; expected one of {}",
                    known.join(", ")
                )
            }
        };
        self.report(entry.at, message);
    }

    /// How many problems have been reported.
    pub(super) fn problem_count(&self) -> usize {
        self.found.len()
    }

    /// Reports a problem at a byte of the text.
    pub(super) fn report(&mut self, at: usize, message: String) {
        self.found.push(Finding {
            at,
            message,
            loses_policy: self.is_policy,
        });
    }

    /// Reads something that decides what may be done: its problems lose a policy.
    pub(super) fn policy<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.is_policy, true);
        let value = read(self);
        self.is_policy = before;
        value
    }

    /// What was wrong, in the order of the file.
    pub(super) fn problems(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|found| found.at);
        let text = self.text;
        let place = |found: Finding| {
            let before = text.get(..found.at).unwrap_or(text);
            let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
            Problem {
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                message: found.message,
                loses_policy: found.loses_policy,
            }
        };
        self.found.into_iter().map(place).collect()
    }
}

/// The text of a value that is one.
pub(super) fn string(value: &Value) -> Option<&str> {
    value.as_str()
}

/// The entries of a list of tables, each table with its position; `None` for an item that is not a table.
pub(super) fn tables(entry: &Entry) -> Vec<Option<Vec<Entry>>> {
    let items = entry.value.as_array().into_iter().flatten().enumerate();
    items
        .map(|(at, item)| {
            let prefix = format!("{at}.");
            item.is_table().then(|| {
                let own = entry.inside.iter();
                own.filter_map(|one| {
                    Some(Entry {
                        key: one.key.strip_prefix(&prefix)?.to_owned(),
                        ..one.clone()
                    })
                })
                .collect()
            })
        })
        .collect()
}

/// The entries of a table, in the order of the file. Those of tables in a list are named `INDEX.KEY`.
fn entries(table: &DeTable<'_>) -> Vec<Entry> {
    let mut all: Vec<Entry> = table
        .iter()
        .map(|(key, value)| {
            let inside = match value.get_ref() {
                DeValue::Table(table) => entries(table),
                DeValue::Array(items) => items
                    .iter()
                    .enumerate()
                    .filter_map(|(at, item)| Some((at, item.get_ref().as_table()?)))
                    .flat_map(|(at, table)| {
                        entries(table).into_iter().map(move |entry| Entry {
                            key: format!("{at}.{}", entry.key),
                            ..entry
                        })
                    })
                    .collect(),
                _ => Vec::new(),
            };
            Entry {
                key: key.get_ref().to_string(),
                value: plain(value.get_ref()),
                at: key.span().start,
                value_at: value.span().start,
                inside,
            }
        })
        .collect();
    all.sort_by_key(|entry| entry.at);
    all
}

/// A value without places.
fn plain(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            let digits = i64::from_str_radix(number.as_str(), number.radix());
            digits.map_or_else(|_| Value::String(number.to_string()), Value::Integer)
        }
        DeValue::Float(number) => {
            let read = number.as_str().parse();
            read.map_or_else(|_| Value::String(number.to_string()), Value::Float)
        }
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(value) => Value::Datetime(*value),
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| plain(item.get_ref())).collect())
        }
        DeValue::Table(table) => Value::Table(
            table
                .iter()
                .map(|(key, value)| (key.get_ref().to_string(), plain(value.get_ref())))
                .collect(),
        ),
    }
}
