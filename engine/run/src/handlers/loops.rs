//! The end of a counted loop: does one of its conditions say that it is over? Counting is the machine's.

use std::path::PathBuf;

use serde_json::json;

use super::{Prepared, Work};
use crate::machine::{is_loop_end, loop_begin};
use crate::outcome::{Outcome, Status};

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
    let folder = work.directory();
    let exists = text("loop_until_file").map(|path| folder.join(path));
    let contains = text("loop_until_file_contains").map(|text| {
        let (path, wanted) = text.split_once(':').unwrap_or((&text, ""));
        (folder.join(path.trim()), wanted.trim().to_owned())
    });
    if exists.is_none() && contains.is_none() {
        return Prepared::ready(outcome);
    }
    Prepared::Task(Box::new(move |_| {
        Box::pin(async move {
            outcome.output = verdict(is_over(exists, contains).await);
            outcome
        })
    }))
}

async fn is_over(exists: Option<PathBuf>, contains: Option<(PathBuf, String)>) -> bool {
    if let Some(path) = exists
        && tokio::fs::try_exists(&path).await.unwrap_or(false)
    {
        return true;
    }
    match contains {
        Some((path, wanted)) => tokio::fs::read(&path)
            .await
            .is_ok_and(|content| String::from_utf8_lossy(&content).contains(&wanted)),
        None => false,
    }
}

fn verdict(over: bool) -> serde_json::Value {
    json!({ "loop": if over { "ended" } else { "open" } })
}
