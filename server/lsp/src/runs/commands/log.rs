//! `attractor.log`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_run::EventKind;
use lsp_types::Uri;

use crate::errors::Refusal;
use crate::ext::commands::{LogArgs, LogResult};
use crate::runs::{past, show};
use crate::session::Session;

/// Files of a stage, the one that tells most first.
const FILES: [&str; 5] = [
    "stdout.log",
    "response.md",
    "stderr.log",
    "prompt.md",
    "status.json",
];

/// The file to read about a run or one of its nodes. Clients that do not draw runs themselves, but can show a
/// document, are asked to show it.
pub(crate) async fn handle(session: &Arc<Session>, args: LogArgs) -> Result<LogResult, Refusal> {
    let directory = match session.runs.get(&args.run) {
        Ok(live) => live.handle.directory().to_owned(),
        Err(_) => past::find(session, &args.run).await?.directory,
    };
    let missing = Refusal::Unreadable {
        uri: args.run,
        reason: "it has written nothing yet".to_owned(),
    };
    let look = move || match &args.node {
        Some(node) => of_node(&directory, node, args.attempt),
        None => Some(directory.join("journal.jsonl")).filter(|path| path.is_file()),
    };
    let found = tokio::task::spawn_blocking(look).await.ok().flatten();
    let uri = found.and_then(Uri::from_file_path).ok_or(missing)?;
    show::unless_drawn(session, &uri);
    Ok(LogResult { uri })
}

/// The most telling file that is not empty, of the newest or the given attempt of a node.
fn of_node(directory: &Path, node: &str, attempt: Option<u32>) -> Option<PathBuf> {
    let events = attractor_run::load_events(directory).ok()?;
    let attempts = events.iter().filter_map(|event| match &event.kind {
        EventKind::StageStarted { at, .. } => Some(at),
        _ => None,
    });
    let mut mine =
        attempts.filter(|at| at.node == node && attempt.is_none_or(|wanted| at.attempt == wanted));
    let stage = attractor_run::stage_directory(directory, mine.next_back()?);
    let files = || {
        FILES
            .iter()
            .map(|name| stage.join(name))
            .filter(|path| path.is_file())
    };
    let told = files().find(|path| std::fs::metadata(path).is_ok_and(|about| about.len() > 0));
    told.or_else(|| files().next())
}
