//! Contents by their checksum: `OBJECTS/ab/cdef…`.
//!
//! An object is put in place by renaming, so it is complete or not there. It need not survive a power failure: what is
//! read is compared with its checksum.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use attractor_exec::sha256;

use crate::error::SnapshotError;

/// Makes the names of temporary files different within this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Clone)]
pub(crate) struct Objects {
    root: PathBuf,
}

impl Objects {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Stores a content, and gives its checksum.
    pub(crate) fn put(&self, content: &[u8]) -> Result<String, SnapshotError> {
        let checksum = sha256(content);
        let path = self.path(&checksum);
        if path.exists() {
            return Ok(checksum);
        }
        let folder = path.parent().unwrap_or(&self.root);
        refuse_link(&self.root).and_then(|()| refuse_link(folder))?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!("new-{}-{number}", std::process::id()));
        let write = || -> io::Result<()> {
            if !folder.exists() {
                fs::create_dir_all(folder)?;
            }
            let mut file = fs::File::create(&temporary)?;
            file.write_all(content)?;
            fs::rename(&temporary, &path)
        };
        write().map_err(|error| {
            // It may not have been created.
            let _ = fs::remove_file(&temporary);
            SnapshotError::io("cannot write", &path)(error)
        })?;
        Ok(checksum)
    }

    /// Whether a content is stored.
    pub(crate) fn has(&self, checksum: &str) -> bool {
        self.path(checksum).exists()
    }

    /// A stored content.
    pub(crate) fn get(&self, checksum: &str) -> Result<Vec<u8>, SnapshotError> {
        let path = self.path(checksum);
        let content = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => SnapshotError::Missing(checksum.to_owned()),
            _ => SnapshotError::io("cannot read", &path)(error),
        })?;
        if sha256(&content) == checksum {
            Ok(content)
        } else {
            // Removed, so that the next snapshot stores it again.
            let folder = path.parent().unwrap_or(&self.root);
            if refuse_link(&self.root)
                .and_then(|()| refuse_link(folder))
                .is_ok()
            {
                let _ = fs::remove_file(&path);
            }
            Err(SnapshotError::Damaged(checksum.to_owned()))
        }
    }

    /// Removes every object that `keep` does not name, and gives how many bytes that were.
    pub(crate) fn retain(&self, keep: &HashSet<String>) -> Result<u64, SnapshotError> {
        let mut freed = 0;
        refuse_link(&self.root)?;
        for folder in entries(&self.root)? {
            let Some(prefix) = name(&folder).filter(|name| name.len() == 2) else {
                continue;
            };
            refuse_link(&folder)?;
            for object in entries(&folder)? {
                let is_kept =
                    name(&object).is_some_and(|rest| keep.contains(&format!("{prefix}{rest}")));
                if !is_kept {
                    freed += fs::symlink_metadata(&object).map_or(0, |about| about.len());
                    fs::remove_file(&object)
                        .map_err(SnapshotError::io("cannot remove", &object))?;
                }
            }
        }
        Ok(freed)
    }

    fn path(&self, checksum: &str) -> PathBuf {
        let (folder, rest) = checksum.split_at_checked(2).unwrap_or(("", checksum));
        self.root.join(folder).join(rest)
    }
}

/// A link in the place of a folder of the store leads to files of others, which must be neither written nor removed.
pub(crate) fn refuse_link(folder: &Path) -> Result<(), SnapshotError> {
    if fs::symlink_metadata(folder).is_ok_and(|about| about.is_symlink()) {
        return Err(SnapshotError::Link(folder.to_owned()));
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, SnapshotError> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        // A file of the store, not a folder of objects.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Vec::new()),
        Err(error) => Err(SnapshotError::io("cannot read", folder)(error)),
    }
}

fn name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}
