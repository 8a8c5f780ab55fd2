//! The document that a run of a server elsewhere is shown in: the one with the text that the run began with, whether it
//! is open or in a folder of the workspace; else a read-only copy of that text.
//!
//! The texts are compared, not the names: another pipeline of the same name has other nodes in other lines.

use std::io;
use std::path::Path;

use lsp_types::Uri;

use super::server_run::RunDocument;
use crate::documents::Documents;
use crate::paths;
use crate::workspace::Workspace;

/// The document with a text. Reads files.
pub(crate) fn with_text(
    documents: &Documents,
    workspace: &Workspace,
    text: &str,
) -> Option<RunDocument> {
    let open = documents.all().into_iter().find_map(|snapshot| {
        let file = paths::path_of(&snapshot.uri)?;
        is_same(&snapshot.rope.to_string(), text).then(|| RunDocument {
            uri: snapshot.uri.clone(),
            file,
        })
    });
    open.or_else(|| {
        let files = workspace.dot_files().into_iter();
        // What is open counts as it is in the editor.
        let mut files = files.filter(|file| documents.at(file).is_none());
        let file =
            files.find(|file| paths::read_small(file).is_some_and(|one| is_same(&one, text)))?;
        Some(RunDocument {
            uri: Uri::from_file_path(&file)?,
            file,
        })
    })
}

/// Whether two texts are the same but for their line ends.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one.trim_end().lines().eq(other.trim_end().lines())
}

/// Writes a document with the text into a folder.
pub(crate) fn write_copy(folder: &Path, pipeline: &str, text: &str) -> io::Result<RunDocument> {
    let file = folder.join(format!("{}.dot", paths::file_name(pipeline)));
    write_read_only(&file, text)?;
    let uri = Uri::from_file_path(&file).ok_or_else(|| io::Error::other("no path"))?;
    Ok(RunDocument { uri, file })
}

/// Writes a file that editors do not offer to change.
pub(crate) fn write_read_only(file: &Path, text: &str) -> io::Result<()> {
    // A file of this name that cannot be written is one that was written here before.
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::write(file, text)?;
    let mut permissions = std::fs::metadata(file)?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(file, permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_without_their_line_ends() {
        assert!(is_same("digraph {\r\n}\r\n", "digraph {\n}"));
        assert!(!is_same("digraph { a }", "digraph { b }"));
    }
}
