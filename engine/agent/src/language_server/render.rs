//! Answers of servers as texts for the model.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::position::shown;
use super::uri;
use crate::workspace::Workspace;

/// Places in a result.
const MAX_LOCATIONS: usize = 100;

/// Completions in a result.
const MAX_COMPLETIONS: usize = 50;

/// Letters of a hover text, and of a line.
const MAX_HOVER: usize = 8_000;
const MAX_LINE: usize = 200;

/// Definitions or references: `path:line:column: line`, one per line. A file outside the workspace is named, not read.
pub(super) fn locations(answer: &Value, workspace: &Workspace) -> String {
    let list = match answer {
        Value::Array(list) => list.iter().collect(),
        Value::Null => Vec::new(),
        one => vec![one],
    };
    let total = list.len();
    let shown = list.into_iter().take(MAX_LOCATIONS);
    let mut lines: Vec<String> = shown.filter_map(|one| location(one, workspace)).collect();
    if total > MAX_LOCATIONS {
        lines.push(format!("[the first {MAX_LOCATIONS} of {total} places]"));
    }
    if lines.is_empty() {
        return "Nothing found.".to_owned();
    }
    lines.join("\n")
}

fn location(one: &Value, workspace: &Workspace) -> Option<String> {
    let field = |names: [&str; 2]| names.iter().find_map(|name| one.get(name));
    let path = uri::path(field(["uri", "targetUri"])?.as_str()?)?;
    let range = field(["range", "targetSelectionRange"])?;
    let start = range.get("start")?;
    let text = line(&path, start, workspace);
    let (line, column) = shown(start, text.as_deref());
    let name = path
        .strip_prefix(workspace.root())
        .unwrap_or(&path)
        .display();
    Some(match text {
        Some(text) => format!(
            "{name}:{line}:{column}: {}",
            text.trim().chars().take(MAX_LINE).collect::<String>()
        ),
        None => format!("{name}:{line}:{column}"),
    })
}

fn line(path: &Path, start: &Value, workspace: &Workspace) -> Option<String> {
    let number = usize::try_from(start.get("line")?.as_u64()?).ok()?;
    let below: PathBuf = workspace.resolve(path).ok()?;
    let content = workspace.read_stored(&below).ok()?.content?;
    let text = String::from_utf8_lossy(&content);
    text.lines().nth(number).map(str::to_owned)
}

/// A hover text.
pub(super) fn hover(answer: &Value) -> String {
    let contents = answer.get("contents").unwrap_or(&Value::Null);
    let parts = match contents {
        Value::Array(parts) => parts.iter().map(marked).collect(),
        one => vec![marked(one)],
    };
    let text = parts.join("\n\n");
    if text.trim().is_empty() {
        return "Nothing is known of this place.".to_owned();
    }
    text.chars().take(MAX_HOVER).collect()
}

fn marked(part: &Value) -> String {
    match (part, part.get("language").and_then(Value::as_str)) {
        (Value::String(text), _) => text.clone(),
        (part, Some(language)) => {
            let code = part
                .get("value")
                .and_then(Value::as_str)
                .unwrap_or_default();
            format!("```{language}\n{code}\n```")
        }
        (part, None) => {
            let text = part.get("value").and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        }
    }
}

/// Completions: a label and what it is, one per line.
pub(super) fn completions(answer: &Value) -> String {
    let items = answer.get("items").unwrap_or(answer);
    let items: Vec<&Value> = items.as_array().into_iter().flatten().collect();
    let line = |item: &&Value| {
        let label = item.get("label")?.as_str()?;
        let text = |pointer| item.pointer(pointer).and_then(Value::as_str);
        let detail = text("/detail").or_else(|| text("/labelDetails/description"));
        let line = match detail {
            Some(detail) => format!("{label}: {detail}"),
            None => label.to_owned(),
        };
        Some(
            line.replace('\n', " ")
                .chars()
                .take(MAX_LINE)
                .collect::<String>(),
        )
    };
    let mut lines: Vec<String> = items
        .iter()
        .take(MAX_COMPLETIONS)
        .filter_map(line)
        .collect();
    if items.len() > MAX_COMPLETIONS {
        lines.push(format!(
            "[the first {MAX_COMPLETIONS} of {} completions]",
            items.len()
        ));
    }
    if lines.is_empty() {
        return "No completions.".to_owned();
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_forms_of_hover_texts_are_shown() {
        assert_eq!(hover(&json!({"contents": "a"})), "a");
        assert_eq!(
            hover(&json!({"contents": {"kind": "markdown", "value": "b"}})),
            "b"
        );
        let list = json!({"contents": [{"language": "rust", "value": "fn f()"}, "doc"]});
        assert_eq!(hover(&list), "```rust\nfn f()\n```\n\ndoc");
        assert_eq!(hover(&Value::Null), "Nothing is known of this place.");
    }

    #[test]
    fn completions_are_listed_and_bounded() {
        let items: Vec<Value> = (0..60)
            .map(|n| json!({"label": format!("f{n}"), "detail": "fn"}))
            .collect();
        let text = completions(&json!({"items": items}));
        assert!(text.starts_with("f0: fn\nf1: fn\n"));
        assert!(
            text.ends_with("f49: fn\n[the first 50 of 60 completions]"),
            "{text}"
        );
        assert_eq!(completions(&json!([{"label": "a"}])), "a");
        assert_eq!(completions(&Value::Null), "No completions.");
    }
}
