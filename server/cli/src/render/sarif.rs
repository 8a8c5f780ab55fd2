//! `--format sarif`: the Static Analysis Results Interchange Format, version 2.1.0, which code hosts and
//! editors read. Rules come from the lint catalogue, so that each result has its explanation with it.

use attractor_dot::{Fix, TextRange};
use attractor_lint::LINTS;
use attractor_model::{Diagnostic, Severity};
use serde_json::{Value, json};

use super::Checked;
use super::line_column::Lines;

/// The log of one validation.
pub fn report(files: &[Checked]) -> Value {
    let rules: Vec<Value> = LINTS
        .iter()
        .map(|row| {
            json!({
                "id": row.rule,
                "shortDescription": {"text": row.summary},
                "fullDescription": {"text": row.doc},
            })
        })
        .collect();
    let results: Vec<Value> = files.iter().flat_map(results_of).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "attractor",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn results_of(checked: &Checked) -> Vec<Value> {
    let file = File {
        uri: uri(&checked.source.name),
        lines: Lines::new(&checked.source.text),
    };
    checked
        .diagnostics
        .iter()
        .map(|one| file.result(one))
        .collect()
}

struct File<'t> {
    uri: String,
    lines: Lines<'t>,
}

impl File<'_> {
    fn result(&self, one: &Diagnostic) -> Value {
        let level = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info | Severity::Hint => "note",
        };
        let related: Vec<Value> = one
            .related
            .iter()
            .map(|other| {
                let mut location = self.location(other.range);
                if let Some(fields) = location.as_object_mut() {
                    fields.insert("message".into(), json!({"text": other.message}));
                }
                location
            })
            .collect();
        json!({
            "ruleId": one.rule,
            "level": level,
            "message": {"text": one.message},
            "locations": [self.location(one.range)],
            "relatedLocations": related,
            "fixes": one.fixes.iter().map(|fix| self.fix(fix)).collect::<Vec<_>>(),
        })
    }

    fn location(&self, range: TextRange) -> Value {
        json!({"physicalLocation": {
            "artifactLocation": {"uri": self.uri},
            "region": self.region(range),
        }})
    }

    fn fix(&self, fix: &Fix) -> Value {
        let replacements: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                json!({
                    "deletedRegion": self.region(edit.range),
                    "insertedContent": {"text": edit.text},
                })
            })
            .collect();
        json!({
            "description": {"text": fix.title},
            "artifactChanges": [{
                "artifactLocation": {"uri": self.uri},
                "replacements": replacements,
            }],
        })
    }

    fn region(&self, range: TextRange) -> Value {
        let span = self.lines.span(range);
        json!({
            "startLine": span.start.line,
            "startColumn": span.start.column,
            "endLine": span.end.line,
            "endColumn": span.end.column,
        })
    }
}

/// A path as a relative URI reference: what is not a letter, a digit or one of `-._~/` is escaped.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_becomes_a_reference() {
        assert_eq!(uri("a folder/ä.dot"), "a%20folder/%C3%A4.dot");
    }
}
