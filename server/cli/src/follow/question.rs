//! How a question looks on a terminal, and what a typed line means. Pure.
//!
//! ```text
//! ? review  Are the release notes good?
//!     [A] Approve   [E] Add a line   [R] Reject
//! >
//! ```

use attractor_run::{Answer, Question, QuestionKind, bare_label};

use crate::console::plain;
use crate::style::{ATTENTION, FAINT, STRONG, paint};

/// The lines that ask.
pub fn ask(question: &Question) -> Vec<String> {
    let mut lines = vec![format!(
        "{} {}  {}",
        paint(ATTENTION, "?"),
        paint(STRONG, plain(&question.node)),
        plain(&question.text)
    )];
    if let Some(evidence) = &question.evidence {
        let output = evidence.output.as_deref().unwrap_or_default();
        lines.extend(
            output
                .lines()
                .map(|line| paint(FAINT, format!("    │ {}", plain(line)))),
        );
        for file in &evidence.files {
            lines.push(paint(FAINT, format!("    {}", plain(&file.path))));
            lines.extend(
                file.diff
                    .lines()
                    .map(|line| paint(FAINT, format!("    │ {}", plain(line)))),
            );
        }
    }
    let options: Vec<String> = question
        .options
        .iter()
        .map(|option| {
            let key = paint(STRONG, format!("[{}]", plain(&option.key)));
            let label = plain(bare_label(&option.label)).into_owned();
            let default = question
                .default
                .as_ref()
                .is_some_and(|key| *key == option.key);
            format!("{key} {label}{}", if default { " (default)" } else { "" })
        })
        .collect();
    if !options.is_empty() {
        lines.push(format!("    {}", options.join("   ")));
    }
    if let Some(hint) = hint(question.kind) {
        lines.push(paint(FAINT, format!("    {hint}")));
    }
    lines
}

fn hint(kind: QuestionKind) -> Option<&'static str> {
    match kind {
        QuestionKind::Choice | QuestionKind::Confirm => None,
        QuestionKind::Freeform => Some("any text"),
        QuestionKind::Multi => Some("several, separated by commas"),
        QuestionKind::ChoiceOrText => Some("or any text"),
    }
}

/// What a line typed at the question means; an empty one takes the default, if there is one.
pub fn answer(question: &Question, line: &str) -> Answer {
    let typed = line.trim();
    let choice = match &question.default {
        Some(default) if typed.is_empty() => default.clone(),
        _ => typed.to_owned(),
    };
    Answer {
        choice,
        text: None,
        by: attractor_run::person_at_terminal(),
    }
}
