//! `verify`: what the output of a stage must be like for the stage to count as done.
//!
//! `any_output`, `output_contains:TEXT`, `output_not_contains:TEXT`, `exit_code:N`, `matches:REGEX`,
//! `file_exists:PATH`, `json:CONDITION`. Looks at what it is given; files are asked for through a function.
//!
//! ```
//! use attractor_lang::verify::{Evidence, check, parse};
//! let (verify, errors) = parse("output_not_contains:error");
//! assert!(errors.is_empty());
//! let evidence = Evidence { output: "2 passed", exit_code: Some(0), file_exists: &|_| false };
//! assert!(check(&verify, &evidence).passed);
//! ```

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::condition::{self, Condition, Facts};
use super::lookup::Lookup;
use super::{LangError, Status, Value};

/// What must hold of a stage's output.
#[derive(Debug, Clone, PartialEq)]
pub enum Verify {
    /// Any output that is not blank.
    AnyOutput,
    /// The output contains a text.
    Contains(String),
    /// The output does not contain a text.
    ContainsNot(String),
    /// The command ended with this code.
    ExitCode(i64),
    /// The output matches a regular expression somewhere.
    Matches(String),
    /// A file exists, relative to the working directory.
    FileExists(String),
    /// The output is JSON for which a condition holds; keys with dots reach into tables.
    Json(Condition),
    /// Not readable; nothing passes it.
    Broken(String),
}

/// The forms: name, what its argument is (empty: none), what it asks for.
pub const FORMS: &[(&str, &str, &str)] = &[
    ("any_output", "", "the output is not blank"),
    ("output_contains", "TEXT", "the output contains the text"),
    (
        "output_not_contains",
        "TEXT",
        "the output does not contain the text",
    ),
    ("exit_code", "N", "the command ends with this code"),
    (
        "matches",
        "REGEX",
        "the output matches the regular expression",
    ),
    ("file_exists", "PATH", "the file exists afterwards"),
    (
        "json",
        "CONDITION",
        "the output is JSON for which the condition holds",
    ),
];

/// What a stage left.
pub struct Evidence<'a> {
    /// Its output: of a command standard output, of a model its answer.
    pub output: &'a str,
    /// The exit code, if it was a command.
    pub exit_code: Option<i64>,
    /// Whether a file exists, by its path as written.
    pub file_exists: &'a dyn Fn(&str) -> bool,
}

/// Whether a stage passed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it passed.
    pub passed: bool,
    /// A sentence for the journal.
    pub reason: String,
}

/// Parses a `verify` attribute; ranges are bytes of `text`.
pub fn parse(text: &str) -> (Verify, Vec<LangError>) {
    let (name, argument) = match text.split_once(':') {
        Some((name, argument)) => (name, Some(argument)),
        None => (text, None),
    };
    let start = name.len() - name.trim_start().len();
    let name_range = start..start + name.trim().len();
    let argument_start = name.len() + 1;
    let broken = |range: Range<usize>, message: String| {
        (
            Verify::Broken(text.to_owned()),
            vec![LangError::new(range, message)],
        )
    };
    let name = name.trim();
    let Some((_, expected, _)) = FORMS.iter().find(|(form, ..)| *form == name) else {
        return unknown(text, name, name_range);
    };
    let value = match argument
        .map(str::trim)
        .filter(|argument| !argument.is_empty())
    {
        None if expected.is_empty() => return (Verify::AnyOutput, Vec::new()),
        None => {
            return broken(
                name_range,
                format!("`{name}` has no value; expected `{name}:{expected}`"),
            );
        }
        Some(_) if expected.is_empty() => {
            return broken(
                argument_start - 1..text.len(),
                format!("`{name}` takes no value; remove it"),
            );
        }
        Some(value) => value,
    };
    let value_start = argument_start + argument.map_or(0, |a| a.len() - a.trim_start().len());
    let value_range = value_start..value_start + value.len();
    let verify = match name {
        "output_contains" => Verify::Contains(value.to_owned()),
        "output_not_contains" => Verify::ContainsNot(value.to_owned()),
        "file_exists" => Verify::FileExists(value.to_owned()),
        "exit_code" => match value.parse() {
            Ok(code) => Verify::ExitCode(code),
            Err(_) => {
                return broken(
                    value_range,
                    format!("invalid exit code `{value}`; expected a whole number such as 0"),
                );
            }
        },
        "matches" => match regular_expression(value) {
            Ok(_) => Verify::Matches(value.to_owned()),
            Err(problem) => {
                return broken(
                    value_range,
                    format!("invalid regular expression: {problem}"),
                );
            }
        },
        _ => {
            let (condition, errors) = condition::parse(value);
            let shifted = errors
                .into_iter()
                .map(|error| shift(error, value_start))
                .collect();
            return (Verify::Json(condition), shifted);
        }
    };
    (verify, Vec::new())
}

/// Where the condition of a `json:` check is, as bytes of `text`; `None` for the other forms.
pub fn condition_in(text: &str) -> Option<Range<usize>> {
    let (name, argument) = text.split_once(':')?;
    let start = text.len() - argument.trim_start().len();
    (name.trim() == "json").then(|| start..start + argument.trim().len())
}

/// Whether a stage passes. Never fails: what cannot be checked does not pass, and the reason says so.
pub fn check(verify: &Verify, evidence: &Evidence<'_>) -> Verdict {
    let output = evidence.output;
    let (passed, reason) = match verify {
        Verify::AnyOutput => (!output.trim().is_empty(), "expected some output".to_owned()),
        Verify::Contains(text) => (
            output.contains(text),
            format!("the output must contain \"{text}\""),
        ),
        Verify::ContainsNot(text) => (
            !output.contains(text),
            format!("the output must not contain \"{text}\""),
        ),
        Verify::ExitCode(code) => {
            let found = evidence
                .exit_code
                .map_or_else(|| "none".to_owned(), |found| found.to_string());
            (
                evidence.exit_code == Some(*code),
                format!("expected exit code {code}, found {found}"),
            )
        }
        Verify::Matches(pattern) => (
            regular_expression(pattern).is_ok_and(|regex| regex.is_match(output)),
            format!("the output must match /{pattern}/"),
        ),
        Verify::FileExists(path) => (
            (evidence.file_exists)(path),
            format!("the file {path} must exist"),
        ),
        Verify::Json(condition) => match serde_json::from_str(output.trim()) {
            Ok(json) => {
                let facts = Facts {
                    status: outcome_of(&json),
                    context: &Json(json),
                    retries_left: false,
                    labels: &[],
                };
                let answer = condition::evaluate(condition, &facts);
                (
                    answer.value,
                    format!("the output must fulfil `{condition}`"),
                )
            }
            Err(error) => (false, format!("the output must be JSON: {error}")),
        },
        Verify::Broken(text) => (false, format!("`verify` cannot be read: {text}")),
    };
    Verdict { passed, reason }
}

/// The output's own `outcome`: a check of JSON asks nothing of the stage.
fn outcome_of(json: &serde_json::Value) -> Status {
    let word = json.get("outcome").and_then(serde_json::Value::as_str);
    word.map_or(Status::Success, Status::parse)
}

/// JSON as a table of keys: `a.b` is the key `a.b`, else `b` in the table `a`.
struct Json(serde_json::Value);

impl Lookup for Json {
    fn get(&self, key: &str) -> Option<Value> {
        let top = self.0.as_object()?;
        let direct = top.get(key);
        let nested = || {
            key.split('.')
                .try_fold(&self.0, |inner, part| inner.as_object()?.get(part))
        };
        direct.or_else(nested).map(Value::from)
    }
}

impl fmt::Display for Verify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyOutput => f.write_str("any_output"),
            Self::Contains(text) => write!(f, "output_contains:{text}"),
            Self::ContainsNot(text) => write!(f, "output_not_contains:{text}"),
            Self::ExitCode(code) => write!(f, "exit_code:{code}"),
            Self::Matches(pattern) => write!(f, "matches:{pattern}"),
            Self::FileExists(path) => write!(f, "file_exists:{path}"),
            Self::Json(condition) => write!(f, "json:{condition}"),
            Self::Broken(text) => f.write_str(text),
        }
    }
}

fn unknown(text: &str, name: &str, range: Range<usize>) -> (Verify, Vec<LangError>) {
    let near = FORMS
        .iter()
        .map(|(form, ..)| (strsim::damerau_levenshtein(form, name), *form))
        .min()
        .filter(|(distance, _)| *distance <= 3);
    let names: Vec<&str> = FORMS.iter().map(|(form, ..)| *form).collect();
    let error = LangError::new(
        range.clone(),
        format!(
            "unknown check `{name}`; expected one of {}",
            names.join(", ")
        ),
    );
    let error = match near {
        Some((_, form)) => error.with_fix(format!("Replace with `{form}`"), range, form),
        None => error,
    };
    (Verify::Broken(text.to_owned()), vec![error])
}

fn regular_expression(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .size_limit(1 << 20)
        .multi_line(true)
        .build()
        .map_err(|error| {
            error
                .to_string()
                .lines()
                .last()
                .unwrap_or_default()
                .trim()
                .to_owned()
        })
}

fn shift(error: LangError, by: usize) -> LangError {
    let moved = |range: Range<usize>| range.start + by..range.end + by;
    LangError {
        range: moved(error.range),
        message: error.message,
        fix: error.fix.map(|fix| super::LangFix {
            range: moved(fix.range),
            ..fix
        }),
    }
}
