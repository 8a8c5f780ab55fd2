//! The end of a counted loop: does one of its conditions say that it is over? Counting is the machine's.

use attractor_machine::outcome::{FailureClass, Outcome, Status};
use attractor_machine::transition::{is_loop_end, loop_begin};
use attractor_model::Files as _;
use serde_json::json;

use super::{Prepared, Work, fail};
use crate::project::files::ProjectFiles;

pub(super) fn prepare(work: Work<'_>) -> Prepared {
    if !is_loop_end(work.node_ref.node) {
        return Prepared::ready(Outcome::success());
    }
    let mut outcome = Outcome::success();
    let begin = loop_begin(work.node_ref);
    // What ends the loop may be written at either of its ends.
    let text = |name: &str| {
        let written = work.node_ref.written(name);
        let written = written.or_else(|| begin?.written(name));
        written.map(|text| work.fill(text))
    };
    if let Some(wanted) = text("loop_while_outcome") {
        let found = work.view.text("outcome").unwrap_or_default();
        let continues = Status::parse(&wanted) == Status::parse(&found);
        outcome.output = verdict(!continues);
        if !continues {
            return Prepared::ready(outcome);
        }
    }
    let files = work.project_files();
    let exists = text("loop_until_file");
    let contains = text("loop_until_file_contains").map(|text| {
        let (path, wanted) = text.split_once(':').unwrap_or((&text, ""));
        (path.trim().to_owned(), wanted.trim().to_owned())
    });
    if exists.is_none() && contains.is_none() {
        return Prepared::ready(outcome);
    }
    let named = [exists.as_ref(), contains.as_ref().map(|(path, _)| path)];
    if let Some(outside) = named
        .into_iter()
        .flatten()
        .find(|path| files.is_outside(path))
    {
        let reason =
            format!("the file `{outside}`, which ends the loop, is outside of the project");
        return fail(FailureClass::Configuration, reason);
    }
    Prepared::Task(Box::new(move |_| {
        Box::pin(async move {
            let looking = move || is_over(&files, exists.as_deref(), contains.as_ref());
            let is_over = tokio::task::spawn_blocking(looking).await;
            outcome.output = verdict(is_over.unwrap_or(false));
            outcome
        })
    }))
}

fn is_over(
    files: &ProjectFiles,
    exists: Option<&str>,
    contains: Option<&(String, String)>,
) -> bool {
    if exists.is_some_and(|path| files.is_there(path)) {
        return true;
    }
    contains.is_some_and(|(path, wanted)| {
        let content = files.bytes(path);
        content.is_ok_and(|content| String::from_utf8_lossy(&content).contains(wanted))
    })
}

fn verdict(over: bool) -> serde_json::Value {
    json!({ "loop": if over { "ended" } else { "open" } })
}
