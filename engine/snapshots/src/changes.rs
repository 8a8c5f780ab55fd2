//! How two snapshots differ.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::error::SnapshotError;
use crate::tree::{Node, Tree, is_complete};

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
// Exhaustive: a file is added, changed or removed.
pub enum ChangeKind {
    /// It was not there before.
    Added,
    /// Its content, its kind or whether it can be executed is different.
    Modified,
    /// It is not there any more.
    Deleted,
}

/// A file that is different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Relative to the root of the workspace.
    pub path: PathBuf,
    /// The file before.
    pub before: Option<Entry>,
    /// The file after.
    pub after: Option<Entry>,
}

impl Change {
    /// What happened to it.
    pub const fn kind(&self) -> ChangeKind {
        match (&self.before, &self.after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Deleted,
            _ => ChangeKind::Modified,
        }
    }
}

/// Compares two trees; `read` gives the tree of a checksum. A file that is missing where not all files were recorded may be
/// there: it counts as unchanged.
pub(crate) fn changes(
    read: &dyn Fn(&str) -> Result<Tree, SnapshotError>,
    before: &str,
    after: &str,
) -> Result<Vec<Change>, SnapshotError> {
    let (all_before, all_after) = (is_complete(&read(before)?), is_complete(&read(after)?));
    let mut found = Vec::new();
    let mut open = vec![(
        PathBuf::new(),
        Some(before.to_owned()),
        Some(after.to_owned()),
    )];
    while let Some((folder, before, after)) = open.pop() {
        if before == after {
            continue;
        }
        let tree = |checksum: Option<String>| checksum.map_or(Ok(Tree::new()), |one| read(&one));
        let (before, mut after) = (tree(before)?, tree(after)?);
        let mut pairs: Vec<_> = before
            .into_iter()
            .map(|(name, node)| {
                let then = after.remove(&name);
                (name, Some(node), then)
            })
            .collect();
        pairs.extend(
            after
                .into_iter()
                .map(|(name, node)| (name, None, Some(node))),
        );
        for (name, before, after) in pairs {
            let path = folder.join(name);
            let (file_before, folder_before) = split(before);
            let (file_after, folder_after) = split(after);
            if folder_before.is_some() || folder_after.is_some() {
                open.push((path.clone(), folder_before, folder_after));
            }
            let is_same = match (&file_before, &file_after) {
                (Some(before), Some(after)) => before.is_same(after),
                (None, None) => true,
                _ => false,
            };
            if !is_same {
                found.push(Change {
                    path,
                    before: file_before,
                    after: file_after,
                });
            }
        }
    }
    found.retain(|change| match change.kind() {
        ChangeKind::Added => all_before,
        ChangeKind::Deleted => all_after,
        ChangeKind::Modified => true,
    });
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

fn split(node: Option<Node>) -> (Option<Entry>, Option<String>) {
    match node {
        None | Some(Node::Unrecorded) => (None, None),
        Some(Node::File(entry)) => (Some(entry), None),
        Some(Node::Folder(checksum)) => (None, Some(checksum)),
    }
}
