//! `verify`: what the output of a stage must be like for the stage to count as done.
//!
//! `any_output`, `output_contains:TEXT`, `output_not_contains:TEXT`, `exit_code:N`, `matches:REGEX`,
//! `file_exists:PATH`, `json:CONDITION`. Looks at what it is given; files are asked for through a function.
//!
//! ```
//! use attractor_model::lang::verify::{Evidence, check, parse};
//! let (verify, errors) = parse("output_not_contains:error");
//! assert!(errors.is_empty());
//! let evidence = Evidence { output: "2 passed", exit_code: Some(0), file_exists: &|_| false };
//! assert!(check(&verify, &evidence).passed);
//! ```

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
                format!("`{name}` needs a value: write `{name}:{expected}`"),
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
                    format!("`{value}` is no exit code; write a whole number such as 0"),
                );
            }
        },
        "matches" => match regular_expression(value) {
            Ok(_) => Verify::Matches(value.to_owned()),
            Err(problem) => {
                return broken(
                    value_range,
                    format!("this is no regular expression: {problem}"),
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

/// Where the condition of a `json:` check stands, as bytes of `text`; `None` for the other forms.
pub fn condition_in(text: &str) -> Option<Range<usize>> {
    let (name, argument) = text.split_once(':')?;
    let start = text.len() - argument.trim_start().len();
    (name.trim() == "json").then(|| start..start + argument.trim().len())
}

/// Whether a stage passes. Never fails: what cannot be checked does not pass, and the reason says so.
pub fn check(verify: &Verify, evidence: &Evidence<'_>) -> Verdict {
    let output = evidence.output;
    let (passed, reason) = match verify {
        Verify::AnyOutput => (
            !output.trim().is_empty(),
            "some output was expected".to_owned(),
        ),
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
                format!("exit code {code} was expected, found {found}"),
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
        format!("`{name}` is no check; write one of {}", names.join(", ")),
    );
    let error = match near {
        Some((_, form)) => error.with_fix(format!("Write `{form}`"), range, form),
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn passes(text: &str, output: &str, exit_code: i64) -> bool {
        let (verify, errors) = parse(text);
        assert_eq!(errors, [], "{text}");
        assert_eq!(parse(&verify.to_string()), (verify.clone(), Vec::new()));
        let evidence = Evidence {
            output,
            exit_code: Some(exit_code),
            file_exists: &|path| path == "out.txt",
        };
        check(&verify, &evidence).passed
    }

    #[test]
    fn every_form_passes_and_fails() {
        for (text, good, bad) in [
            ("any_output", ("x", 0), (" \n", 0)),
            (
                "output_contains:2 passed",
                ("12 passed", 0),
                ("1 passed", 0),
            ),
            ("output_not_contains:error", ("fine", 0), ("error: x", 0)),
            ("exit_code:0", ("", 0), ("", 1)),
            ("exit_code: -1", ("", -1), ("", 1)),
            (r"matches:^ok \d+$", ("a\nok 7\nb", 0), ("ok x", 0)),
            (
                "json:passed == true and result.count > 1",
                (r#"{"passed":true,"result":{"count":2}}"#, 0),
                ("{}", 0),
            ),
            ("json:a.b=1", (r#"{"a.b":1}"#, 0), ("no json", 0)),
            (
                "json:outcome == 'passed'",
                (r#"{"outcome":"passed"}"#, 0),
                (r#"{"outcome":"failed"}"#, 0),
            ),
        ] {
            assert!(passes(text, good.0, good.1), "{text}");
            assert!(!passes(text, bad.0, bad.1), "{text}");
        }
        assert!(passes("file_exists:out.txt", "", 0));
        assert!(!passes("file_exists:other", "", 0));
        assert!(passes("output_contains:a:b", "a:b", 0));
    }

    #[test]
    fn mistakes_point_at_their_place() {
        for (text, blamed, part) in [
            ("output_contain:x", "output_contain", "is no check"),
            ("exit_code:zero", "zero", "whole number"),
            ("matches:(", "(", "no regular expression"),
            ("output_contains", "output_contains", "needs a value"),
            ("any_output:x", ":x", "takes no value"),
            ("json:a == ", "==", "no right side"),
            ("", "", "is no check"),
        ] {
            let (verify, errors) = parse(text);
            let error = errors
                .first()
                .map(|error| (&text[error.range.clone()], error.message.contains(part)));
            assert_eq!(error, Some((blamed, true)), "{text}");
            let evidence = Evidence {
                output: "",
                exit_code: None,
                file_exists: &|_| true,
            };
            assert!(!check(&verify, &evidence).passed, "{text}");
        }
        let fix = parse("output_contain:x")
            .1
            .into_iter()
            .next()
            .and_then(|error| error.fix);
        assert_eq!(fix.map(|fix| fix.text).as_deref(), Some("output_contains"));
    }

    #[test]
    fn the_condition_of_a_json_check_has_a_place() {
        for (text, condition) in [
            ("json:a == 1", Some("a == 1")),
            (" json : a ", Some("a")),
            ("json:", Some("")),
            ("matches:json:a", None),
            ("any_output", None),
        ] {
            let found = condition_in(text).and_then(|bytes| text.get(bytes));
            assert_eq!(found, condition, "{text}");
        }
    }

    proptest! {
        #[test]
        fn reading_is_total(text in "(json|matches|exit_code|output_contains)?:?[a-z:=( ]{0,12}") {
            for error in parse(&text).1 {
                prop_assert!(text.get(error.range).is_some());
            }
        }
    }
}
