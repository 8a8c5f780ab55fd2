//! Differences as Markdown, for comments on pull requests.

use std::fmt::Write as _;

use crate::difference::{Change, Difference, Status};
use crate::report::{FileDifference, Report};
use crate::words::{Edit, Piece};

/// A report as Markdown.
pub fn markdown(report: &Report) -> String {
    if report.files.is_empty() {
        return "No pipeline has changed.\n".to_owned();
    }
    let files: Vec<String> = report.files.iter().map(file).collect();
    files.join("\n")
}

fn file(file: &FileDifference) -> String {
    let mut text = format!("### {}\n", code(&file.path));
    if let Some(old) = &file.old_path {
        let _ = write!(text, "\nwas {}\n", code(old));
    }
    for problem in &file.problems {
        let version = problem.version.name();
        let message = escaped(&problem.message);
        let (line, column) = (problem.line, problem.column);
        let _ = write!(
            text,
            "\n⚠ syntax error in the {version} version, {line}:{column}: {message}\n"
        );
    }
    if file.status == Status::Unchanged && file.problems.is_empty() {
        text.push_str("\nNo change in meaning.\n");
        return text;
    }
    for pipeline in file.pipelines.iter().filter(|one| !one.is_empty()) {
        text.push_str(&pipeline_section(pipeline));
    }
    if let Some(lines) = &file.lines {
        let fence = fence(lines);
        let _ = write!(text, "\n{fence}diff\n{lines}{fence}\n");
    }
    text
}

fn pipeline_section(difference: &Difference) -> String {
    let mut text = format!("\n#### {}\n", escaped(&difference.title()));
    let mut section = None;
    for change in &difference.changes {
        let own = change.topic.section();
        if section != Some(own) {
            section = Some(own);
            let _ = write!(text, "\n**{}**\n\n", own.title());
        }
        text.push_str(&item(change));
    }
    if let Some(flowchart) = &difference.flowchart {
        let _ = write!(
            text,
            "\n<details open><summary>Flowchart</summary>\n\n```mermaid\n{flowchart}```\n\n</details>\n"
        );
    }
    text
}

fn item(change: &Change) -> String {
    let mut text = format!(
        "- {} {}",
        code(change.change.mark()),
        escaped(&change.title())
    );
    let (old, new) = change.values();
    let is_block = [old, new]
        .into_iter()
        .flatten()
        .any(|value| value.contains('\n'));
    match (old, new) {
        (Some(old), Some(new)) if !is_block => {
            let _ = write!(text, " {} → {}", code(old), code(new));
        }
        (Some(one), None) | (None, Some(one)) if !is_block => {
            let _ = write!(text, " {}", code(one));
        }
        _ => {}
    }
    if let Some(note) = change.note() {
        let _ = write!(text, " ({})", escaped(&note));
    }
    text.push('\n');
    if is_block {
        let piece = |edit, value: Option<&str>| Piece {
            edit,
            text: value.unwrap_or_default().to_owned(),
        };
        text.push_str(&block(&[
            piece(Edit::Removed, old),
            piece(Edit::Added, new),
        ]));
    } else if !change.words.is_empty() {
        text.push_str(&block(&change.words));
    }
    text
}

/// The words of a text, as part of a list item.
fn block(words: &[Piece]) -> String {
    let words = words.iter().filter(|piece| !piece.text.is_empty());
    let pieces = words.map(|piece| {
        let text = html(&piece.text);
        match piece.edit {
            Edit::Equal => text,
            Edit::Removed => format!("<del>{text}</del>"),
            Edit::Added => format!("<ins>{text}</ins>"),
        }
    });
    let text: String = pieces.collect();
    let lines: Vec<&str> = text.lines().collect();
    format!("  <pre>\n  {}\n  </pre>\n", lines.join("\n  "))
}

/// A text as code, whatever it contains.
fn code(text: &str) -> String {
    let line = text.replace('\n', " ");
    let longest = line
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let marks = "`".repeat(longest + 1);
    if line.starts_with('`') || line.ends_with('`') {
        format!("{marks} {line} {marks}")
    } else {
        format!("{marks}{line}{marks}")
    }
}

/// A fence that is not in the text.
fn fence(text: &str) -> String {
    let longest = text
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A text in which Markdown and HTML see no marks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '#' | '|' | '~' => {
                escaped.push('\\');
                escaped.push(c);
            }
            // Code hosts find mentions in the text that is shown.
            '@' => escaped.push_str("@&#8203;"),
            '\n' | '\r' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
