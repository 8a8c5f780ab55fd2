//! From a text to an analyzed document: of a snapshot, or of a file on the disk.

use std::path::Path;
use std::sync::Arc;

use attractor_ide::document::Document;
use attractor_ide::model::{Files, NoFiles, Options};
use attractor_proto::UNOPENED;
use lsp_types::Uri;

use crate::documents::{Documents, Snapshot};
use crate::notifier::Notifier;
use crate::paths;
use crate::workspace::Workspace;
use crate::workspace_files::WorkspaceFiles;

/// The document of a snapshot, analyzed now if it has not been.
pub(crate) fn document(documents: &Arc<Documents>, snapshot: &Snapshot) -> Arc<Document> {
    snapshot.document_or_init(|| {
        let workspace_files = WorkspaceFiles::new(&snapshot.uri, &snapshot.options, documents);
        let files: &dyn Files = workspace_files.as_ref().map_or(&NoFiles, |files| files);
        let options = Options::clone(&snapshot.options);
        let document = Document::from_rope(snapshot.rope.clone(), snapshot.version, options, files);
        let dependencies = workspace_files.map(WorkspaceFiles::into_dependencies);
        documents.set_dependencies(&snapshot.uri, dependencies.unwrap_or_default());
        Arc::new(document)
    })
}

/// A file as it is on the disk.
pub(crate) fn document_on_disk(
    documents: &Arc<Documents>,
    workspace: &Workspace,
    notifier: &Notifier,
    path: &Path,
) -> Option<(Uri, Arc<Document>)> {
    let uri = Uri::from_file_path(path)?;
    let text = paths::read_small(path)?;
    let options = options(workspace, notifier, &uri);
    let files = WorkspaceFiles::of(&uri, &options, documents);
    let document = Document::new(&text, UNOPENED, options, files.as_ref());
    Some((uri, Arc::new(document)))
}

/// How a document is analyzed. Problems of its project's configuration are shown to the user.
pub(crate) fn options(workspace: &Workspace, notifier: &Notifier, uri: &Uri) -> Options {
    let (options, problems) = workspace.options(uri);
    notifier.show_warnings(problems);
    options
}
