//! Finds runs in the folders of the workspace. Everything here reads the disk.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use attractor_run::RunSummary;

use crate::documents::Documents;
use crate::errors::ServerError;
use crate::paths;
use crate::workspace::Workspace;
use attractor_proto::RequestError;

/// Every run of a document, newest first.
pub(crate) fn of_file(workspace: &Workspace, file: &Path) -> Vec<RunSummary> {
    let mut runs = attractor_run::list_runs(&workspace.runs_dir(file));
    runs.retain(|run| paths::same_file(&run.path, file));
    runs
}

/// Every run of every folder of the workspace.
pub(crate) fn of_workspace(workspace: &Workspace) -> Vec<RunSummary> {
    let folders = workspace.folders().into_iter();
    // Several folders may belong to one project.
    let directories: BTreeSet<_> = folders.map(|folder| workspace.runs_dir(&folder)).collect();
    directories
        .iter()
        .flat_map(|directory| attractor_run::list_runs(directory))
        .collect()
}

/// A run by its id, of any folder of the workspace or of an open document. Reads on a blocking thread.
pub(crate) async fn find(
    workspace: &Arc<Workspace>,
    documents: &Arc<Documents>,
    run: &str,
) -> Result<RunSummary, ServerError> {
    let (workspace, documents, id) = (Arc::clone(workspace), Arc::clone(documents), run.to_owned());
    let search = move || {
        let of_documents = documents
            .all()
            .into_iter()
            .filter_map(|snapshot| Some(of_file(&workspace, &paths::path_of(&snapshot.uri)?)))
            .flatten();
        of_workspace(&workspace)
            .into_iter()
            .chain(of_documents)
            .find(|summary| summary.run == id)
    };
    let found = tokio::task::spawn_blocking(search)
        .await
        .map_err(|_| RequestError::Internal)?;
    found.ok_or_else(|| ServerError::UnknownRun {
        run: run.to_owned(),
    })
}
