//! Diagnostics: what servers publish, and which of it is new.

use std::collections::HashMap;
use std::fmt;

use serde_json::Value;

use super::position::shown;

/// Diagnostics of one file.
const MAX_DIAGNOSTICS: usize = 1000;

/// A problem that a server reports.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1.
    pub column: u64,
    /// `error`, `warning`, `information`, `hint`.
    pub severity: &'static str,
    /// The code, if it has one.
    pub code: Option<String>,
    /// The message.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.severity)?;
        if let Some(code) = &self.code {
            write!(f, "[{code}]")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Diagnostic {
    /// Reads those of a notification; what is not one is left out.
    pub(super) fn read(list: &Value) -> Vec<Self> {
        let list = list.as_array().into_iter().flatten().take(MAX_DIAGNOSTICS);
        list.filter_map(Self::read_one).collect()
    }

    fn read_one(value: &Value) -> Option<Self> {
        let (line, column) = shown(value.pointer("/range/start")?, None);
        let severity = match value.get("severity").and_then(Value::as_u64) {
            Some(2) => "warning",
            Some(3) => "information",
            Some(4) => "hint",
            _ => "error",
        };
        let code = match value.get("code") {
            Some(Value::String(code)) => Some(code.clone()),
            Some(Value::Number(code)) => Some(code.to_string()),
            _ => None,
        };
        Some(Self {
            line,
            column,
            severity,
            code,
            message: value.get("message")?.as_str()?.to_owned(),
        })
    }

    /// What makes it the same problem although lines have moved.
    fn identity(&self) -> (&'static str, Option<String>, String) {
        (self.severity, self.code.clone(), self.message.clone())
    }
}

/// Those of `after` that are not in `before`. One that appears twice must have been there twice.
pub(super) fn new_ones(before: &[Diagnostic], after: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut known: HashMap<_, usize> = HashMap::new();
    for one in before {
        *known.entry(one.identity()).or_default() += 1;
    }
    after
        .into_iter()
        .filter(|one| match known.get_mut(&one.identity()) {
            Some(count @ 1..) => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: u64, message: &str) -> Diagnostic {
        Diagnostic {
            line,
            column: 1,
            severity: "error",
            code: None,
            message: message.to_owned(),
        }
    }

    #[test]
    fn moved_problems_are_not_new() {
        let before = [one(1, "a"), one(2, "b")];
        let after = vec![one(5, "a"), one(6, "a"), one(7, "c")];
        let new: Vec<String> = new_ones(&before, after)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(new, ["6:1: error: a", "7:1: error: c"]);
    }
}
