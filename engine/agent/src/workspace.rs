//! The folder a session works in.
//!
//! A tool resolves a path as the model wrote it ([`Workspace::resolve`], [`Workspace::resolve_for_change`]), reads the
//! file ([`Workspace::read`]) and puts a new content in place of the one it has read ([`Workspace::change`]). The
//! workspace remembers what the session has seen of each file, so that a change by somebody else is reported.

mod change;
mod error;
mod protected;
mod snapshot;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use attractor_exec::{DirectoryEntry, EntryKind, RootDirectory};

pub use change::FileChange;
pub use error::FileError;
pub use protected::is_protected;
pub use snapshot::{FileSnapshot, MAX_FILE, Version};

/// The folder a session works in. All paths of tools are resolved beneath it.
#[derive(Debug)]
pub struct Workspace {
    root: RootDirectory,
    /// The version of each file that the session has seen last.
    seen: Mutex<HashMap<PathBuf, Version>>,
}

impl Workspace {
    /// Opens a folder.
    ///
    /// # Errors
    /// It does not exist or is not a folder.
    pub fn open(root: &Path) -> io::Result<Self> {
        Ok(Self {
            root: RootDirectory::open(root)?,
            seen: Mutex::default(),
        })
    }

    /// Its absolute path.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Where a path really leads, relative to the root. It need not exist.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, FileError> {
        self.root
            .resolve(path)
            .map_err(|error| FileError::of_path(path, self.root(), error))
    }

    /// Like [`Self::resolve`], for a file that is to be changed: protected files are refused.
    pub fn resolve_for_change(&self, path: &Path) -> Result<PathBuf, FileError> {
        let below = self.resolve(path)?;
        if is_protected(&below) {
            return Err(FileError::Protected(path.to_owned()));
        }
        if below.as_os_str().is_empty() {
            return Err(FileError::Directory(path.to_owned()));
        }
        Ok(below)
    }

    /// What lies at a resolved path; nothing if it does not exist.
    pub fn kind(&self, below: &Path) -> Option<EntryKind> {
        self.root.kind(below).ok()
    }

    /// The entries of a folder; see [`RootDirectory::list`].
    pub fn list(
        &self,
        below: &Path,
        most: usize,
    ) -> Result<(Vec<DirectoryEntry>, bool), FileError> {
        self.root
            .list(below, most)
            .map_err(|error| self.error("list", below, error))
    }

    /// Opens a regular file, as the version it is.
    pub fn open_file(&self, below: &Path) -> Result<(File, Version), FileError> {
        let opened = self.root.open_file(below).and_then(|file| {
            let version = Version::of(&file.metadata()?);
            Ok((file, version))
        });
        opened.map_err(|error| self.error("read", below, error))
    }

    /// Reads a whole file of at most [`MAX_FILE`] bytes.
    pub fn read(&self, below: &Path) -> Result<FileSnapshot, FileError> {
        let (file, version) = self.open_file(below)?;
        if version.length() > MAX_FILE {
            return Err(FileError::TooLarge(below.to_owned()));
        }
        let mut content = Vec::new();
        // A file may grow while it is read.
        let read = file.take(MAX_FILE + 1).read_to_end(&mut content);
        read.map_err(|error| self.error("read", below, error))?;
        if content.len() as u64 > MAX_FILE {
            return Err(FileError::TooLarge(below.to_owned()));
        }
        Ok(FileSnapshot {
            content: Some(content),
            version: Some(version),
        })
    }

    /// Reads a file that need not exist.
    pub fn read_if_exists(&self, below: &Path) -> Result<FileSnapshot, FileError> {
        match self.read(below) {
            Err(FileError::NotFound { .. }) => Ok(FileSnapshot::default()),
            read => read,
        }
    }

    /// Puts a content (none: removes the file) in place of the one that was read, all of it or nothing. Folders on the
    /// way are made.
    ///
    /// # Errors
    /// The file is protected or has changed since it was read, or the system refuses it; then nothing is changed.
    pub fn change(
        &self,
        below: &Path,
        before: FileSnapshot,
        after: Option<Vec<u8>>,
    ) -> Result<FileChange, FileError> {
        self.change_with_mode(below, before, after, None)
    }

    /// Like [`Self::change`]; a new file has these permissions.
    pub fn change_with_mode(
        &self,
        below: &Path,
        before: FileSnapshot,
        after: Option<Vec<u8>>,
        mode: Option<u32>,
    ) -> Result<FileChange, FileError> {
        if is_protected(below) {
            return Err(FileError::Protected(below.to_owned()));
        }
        let _alone = locked(&CHANGING);
        let now = self.open_file(below).ok().map(|(_, version)| version);
        if now != before.version {
            return Err(FileError::Changed(below.to_owned()));
        }
        if let Some(content) = &after {
            let parent = below.parent().unwrap_or(Path::new(""));
            let placed = self.root.create_directories(parent);
            let placed = placed.and_then(|()| self.root.replace(below, content, mode));
            placed.map_err(|error| self.error("write", below, error))?;
            self.remember(below);
        } else {
            let removed = self.root.remove_file(below);
            removed.map_err(|error| self.error("remove", below, error))?;
            locked(&self.seen).remove(below);
        }
        Ok(FileChange {
            path: below.to_owned(),
            mode: before.version.map(|version| version.mode()),
            before: before.content,
            after,
        })
    }

    /// Remembers that the session has seen this version of a file. Says whether it had seen another one before.
    pub fn saw(&self, below: &Path, version: Version) -> bool {
        let before = locked(&self.seen).insert(below.to_owned(), version);
        before.is_some_and(|before| before != version)
    }

    /// Remembers the version that the session itself has made.
    fn remember(&self, below: &Path) {
        if let Ok((_, version)) = self.open_file(below) {
            locked(&self.seen).insert(below.to_owned(), version);
        }
    }

    fn error(&self, action: &'static str, below: &Path, error: io::Error) -> FileError {
        FileError::of_action(action, below, error, || self.similar(below))
    }

    /// The entry of a folder that is most like the name of a file that is not there.
    fn similar(&self, below: &Path) -> Option<PathBuf> {
        let parent = below.parent()?;
        let name = below.file_name()?.to_str()?;
        let (entries, _) = self.root.list(parent, 1000).ok()?;
        let likeness = |entry: &DirectoryEntry| {
            let entry = entry.name.to_str()?;
            let like = strsim::jaro_winkler(name, entry);
            (like > 0.85).then(|| (like, parent.join(entry)))
        };
        let best = entries
            .iter()
            .filter_map(likeness)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, path)| path)
    }
}

/// Two sessions of this process do not change files at the same time, so that none changes one between the other's
/// check and its write.
static CHANGING: Mutex<()> = Mutex::new(());

/// What a panic elsewhere left is a map of versions, valid at any time.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
