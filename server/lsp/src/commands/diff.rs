//! `attractor.diff`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_run::{FileChanges, FileDiff, changes_of_node, changes_of_run};
use lsp_types::Uri;

use super::run_directory::run_directory;
use crate::errors::ServerError;
use crate::ext::commands::{ChangedFile, DiffArgs, DiffResult};
use crate::runs::prepare::engine_error;
use crate::session::Session;
use crate::show_document;

/// The files that a run or a node changed. Reads the disk off the server's own task.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: DiffArgs,
) -> Result<DiffResult, ServerError> {
    let (contents, run) = (args.contents, args.run.clone());
    let is_drawn = session.notifier.features().run_state;
    let document = document(&run_directory(session, &args.run).await?, &args);
    let read = move |changes: FileChanges| {
        let files = changes.diffs().map_err(|error| engine_error(&error))?;
        let root = Uri::from_file_path(&changes.root).ok_or(ServerError::UnknownRun { run })?;
        let shown = if is_drawn {
            None
        } else {
            write(&document, &files)
        };
        let files = files.into_iter();
        let result = DiffResult {
            root,
            visit: changes.visit,
            files: files.map(|file| ChangedFile::of(file, contents)).collect(),
        };
        Ok((result, shown))
    };
    let (result, shown) = with_changes(session, args.run, args.node, args.visit, read).await?;
    if let Some(uri) = shown {
        show_document::unless_client_draws_runs(&session.notifier, &uri);
    }
    Ok(result)
}

/// The file in the directory of a run that clients without views of their own show.
fn document(directory: &Path, args: &DiffArgs) -> PathBuf {
    let node = args.node.as_deref().unwrap_or("run");
    let safe = |letter: char| match letter {
        letter if letter.is_alphanumeric() || "-_".contains(letter) => letter,
        _ => '_',
    };
    let name: String = node.chars().map(safe).collect();
    directory.join("changes").join(format!("{name}.diff"))
}

/// Writes the diffs. What cannot be written is not shown.
fn write(document: &Path, files: &[FileDiff]) -> Option<Uri> {
    let text: String = files.iter().map(FileDiff::text).collect();
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
    action: impl FnOnce(FileChanges) -> Result<T, ServerError> + Send + 'static,
) -> Result<T, ServerError> {
    let directory = run_directory(session, &run).await?;
    let work = move || {
        let changes = match &node {
            Some(node) => changes_of_node(&directory, node, visit),
            None => changes_of_run(&directory),
        };
        action(changes.map_err(|error| engine_error(&error))?)
    };
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| ServerError::Internal)?
}
