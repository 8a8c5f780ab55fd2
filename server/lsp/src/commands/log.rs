//! `attractor.log`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_run::EventKind;
use lsp_types::Uri;

use super::run_directory::run_directory;
use crate::errors::ServerError;
use crate::ext::commands::{LogArgs, LogResult};
use crate::session::Session;
use crate::show_document;

/// Files of a stage, the most informative first.
const FILES: [&str; 5] = [
    "stdout.log",
    "response.md",
    "stderr.log",
    "prompt.md",
    "status.json",
];

/// The file to read about a run or one of its nodes. Clients that do not draw runs are asked to show it.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: LogArgs,
) -> Result<LogResult, ServerError> {
    let directory = run_directory(session, &args.run).await?;
    let missing = ServerError::Unreadable {
        uri: args.run,
        reason: "no output yet".to_owned(),
    };
    let look = move || match &args.node {
        Some(node) => of_node(&directory, node, args.attempt),
        None => Some(directory.join("journal.jsonl")).filter(|path| path.is_file()),
    };
    let found = tokio::task::spawn_blocking(look).await.ok().flatten();
    let uri = found.and_then(Uri::from_file_path).ok_or(missing)?;
    show_document::unless_client_draws_runs(&session.notifier, &uri);
    Ok(LogResult { uri })
}

/// The most informative file that is not empty, of the newest or the given attempt of a node.
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
    let non_empty = files().find(|path| std::fs::metadata(path).is_ok_and(|about| about.len() > 0));
    non_empty.or_else(|| files().next())
}
