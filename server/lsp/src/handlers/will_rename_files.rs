//! `workspace/willRenameFiles`: paths in pipelines follow the files they name.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use attractor_ide::dot::Edit;
use attractor_ide::will_rename_files;
use lsp_types::{RenameFilesParams, WorkspaceEdit};
use tower_lsp::jsonrpc::{Error, Result};

use crate::paths;
use crate::session::Session;
use attractor_proto::to_proto;
use attractor_proto::{RequestContext, Workspace as _};

/// The changes of every DOT file of the workspace and of every open one. They are applied before the files move.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: RenameFilesParams,
) -> Result<Option<WorkspaceEdit>> {
    let path = |uri: &str| paths::path_of(&uri.parse().ok()?);
    let renames = params.files.iter();
    let moved: Vec<(PathBuf, PathBuf)> = renames
        .filter_map(|file| Some((path(&file.old_uri)?, path(&file.new_uri)?)))
        .collect();
    let session = Arc::clone(session);
    let find = move || {
        let changes: Vec<(RequestContext, Vec<Edit>)> = session
            .contexts()
            .map(|context| {
                let edits = edits(&context, &moved);
                (context, edits)
            })
            .filter(|(_, edits)| !edits.is_empty())
            .collect();
        (!changes.is_empty())
            .then(|| to_proto::workspace_edits(session.notifier.features(), &changes))
    };
    let edit = tokio::task::spawn_blocking(find).await;
    edit.map_err(|_| Error::internal_error())
}

fn edits(context: &RequestContext, moved: &[(PathBuf, PathBuf)]) -> Vec<Edit> {
    let Some(own) = paths::path_of(&context.uri) else {
        return Vec::new();
    };
    let now = destination(&own, moved).unwrap_or_else(|| own.clone());
    let (Some(folder), Some(new_folder)) = (own.parent(), now.parent()) else {
        return Vec::new();
    };
    will_rename_files::edits(&context.document, context.files().as_ref(), |path| {
        let old = paths::resolve(folder, path);
        let new = destination(&old, moved).unwrap_or_else(|| old.clone());
        if new == old && folder == new_folder {
            return None;
        }
        let written = if Path::new(path).is_absolute() {
            new.to_str()?.to_owned()
        } else {
            relative(new_folder, &new)?
        };
        (written != path).then_some(written)
    })
}

/// Where a file goes; `None` when it stays.
fn destination(file: &Path, moved: &[(PathBuf, PathBuf)]) -> Option<PathBuf> {
    moved.iter().find_map(|(old, new)| {
        let inside = file.strip_prefix(old).ok()?;
        Some(if inside.as_os_str().is_empty() {
            new.clone()
        } else {
            new.join(inside)
        })
    })
}

/// The way from a folder to a file, with `/` between its parts as DOT files write it.
fn relative(folder: &Path, file: &Path) -> Option<String> {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    let down = to
        .get(shared..)?
        .iter()
        .map(|part| part.as_os_str().to_str());
    let down: Vec<&str> = down.collect::<Option<_>>()?;
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_file_goes_up_and_down() {
        let way = |folder, file| relative(Path::new(folder), Path::new(file)).expect("text");
        assert_eq!(way("/a/b", "/a/b/c.md"), "c.md");
        assert_eq!(way("/a/b", "/a/c/d.md"), "../c/d.md");
        assert_eq!(way("/a", "/x.md"), "../x.md");
    }

    #[test]
    fn files_move_with_their_folder() {
        let moved = [(PathBuf::from("/a/prompts"), PathBuf::from("/a/texts"))];
        let to = |file| destination(Path::new(file), &moved);
        assert_eq!(to("/a/prompts/x.md"), Some("/a/texts/x.md".into()));
        assert_eq!(to("/a/prompts"), Some("/a/texts".into()));
        assert_eq!(to("/a/prompts2/x.md"), None);
    }
}
