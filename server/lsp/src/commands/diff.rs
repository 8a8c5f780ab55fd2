//! `attractor.diff`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_run::{FileChanges, FileDiff, changes_of_node, changes_of_run};
use lsp_types::Uri;

use super::find_run::{self, find};
use crate::errors::ServerError;
use crate::ext::commands::{ChangedFile, DiffArgs, DiffResult};
use crate::runs::run_source::RunSource;
use crate::session::Session;
use crate::{paths, show_document};
use attractor_proto::RequestError;

/// The files that a run or a node changed. Reads the disk off the server's own task.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: DiffArgs,
) -> Result<DiffResult, ServerError> {
    let (contents, run) = (args.contents, args.run.clone());
    let is_drawn = session.notifier.features().run_state;
    let source = find(session, &args.run).await?;
    let Some(directory) = source.directory() else {
        return of_server(session, &source, &args).await;
    };
    let document = document(&directory.join("changes"), &args);
    let read = move |changes: FileChanges| {
        let files = changes.diffs().map_err(|error| ServerError::from(&error))?;
        let root = Uri::from_file_path(&changes.root).ok_or(ServerError::UnknownRun { run })?;
        let shown = if is_drawn {
            None
        } else {
            write(&document, files.iter().map(FileDiff::text))
        };
        let files = files.into_iter();
        let result = DiffResult {
            root,
            visit: changes.visit,
            files: files.map(|file| ChangedFile::of(file, contents)).collect(),
        };
        Ok((result, shown))
    };
    let (result, shown) = with_changes(
        session,
        args.run,
        args.node,
        args.visit,
        "attractor.diff",
        read,
    )
    .await?;
    if let Some(uri) = shown {
        show_document::unless_client_draws_runs(&session.notifier, &uri);
    }
    Ok(result)
}

/// The same of a run of a server elsewhere.
async fn of_server(
    session: &Arc<Session>,
    source: &RunSource,
    args: &DiffArgs,
) -> Result<DiffResult, ServerError> {
    let RunSource::Remote(run) = source else {
        return Err(RequestError::Internal.into());
    };
    let node = args.node.as_deref().map(|node| (node, args.visit));
    let changes = run.server.changes(run.id(), node, args.contents).await?;
    let folder = session.runs.remote.folder(run.id());
    let folder = folder.map_err(|error| RequestError::Unreadable {
        uri: args.run.clone(),
        reason: error.to_string(),
    })?;
    if !session.notifier.features().run_state {
        let diffs = changes.files.iter().filter_map(|file| file.diff.as_deref());
        if let Some(uri) = write(&document(&folder, args), diffs) {
            show_document::unless_client_draws_runs(&session.notifier, &uri);
        }
    }
    Ok(DiffResult {
        root: Uri::from_file_path(&folder).ok_or(RequestError::Internal)?,
        visit: changes.visit,
        files: changes.files.into_iter().map(ChangedFile::from).collect(),
    })
}

/// The file in a folder that clients without views of their own show.
fn document(folder: &Path, args: &DiffArgs) -> PathBuf {
    let node = args.node.as_deref().unwrap_or("run");
    folder.join(format!("{}.diff", paths::file_name(node)))
}

/// Writes the diffs. What cannot be written is not shown.
fn write<'d>(document: &Path, diffs: impl Iterator<Item = &'d str>) -> Option<Uri> {
    let text: String = diffs.collect();
    std::fs::create_dir_all(document.parent()?).ok()?;
    std::fs::write(document, text).ok()?;
    Uri::from_file_path(document)
}

/// Does something with the changes of a run, or of a node of it, on a thread that may block.
pub(super) async fn with_changes<T: Send + 'static>(
    session: &Arc<Session>,
    run: String,
    node: Option<String>,
    visit: Option<u32>,
    what: &'static str,
    action: impl FnOnce(FileChanges) -> Result<T, ServerError> + Send + 'static,
) -> Result<T, ServerError> {
    let directory = find_run::directory(session, &run, what).await?;
    let work = move || {
        let changes = match &node {
            Some(node) => changes_of_node(&directory, node, visit),
            None => changes_of_run(&directory),
        };
        action(changes.map_err(|error| ServerError::from(&error))?)
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| RequestError::Internal)?
}
