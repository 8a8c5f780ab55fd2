//! `--format json`: a stable contract. Fields are added, never renamed; lists are never null.

use attractor_dot::{Edit, Fix};
use attractor_model::{Diagnostic, Severity};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Checked;
use super::line_column::{Lines, Span};

/// The whole answer of `validate --format json`.
#[derive(Serialize)]
pub struct Report<'a> {
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    diagnostics: Vec<JsonDiagnostic<'a>>,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    rule: &'a str,
    severity: Severity,
    message: &'a str,
    range: Span,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<JsonEdge<'a>>,
    related: Vec<JsonRelated<'a>>,
    fixes: Vec<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonEdge<'a> {
    from: &'a str,
    to: &'a str,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    message: &'a str,
    range: Span,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    range: Span,
    text: &'a str,
}

/// What `validate` found in these files.
pub fn report(files: &[Checked]) -> Report<'_> {
    Report {
        files: files.iter().map(file).collect(),
    }
}

/// The diagnostics of one file, each as an object with the file's `path`.
pub fn diagnostics(checked: &Checked) -> Vec<Map<String, Value>> {
    let path = ("path".to_owned(), Value::from(checked.source.name.as_str()));
    let found = file(checked).diagnostics.into_iter();
    found
        .filter_map(|one| match serde_json::to_value(one) {
            Ok(Value::Object(fields)) => {
                Some(std::iter::once(path.clone()).chain(fields).collect())
            }
            _ => None,
        })
        .collect()
}

fn file(checked: &Checked) -> File<'_> {
    let lines = Lines::new(&checked.source.text);
    File {
        path: &checked.source.name,
        diagnostics: checked
            .diagnostics
            .iter()
            .map(|one| finding(one, &lines))
            .collect(),
    }
}

fn finding<'a>(one: &'a Diagnostic, lines: &Lines<'_>) -> JsonDiagnostic<'a> {
    JsonDiagnostic {
        rule: one.rule,
        severity: one.severity,
        message: &one.message,
        range: lines.span(one.range),
        node: one.node.as_deref(),
        edge: one.edge.as_ref().map(|(from, to)| JsonEdge { from, to }),
        related: one
            .related
            .iter()
            .map(|other| JsonRelated {
                message: &other.message,
                range: lines.span(other.range),
            })
            .collect(),
        fixes: one.fixes.iter().map(|fix| way_out(fix, lines)).collect(),
    }
}

fn way_out<'a>(fix: &'a Fix, lines: &Lines<'_>) -> JsonFix<'a> {
    let change = |edit: &'a Edit| JsonEdit {
        range: lines.span(edit.range),
        text: &edit.text,
    };
    JsonFix {
        title: &fix.title,
        edits: fix.edits.iter().map(change).collect(),
    }
}
