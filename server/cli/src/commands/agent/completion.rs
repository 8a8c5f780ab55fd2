//! How the work of a session has ended, for people and programs.

use attractor_agent::{Completion, Ending};
use attractor_exec::Redactor;
use attractor_run::figures::dollars;
use serde_json::{Value, json};

use crate::console;
use crate::render::counted;

/// `done: changed `a.rs`, verified by `cargo test` · 12 turns, 34,000 tokens, $0.12`
pub fn last_line(completion: &Completion, redactor: &Redactor) -> String {
    let spent = &completion.spent;
    let ending = match (&completion.ending, completion.ending.reason()) {
        // It says that the session stopped, and why.
        (Ending::Limit(_), Some(reason)) => reason.to_owned(),
        (ending, Some(reason)) => format!("{} ({reason})", ending.as_str()),
        (ending, None) => ending.as_str().to_owned(),
    };
    let line = format!(
        "{ending}: {} · {}, {} tokens, {}",
        completion.verification.summary(),
        counted(spent.turns, "turn"),
        spent.tokens(),
        dollars(spent.cost)
    );
    console::plain(&redactor.text(&line)).into_owned()
}

/// The same for programs.
pub fn report(completion: &Completion, id: &str) -> Value {
    let mut report = json!({
        "session": id,
        "status": completion.ending.as_str(),
        "text": completion.text,
        "model": completion.model,
        "provider": completion.provider,
        "usage": completion.spent,
        "verification": completion.verification,
        "warnings": completion.warnings,
    });
    if let Some(fields) = report.as_object_mut() {
        if let Some(reason) = completion.ending.reason() {
            fields.insert("reason".to_owned(), reason.into());
        }
        if let Some(error) = completion.ending.error() {
            fields.insert("error".to_owned(), json!(error));
        }
    }
    report
}
