//! `attractor.log`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_run::{Event, EventKind, NodeAttempt};
use lsp_types::Uri;

use super::find_run::find;
use crate::errors::ServerError;
use crate::ext::commands::{LogArgs, LogResult};
use crate::runs::remote_documents::write_read_only;
use crate::runs::remote_run::RemoteRun;
use crate::runs::run_source::RunSource;
use crate::session::Session;
use crate::{paths, show_document};
use attractor_proto::RequestError;

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
    let missing = RequestError::Unreadable {
        uri: args.run.clone(),
        reason: "no output yet".to_owned(),
    };
    let source = find(session, &args.run).await?;
    let Some(directory) = source.directory().map(Path::to_owned) else {
        let uri = of_server(session, &source, &args).await?.ok_or(missing)?;
        show_document::unless_client_draws_runs(&session.notifier, &uri);
        return Ok(LogResult { uri });
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
    let at = newest_attempt(events.iter(), node, attempt)?;
    let stage = attractor_run::stage_directory(directory, at);
    let files = || {
        FILES
            .iter()
            .map(|name| stage.join(name))
            .filter(|path| path.is_file())
    };
    let non_empty = files().find(|path| std::fs::metadata(path).is_ok_and(|about| about.len() > 0));
    non_empty.or_else(|| files().next())
}

/// The newest attempt of a node, or the newest with that number.
fn newest_attempt<'e>(
    events: impl Iterator<Item = &'e Event>,
    node: &str,
    attempt: Option<u32>,
) -> Option<&'e NodeAttempt> {
    let attempts = events.filter_map(|event| match &event.kind {
        EventKind::StageStarted { at, .. } => Some(at),
        _ => None,
    });
    attempts
        .filter(|at| at.node == node && attempt.is_none_or(|wanted| at.attempt == wanted))
        .last()
}

/// The same of a run of a server elsewhere, as a copy.
async fn of_server(
    session: &Arc<Session>,
    source: &RunSource,
    args: &LogArgs,
) -> Result<Option<Uri>, ServerError> {
    let RunSource::Remote(run) = source else {
        return Ok(None);
    };
    let events = run.events(0).await?;
    let Some(node) = &args.node else {
        let lines = events
            .iter()
            .filter_map(|event| serde_json::to_string(event).ok());
        let text: String = lines.map(|line| line + "\n").collect();
        return copy(session, run, "journal.jsonl", &text).map(Some);
    };
    let events = events.iter().map(AsRef::as_ref);
    let Some(at) = newest_attempt(events, node, args.attempt) else {
        return Ok(None);
    };
    let names = run.server.stage_files(run.id(), at).await?;
    for name in FILES
        .into_iter()
        .filter(|name| names.iter().any(|one| one == name))
    {
        let text = run.server.stage_file(run.id(), at, name).await?;
        if !text.is_empty() {
            let name = format!("{}-{}-{name}", paths::file_name(node), at.attempt);
            return copy(session, run, &name, &text).map(Some);
        }
    }
    Ok(None)
}

fn copy(session: &Session, run: &RemoteRun, name: &str, text: &str) -> Result<Uri, ServerError> {
    let unreadable = |error: io::Error| RequestError::Unreadable {
        uri: name.to_owned(),
        reason: error.to_string(),
    };
    let folder = session.runs.remote.folder(run.id()).map_err(unreadable)?;
    let path = folder.join(name);
    write_read_only(&path, text).map_err(unreadable)?;
    Ok(Uri::from_file_path(path).ok_or(RequestError::Internal)?)
}
