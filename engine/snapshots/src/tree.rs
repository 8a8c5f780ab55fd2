//! A folder of a snapshot as an object: its files and folders, sorted by name.
//!
//! Each entry is `KIND SIZE MODIFIED CHECKSUM NAME` and a NUL; `-` is an unknown checksum. An entry without a name, in the
//! root only, marks a snapshot that does not have all files.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::entry::{Entry, FileKind};

/// What a name in a folder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    File(Entry),
    /// The checksum of its tree.
    Folder(String),
    /// The workspace has more files than were recorded. Its name is empty.
    Unrecorded,
}

/// A folder.
pub(crate) type Tree = BTreeMap<OsString, Node>;

const FOLDER: char = 'd';
const UNRECORDED: char = 'u';

/// Notes in a root that the workspace has more files.
pub(crate) fn mark_incomplete(root: &mut Tree) {
    root.insert(OsString::new(), Node::Unrecorded);
}

/// Whether a root has all files of the workspace.
pub(crate) fn is_complete(root: &Tree) -> bool {
    !root.contains_key(OsStr::new(""))
}

pub(crate) fn encode(tree: &Tree) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, node) in tree {
        let line = match node {
            Node::Folder(checksum) => format!("{FOLDER} 0 0 {checksum} "),
            Node::Unrecorded => format!("{UNRECORDED} 0 0 - "),
            Node::File(entry) => format!(
                "{} {} {} {} ",
                entry.kind.letter(),
                entry.size,
                entry.modified,
                entry.checksum.as_deref().unwrap_or("-")
            ),
        };
        bytes.extend_from_slice(line.as_bytes());
        bytes.extend_from_slice(&name_bytes(name));
        bytes.push(0);
    }
    bytes
}

/// None for bytes that are not a tree.
pub(crate) fn decode(bytes: &[u8]) -> Option<Tree> {
    let mut tree = Tree::new();
    for line in bytes
        .split(|byte| *byte == 0)
        .filter(|line| !line.is_empty())
    {
        let mut parts = line.splitn(5, |byte| *byte == b' ');
        let mut part = || std::str::from_utf8(parts.next()?).ok();
        let (kind, size, modified, checksum) = (part()?, part()?, part()?, part()?);
        let name = name_of(parts.next()?);
        let kind = kind.chars().next()?;
        let node = match kind {
            FOLDER => Node::Folder(checksum.to_owned()),
            UNRECORDED => Node::Unrecorded,
            kind => Node::File(Entry {
                kind: FileKind::ALL.into_iter().find(|one| one.letter() == kind)?,
                size: size.parse().ok()?,
                modified: modified.parse().ok()?,
                checksum: (checksum != "-").then(|| checksum.to_owned()),
            }),
        };
        tree.insert(name, node);
    }
    Some(tree)
}

pub(crate) fn name_bytes(name: &OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    name.as_bytes().to_vec()
}

pub(crate) fn name_of(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).to_owned()
}
