//! What several copies of a workspace have made of one file.

use std::path::{Path, PathBuf};

use attractor_exec::sha256;
use attractor_text_diff::{ConflictReason, merge_lines};

use crate::capture;
use crate::changes::Change;
use crate::entry::{Entry, FileKind};
use crate::error::SnapshotError;
use crate::files::{is_as, kind_of};
use crate::merged::MergeSource;
use crate::store::SnapshotStore;

/// Texts that are larger are not merged by lines.
const MAX_TEXT: u64 = 4 * 1024 * 1024;

/// What the copies have made of a file.
pub(crate) struct Combined<'m> {
    /// How it was when they were made.
    pub(crate) before: Option<&'m Entry>,
    /// What it is now; none when it is deleted.
    pub(crate) content: Option<Content<'m>>,
}

/// What a file is to have in it.
pub(crate) enum Content<'m> {
    Bytes(FileKind, Vec<u8>),
    /// That of this file, which is not stored.
    File {
        entry: &'m Entry,
        from: PathBuf,
    },
}

/// What a merge is to do with a file.
pub(crate) enum MergeStep<'m> {
    /// It is as it is to be.
    Nothing,
    Remove,
    Write(Content<'m>),
}

/// One version of a file as it is compared with others.
#[derive(Clone, Copy)]
struct Version<'m> {
    entry: Option<&'m Entry>,
    /// The copy it is in.
    folder: &'m Path,
    path: &'m Path,
}

impl Content<'_> {
    /// Whether the workspace has it already.
    pub(crate) fn is_at(&self, root: &Path, path: &Path) -> bool {
        match self {
            Self::File { entry, .. } => is_as(root, path, Some(entry)),
            Self::Bytes(kind, bytes) => {
                let entry = Entry {
                    kind: *kind,
                    size: bytes.len() as u64,
                    modified: 0,
                    checksum: Some(sha256(bytes)),
                };
                is_as(root, path, Some(&entry))
            }
        }
    }
}

impl SnapshotStore {
    /// What copies that have changed a file have made of it together.
    pub(crate) fn combine<'m>(
        &self,
        changes: &'m [(&MergeSource, Change)],
    ) -> Result<Result<Combined<'m>, ConflictReason>, SnapshotError> {
        let version = |(source, change): &'m (&MergeSource, Change)| Version {
            entry: change.after.as_ref(),
            folder: &source.folder,
            path: &change.path,
        };
        let Some((first, rest)) = changes.split_first() else {
            return Ok(Err(ConflictReason::NotText));
        };
        let before = first.1.before.as_ref();
        let mut merged: Option<(FileKind, String)> = None;
        for next in rest {
            let (base, theirs) = (next.1.before.as_ref(), version(next));
            let is_known = match &merged {
                Some((kind, text)) => theirs
                    .entry
                    .is_some_and(|entry| entry.has(*kind, text.as_bytes())),
                None => same(version(first).entry, theirs.entry),
            };
            if is_known {
                continue;
            }
            let ours = match merged.take() {
                Some(ours) => ours,
                None => match self.text(version(first))? {
                    Ok(ours) => ours,
                    Err(none) => return Ok(Err(none.reason(base, theirs.entry))),
                },
            };
            let theirs = match self.text(theirs)? {
                Ok(theirs) => theirs,
                Err(none) => return Ok(Err(none.reason(base, version(first).entry))),
            };
            let base = Version {
                entry: base,
                ..version(next)
            };
            match self.merged(base, &ours, &theirs)? {
                Ok(both) => merged = Some(both),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let content = match merged {
            Some((kind, text)) => Some(Content::Bytes(kind, text.into_bytes())),
            None => self.whole(version(first))?,
        };
        Ok(Ok(Combined { before, content }))
    }

    /// The same together with what the workspace has made of it in the meantime.
    pub(crate) fn with_workspace<'m>(
        &self,
        root: &Path,
        path: &Path,
        before: Option<&Entry>,
        content: Option<Content<'m>>,
    ) -> Result<Result<Content<'m>, ConflictReason>, SnapshotError> {
        let theirs = match content {
            Some(Content::Bytes(kind, bytes)) => as_text(kind, bytes),
            Some(Content::File { .. }) => Err(NoText::Unreadable),
            None => Err(NoText::Missing),
        };
        let ours = match kind_of(&root.join(path)) {
            None => Err(NoText::Missing),
            Some(kind) => read(root, path, kind),
        };
        let (ours, theirs) = match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Err(none), _) | (_, Err(none)) => return Ok(Err(none.reason(before, None))),
        };
        let base = Version {
            entry: before,
            folder: Path::new(""),
            path,
        };
        let merged = self.merged(base, &ours, &theirs)?;
        Ok(merged.map(|(kind, text)| Content::Bytes(kind, text.into_bytes())))
    }

    /// Two texts in one, as both differ from a third one.
    fn merged(
        &self,
        base: Version<'_>,
        (our_kind, ours): &(FileKind, String),
        (their_kind, theirs): &(FileKind, String),
    ) -> Result<Result<(FileKind, String), ConflictReason>, SnapshotError> {
        let Some(entry) = base.entry else {
            return Ok(Err(ConflictReason::AddedTwice));
        };
        let Ok((_, base)) = self.text(base)? else {
            return Ok(Err(ConflictReason::NotText));
        };
        let Some(merged) = merge_lines(&base, ours, theirs) else {
            return Ok(Err(ConflictReason::SameLines));
        };
        let kind = if *their_kind == entry.kind {
            *our_kind
        } else {
            *their_kind
        };
        Ok(Ok((kind, merged)))
    }

    /// The text of a version.
    fn text(
        &self,
        version: Version<'_>,
    ) -> Result<Result<(FileKind, String), NoText>, SnapshotError> {
        let Some(entry) = version.entry else {
            return Ok(Err(NoText::Missing));
        };
        if entry.size > MAX_TEXT || entry.kind == FileKind::Link {
            return Ok(Err(NoText::Unreadable));
        }
        if let Some(content) = self.content(entry)? {
            return Ok(as_text(entry.kind, content));
        }
        let found = read(version.folder, version.path, entry.kind);
        // It may not be that of the version any more.
        let is_same = |(kind, text): &(_, String)| entry.has(*kind, text.as_bytes());
        Ok(found.and_then(|found| is_same(&found).then_some(found).ok_or(NoText::Unreadable)))
    }

    /// The content of a version, whatever it is.
    fn whole<'m>(&self, version: Version<'m>) -> Result<Option<Content<'m>>, SnapshotError> {
        let Some(entry) = version.entry else {
            return Ok(None);
        };
        Ok(Some(match self.content(entry)? {
            Some(content) => Content::Bytes(entry.kind, content),
            None => Content::File {
                entry,
                from: version.folder.join(version.path),
            },
        }))
    }
}

/// Why a version has no text.
#[derive(Clone, Copy)]
enum NoText {
    Missing,
    Unreadable,
}

impl NoText {
    /// What that means where another version is to be merged with it.
    fn reason(self, before: Option<&Entry>, other: Option<&Entry>) -> ConflictReason {
        match self {
            Self::Missing => ConflictReason::DeletedAndChanged,
            Self::Unreadable if before.is_some() && other.is_none() => {
                ConflictReason::DeletedAndChanged
            }
            Self::Unreadable => ConflictReason::NotText,
        }
    }
}

fn same(one: Option<&Entry>, other: Option<&Entry>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.is_same(other),
        (None, None) => true,
        _ => false,
    }
}

fn read(folder: &Path, path: &Path, kind: FileKind) -> Result<(FileKind, String), NoText> {
    if kind == FileKind::Link {
        return Err(NoText::Unreadable);
    }
    let content = capture::content(folder, path, kind, MAX_TEXT);
    as_text(kind, content.map_err(|_| NoText::Unreadable)?)
}

fn as_text(kind: FileKind, content: Vec<u8>) -> Result<(FileKind, String), NoText> {
    let is_text = kind != FileKind::Link && !content.contains(&0);
    String::from_utf8(content)
        .ok()
        .filter(|_| is_text)
        .map(|text| (kind, text))
        .ok_or(NoText::Unreadable)
}
