//! Reads values of a TOML document with their places, and collects what is wrong with them.

use std::ops::Range;

use attractor_dot::{Applicability, Edit, Fix, TextRange};
use attractor_model::catalogue::nearest;
use attractor_model::{Diagnostic, Severity};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::located::Located;

/// The rule of diagnostics about scenario files.
pub const RULE: &str = "scenario";

/// A value of the document.
pub(crate) type Node<'d> = Spanned<DeValue<'d>>;

/// A key with its value.
pub(crate) struct Entry<'d> {
    pub(crate) key: Located<String>,
    pub(crate) value: &'d Node<'d>,
}

/// One document being read.
#[derive(Default)]
pub(crate) struct Reader {
    problems: Vec<Diagnostic>,
}

impl Reader {
    /// Reports a problem.
    pub(crate) fn report(&mut self, range: TextRange, message: impl Into<String>) {
        let diagnostic = Diagnostic::new(RULE, Severity::Error, range, message);
        self.problems.push(diagnostic);
    }

    /// Reports a name that is a typo of `near`; the fix replaces it.
    pub(crate) fn typo(&mut self, what: &str, name: &Located<String>, near: &str) {
        let message = format!("unknown {what} `{}`; did you mean `{near}`?", name.value);
        let diagnostic = Diagnostic::new(RULE, Severity::Error, name.range, message);
        self.problems.push(diagnostic.fix(replacement(name, near)));
    }

    /// Reports what the scenario runs in spite of, with a name to replace it by.
    pub(crate) fn warn(&mut self, name: &Located<String>, message: String, near: Option<&str>) {
        let diagnostic = Diagnostic::new(RULE, Severity::Warning, name.range, message);
        let fix = near.map(|near| replacement(name, near));
        self.problems.push(diagnostic.maybe_fix(fix));
    }

    /// Reports a value of another type than `expected`.
    pub(crate) fn mismatch(&mut self, name: &str, value: &Node<'_>, expected: &str) {
        let found = json(value.get_ref());
        self.report(
            range(&value.span()),
            format!("`{name}` is {found}; expected {expected}"),
        );
    }

    /// Reports a key that does not exist.
    pub(crate) fn unknown_key(&mut self, key: &Located<String>, known: &[&'static str]) {
        self.unknown("key", key, known);
    }

    /// Reports a name that does not exist.
    pub(crate) fn unknown(&mut self, what: &str, name: &Located<String>, known: &[&str]) {
        if let Some(near) = nearest(&name.value, known.iter().copied()) {
            return self.typo(what, name, near);
        }
        let (name, range) = (&name.value, name.range);
        let expected = first_names(known);
        self.report(
            range,
            format!("unknown {what} `{name}`; expected one of {expected}"),
        );
    }

    /// The text of a value.
    pub(crate) fn text(&mut self, name: &str, value: &Node<'_>) -> Option<Located<String>> {
        let text = text(value);
        if text.is_none() {
            self.mismatch(name, value, "a string");
        }
        text
    }

    /// The entries of a table, in the order of the file.
    pub(crate) fn table<'d>(&mut self, name: &str, value: &'d Node<'d>) -> Vec<Entry<'d>> {
        if let DeValue::Table(table) = value.get_ref() {
            return entries(table);
        }
        self.mismatch(name, value, "a table");
        Vec::new()
    }

    /// The items of a list; a single value is a list of one.
    pub(crate) fn list<'d>(value: &'d Node<'d>) -> Vec<&'d Node<'d>> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        }
    }

    /// Whether something has been reported.
    pub(crate) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// The problems, in the order of the file.
    pub(crate) fn into_problems(mut self) -> Vec<Diagnostic> {
        self.problems.sort_by_key(|problem| problem.range.start());
        self.problems
    }
}

/// The first names of a list.
pub(crate) fn first_names(names: &[&str]) -> String {
    const MOST: usize = 14;
    let first: Vec<&str> = names.iter().take(MOST).copied().collect();
    let more = if names.len() > MOST { ", …" } else { "" };
    format!("{}{more}", first.join(", "))
}

/// A key is bare where it can be; a value is a string.
fn replacement(name: &Located<String>, near: &str) -> Fix {
    let is_bare = name.range.len() == name.value.len();
    let text = if is_bare {
        key(near)
    } else {
        toml::Value::String(near.to_owned()).to_string()
    };
    Fix {
        title: format!("Replace with `{near}`"),
        edits: vec![Edit::replace(name.range, text)],
        applicability: Applicability::Preferred,
    }
}

/// A key of a document: bare where it can be.
pub(crate) fn key(name: &str) -> String {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        toml::Value::String(name.to_owned()).to_string()
    }
}

/// The entries of a table, in the order of the file.
pub(crate) fn entries<'d>(table: &'d DeTable<'d>) -> Vec<Entry<'d>> {
    let mut entries: Vec<Entry<'d>> = table
        .iter()
        .map(|(key, value)| Entry {
            key: Located {
                value: key.get_ref().to_string(),
                range: range(&key.span()),
            },
            value,
        })
        .collect();
    entries.sort_by_key(|entry| entry.key.range.start());
    entries
}

/// The text of a string.
pub(crate) fn text(value: &Node<'_>) -> Option<Located<String>> {
    let text = value.get_ref().as_str()?;
    Some(Located {
        value: text.to_owned(),
        range: range(&value.span()),
    })
}

/// A place in the document.
pub(crate) fn range(span: &Range<usize>) -> TextRange {
    TextRange::new(span.start, span.end)
}

/// A value as JSON; dates are text.
pub(crate) fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => {
            let digits = i64::from_str_radix(number.as_str(), number.radix());
            digits.map_or_else(|_| Value::from(number.to_string()), Value::from)
        }
        DeValue::Float(number) => {
            let read = number.as_str().parse::<f64>();
            read.map_or_else(|_| Value::from(number.to_string()), Value::from)
        }
        DeValue::Boolean(value) => Value::from(*value),
        DeValue::Datetime(value) => Value::from(value.to_string()),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())))
            .collect(),
    }
}
