//! The folder a session works in.
//!
//! A tool resolves a path as the model wrote it ([`Workspace::resolve`], [`Workspace::resolve_for_change`]), reads the
//! file ([`Workspace::read`]) and puts a new content in place of the one it has read ([`Workspace::change`]). The
//! workspace remembers what the session has seen of each file, so that a change by somebody else is reported. Where the
//! session works inside an editor ([`EditorFiles`]), tools read its unsaved texts and write through it; searches, commands
//! and snapshots see what is stored.

mod change;
mod editor;
mod error;
mod snapshot;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_exec::{DirectoryEntry, EntryKind, RootDirectory};
use attractor_permissions::is_protected;

pub use change::FileChange;
pub use editor::EditorFiles;
pub use error::FileError;
pub use snapshot::{FileSnapshot, MAX_FILE, Version};

/// The folder a session works in. All paths of tools are resolved beneath it.
#[derive(Debug)]
pub struct Workspace {
    root: RootDirectory,
    /// The version of each file that the session has seen last.
    seen: Mutex<HashMap<PathBuf, Version>>,
    /// The editor that has files of it open.
    editor: Option<Arc<dyn EditorFiles>>,
    /// Where relative paths begin, relative to the root.
    base: PathBuf,
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
            editor: None,
            base: PathBuf::new(),
        })
    }

    /// The same workspace for one who works in a folder of it: relative paths begin there. What may be read and changed
    /// stays the same.
    ///
    /// # Errors
    /// The folder is outside of the workspace or protected, or it is no folder.
    pub fn in_folder(&self, folder: &Path) -> Result<Self, FileError> {
        let base = self.resolve(folder)?;
        if is_protected(&base) {
            return Err(FileError::Protected(folder.to_owned()));
        }
        // An error if it is no folder.
        self.list(&base, 0)?;
        let root = RootDirectory::open(self.root());
        Ok(Self {
            root: root.map_err(|error| self.error("read", &base, error))?,
            seen: Mutex::default(),
            editor: self.editor.clone(),
            base,
        })
    }

    /// Where relative paths begin, relative to the root; empty for the root.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Where commands run.
    pub fn folder(&self) -> PathBuf {
        self.root().join(&self.base)
    }

    /// A path relative to the root as one writes it who works in the folder.
    pub fn as_written<'p>(&self, below: &'p Path) -> std::borrow::Cow<'p, Path> {
        match below.strip_prefix(&self.base) {
            Ok(inside) => inside.into(),
            Err(_) => self.root().join(below).into(),
        }
    }

    /// The same folder with an editor: its texts are read, and what is written goes through it.
    #[must_use]
    pub fn with_editor(self, editor: Option<Arc<dyn EditorFiles>>) -> Self {
        Self { editor, ..self }
    }

    /// Its absolute path.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// Where a path really leads, relative to the root. It need not exist.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, FileError> {
        // An absolute path replaces the base.
        self.root
            .resolve(&self.base.join(path))
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

    /// Reads a file as a stream: as the editor has it, else as it is stored.
    pub fn open_text(&self, below: &Path) -> Result<(Box<dyn Read + Send>, Version), FileError> {
        let (file, version) = self.open_file(below)?;
        if self.editor.is_some() && version.length() <= MAX_FILE {
            let read = self.read(below)?;
            let content = Cursor::new(read.content.unwrap_or_default());
            return Ok((Box::new(content), read.version.unwrap_or(version)));
        }
        Ok((Box::new(file), version))
    }

    /// Reads a whole file of at most [`MAX_FILE`] bytes: as the editor has it, else as it is stored.
    pub fn read(&self, below: &Path) -> Result<FileSnapshot, FileError> {
        let stored = self.read_stored(below)?;
        let Some(editor) = &self.editor else {
            return Ok(stored);
        };
        let path = self.root().join(below);
        Ok(FileSnapshot {
            content: stored
                .content
                .map(|stored| editor::text_of(editor.as_ref(), &path, stored)),
            ..stored
        })
    }

    /// The same as it is stored, also while an editor has an unsaved text of it.
    pub fn read_stored(&self, below: &Path) -> Result<FileSnapshot, FileError> {
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
        let after = if let Some(content) = after {
            let stored = self.store(below, &before, content, mode)?;
            self.remember(below);
            Some(stored)
        } else {
            let removed = self.root.remove_file(below);
            removed.map_err(|error| self.error("remove", below, error))?;
            locked(&self.seen).remove(below);
            None
        };
        Ok(FileChange {
            path: below.to_owned(),
            mode: before.version.map(|version| version.mode()),
            before: before.content,
            after,
        })
    }

    /// Stores a content; gives what is stored, which an editor may have formatted.
    fn store(
        &self,
        below: &Path,
        before: &FileSnapshot,
        content: Vec<u8>,
        mode: Option<u32>,
    ) -> Result<Vec<u8>, FileError> {
        let parent = below.parent().unwrap_or(Path::new(""));
        let placed = self.root.create_directories(parent);
        placed.map_err(|error| self.error("write", below, error))?;
        if mode.is_none()
            && let Some(stored) = self.store_in_editor(below, before, &content)?
        {
            return Ok(stored);
        }
        let placed = self.root.replace(below, &content, mode);
        placed.map_err(|error| self.error("write", below, error))?;
        Ok(content)
    }

    /// Lets the editor write a text. `None` when it does not store it: commands and snapshots are to see it, too.
    fn store_in_editor(
        &self,
        below: &Path,
        before: &FileSnapshot,
        content: &[u8],
    ) -> Result<Option<Vec<u8>>, FileError> {
        let (Some(editor), Ok(text)) = (&self.editor, std::str::from_utf8(content)) else {
            return Ok(None);
        };
        // Editors write in place: that would change a protected file that has a second name.
        if before
            .version
            .is_some_and(|version| version.has_other_names())
        {
            return Ok(None);
        }
        let path = self.root().join(below);
        editor
            .write(&path, text)
            .map_err(|reason| FileError::Path {
                path: below.to_owned(),
                reason: format!("the editor refuses the change: {reason}"),
            })?;
        let stored = self.read_stored(below).unwrap_or_default();
        let is_stored = stored.version != before.version;
        Ok(stored.content.filter(|_| is_stored))
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
