//! Rendering of a question for terminals. Pure.

use attractor_run::{
    Evidence, EvidenceFile, FileChange, Question, QuestionKind, QuestionOption, bare_label,
};

use crate::columns::{width, wrapped};
use crate::console::plain;
use crate::style::{ATTENTION, FAINT, STRONG, paint};

const INDENT: &str = "    ";
const GAP: &str = "   ";

/// The question and its choices, in rows of at most this many columns.
pub fn ask(question: &Question, columns: usize) -> Vec<String> {
    let columns = columns.max(20);
    let mut rows = heading(question, columns);
    rows.extend(choices(question, columns));
    if let Some(hint) = hint(question.kind) {
        rows.push(paint(FAINT, format!("{INDENT}{hint}")));
    }
    rows
}

/// `? NODE  the question`.
pub fn heading(question: &Question, columns: usize) -> Vec<String> {
    let node = plain(&question.node);
    let indent = width(&node) + 4;
    let lines = wrapped(
        &plain(&question.text),
        columns.saturating_sub(indent + 1).max(16),
    );
    let lead = format!("{} {}  ", paint(ATTENTION, "?"), paint(STRONG, node));
    let leads = std::iter::once(lead).chain(std::iter::repeat(" ".repeat(indent)));
    leads.zip(lines).map(|(lead, line)| lead + &line).collect()
}

/// `[A] Approve   [R] Reject`, in as many rows as it takes; `…` after a choice that asks for text.
fn choices(question: &Question, columns: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for option in &question.options {
        let choice = choice(question, option);
        match rows.last_mut() {
            Some(row) if width(row) + GAP.len() + width(&choice) < columns => {
                row.push_str(GAP);
                row.push_str(&choice);
            }
            _ => rows.push(format!("{INDENT}{choice}")),
        }
    }
    rows
}

fn choice(question: &Question, option: &QuestionOption) -> String {
    let key = paint(STRONG, format!("[{}]", plain(&option.key)));
    let label = plain(bare_label(&option.label)).into_owned();
    // The mark of a choice that asks for text; in the label of another one it would promise that.
    let (label, text) = if option.freeform {
        (label.trim_end_matches(['…', '.']), "…")
    } else {
        (label.trim_end_matches('…'), "")
    };
    let default = question.default.as_ref();
    let default = if default.is_some_and(|key| *key == option.key) {
        " (default)"
    } else {
        ""
    };
    format!("{key} {label}{text}{default}")
}

/// What helps to decide, as lines that stay above the question. What the question before has shown too is not repeated.
pub fn evidence(evidence: &Evidence, is_new: bool) -> Vec<String> {
    if !is_new {
        return vec![paint(FAINT, format!("{INDENT}(output and files as above)"))];
    }
    let quoted = |text: &str| -> Vec<String> {
        let lines = text.lines();
        lines
            .map(|line| paint(FAINT, format!("{INDENT}│ {}", plain(line))))
            .collect()
    };
    let mut lines = Vec::new();
    if let Some(output) = &evidence.output {
        let source = match &evidence.source {
            Some(node) => format!("{INDENT}output of {}:", plain(node)),
            None => format!("{INDENT}output:"),
        };
        lines.push(paint(FAINT, source));
        lines.extend(quoted(output));
    }
    if !evidence.files.is_empty() {
        lines.push(paint(FAINT, format!("{INDENT}files:")));
    }
    for file in &evidence.files {
        lines.push(paint(FAINT, format!("{INDENT}{}", file_heading(file))));
        lines.extend(quoted(&file.diff));
    }
    if evidence.more_files > 0 {
        let more = format!("{INDENT}… and {} more changed files", evidence.more_files);
        lines.push(paint(FAINT, more));
    }
    lines
}

/// `src/main.rs  +3 −1`, `notes.md  new, +12`.
fn file_heading(file: &EvidenceFile) -> String {
    let change = match file.change {
        Some(FileChange::Added) => Some("new"),
        Some(FileChange::Deleted) => Some("deleted"),
        Some(FileChange::Modified) if file.added.is_none() => Some("changed"),
        Some(FileChange::Modified) | None => None,
    };
    let count = |sign, lines: Option<u64>| match lines {
        None | Some(0) => None,
        Some(lines) => Some(format!("{sign}{lines}")),
    };
    let counts = [count("+", file.added), count("−", file.removed)];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    let counts = Some(counts.join(" ")).filter(|counts| !counts.is_empty());
    let notes: Vec<String> = change
        .map(str::to_owned)
        .into_iter()
        .chain(counts)
        .collect();
    let path = plain(&file.path);
    if notes.is_empty() {
        return path.into_owned();
    }
    format!("{path}  {}", notes.join(", "))
}

fn hint(kind: QuestionKind) -> Option<&'static str> {
    match kind {
        QuestionKind::Choice | QuestionKind::Confirm => None,
        QuestionKind::Freeform => Some("any text"),
        QuestionKind::Multi => Some("several, separated by commas; none for none of them"),
        QuestionKind::ChoiceOrText => Some("or any text"),
    }
}
