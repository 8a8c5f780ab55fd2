//! The store of snapshots of a project.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use attractor_exec::write_if_missing;

use crate::capture::{Captured, Limits, capture};
use crate::changes::{Change, changes};
use crate::entry::Entry;
use crate::error::SnapshotError;
use crate::id::SnapshotId;
use crate::objects::{Objects, refuse_link};
use crate::tree::{Node, Tree, decode, encode, is_complete, mark_incomplete};
use crate::walk::Scope;

/// The store, in a folder of its own.
#[derive(Debug, Clone)]
pub struct SnapshotStore {
    root: PathBuf,
    objects: Objects,
    limits: Limits,
    /// The checksums of files that did not change since the last snapshot.
    cache: PathBuf,
}

/// A snapshot that was just taken. Until it is dropped nothing is removed from the store, so that its id can be kept
/// somewhere first.
#[derive(Debug)]
pub struct Snapshot {
    /// Its name.
    pub id: SnapshotId,
    _lock: File,
}

impl SnapshotStore {
    /// The store in `folder`, which is created when the first snapshot is taken.
    pub fn new(folder: &Path) -> Self {
        Self {
            root: folder.to_owned(),
            objects: Objects::new(folder),
            limits: Limits::default(),
            cache: folder.join("stat-cache"),
        }
    }

    /// The same store for another workspace, which has a cache file of its own: that of the store has the files of the
    /// project.
    #[must_use]
    pub fn caching_in(mut self, cache: PathBuf) -> Self {
        self.cache = cache;
        self
    }

    #[cfg(test)]
    pub(crate) fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Records the files as they are.
    ///
    /// # Errors
    /// The store cannot be written. Files that cannot be read are recorded without their content.
    pub fn take(&self, scope: Scope<'_>) -> Result<Snapshot, SnapshotError> {
        self.create()?;
        let lock = self.lock()?;
        lock.lock_shared()
            .map_err(SnapshotError::io("cannot lock", &self.root))?;
        let captured = capture(scope, &self.objects, &self.cache, self.limits)?;
        Ok(Snapshot {
            id: self.store_tree(captured)?,
            _lock: lock,
        })
    }

    /// Whether a snapshot has all files of the workspace.
    ///
    /// # Errors
    /// It is not in the store.
    pub fn is_complete(&self, id: &SnapshotId) -> Result<bool, SnapshotError> {
        Ok(is_complete(&self.tree(id.as_str())?))
    }

    /// What is different in `after`, sorted by path. A file that is missing where not all files were recorded counts as
    /// unchanged.
    ///
    /// # Errors
    /// One of them is not in the store.
    pub fn changes(
        &self,
        before: &SnapshotId,
        after: &SnapshotId,
    ) -> Result<Vec<Change>, SnapshotError> {
        changes(
            &|checksum| self.tree(checksum),
            before.as_str(),
            after.as_str(),
        )
    }

    /// Every file of a snapshot, sorted by path.
    ///
    /// # Errors
    /// It is not in the store.
    pub fn files(&self, id: &SnapshotId) -> Result<Vec<(PathBuf, Entry)>, SnapshotError> {
        let mut files = Vec::new();
        let mut open = vec![(PathBuf::new(), id.as_str().to_owned())];
        while let Some((folder, checksum)) = open.pop() {
            for (name, node) in self.tree(&checksum)? {
                let path = folder.join(name);
                match node {
                    Node::Folder(inner) => open.push((path, inner)),
                    Node::File(entry) => files.push((path, entry)),
                    Node::Unrecorded => {}
                }
            }
        }
        files.sort_by(|(left, _), (right, _)| left.cmp(right));
        Ok(files)
    }

    /// The content of a file of a snapshot; none where it was not stored.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn content(&self, entry: &Entry) -> Result<Option<Vec<u8>>, SnapshotError> {
        match &entry.checksum {
            Some(checksum) if self.objects.has(checksum) => self.objects.get(checksum).map(Some),
            _ => Ok(None),
        }
    }

    /// Removes what none of the snapshots needs that `needed` gives, and gives how many bytes that were. While a
    /// snapshot is in use, nothing is removed: its id may not be kept anywhere yet.
    ///
    /// # Errors
    /// The store cannot be read or changed.
    pub fn retain(
        &self,
        needed: impl FnOnce() -> BTreeSet<SnapshotId>,
    ) -> Result<u64, SnapshotError> {
        if !self.root.exists() {
            return Ok(0);
        }
        let lock = self.lock()?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(0),
            Err(TryLockError::Error(error)) => {
                return Err(SnapshotError::io("cannot lock", &self.root)(error));
            }
        }
        let mut objects = HashSet::new();
        for id in needed() {
            let mut found = Vec::new();
            // What is not complete any more is of no use, and is removed.
            let visited = self.visit_objects(id.as_str(), &mut |checksum| {
                found.push(checksum.to_owned());
                !objects.contains(checksum)
            });
            if visited.is_ok() {
                objects.extend(found);
            }
        }
        self.objects.retain(&objects)
    }

    fn create(&self) -> Result<(), SnapshotError> {
        self.refuse_links()?;
        let create = || -> std::io::Result<()> {
            fs::create_dir_all(&self.root)?;
            keep_private(&self.root)?;
            write_if_missing(&self.root.join(".gitignore"), b"*\n")
        };
        create().map_err(SnapshotError::io("cannot create", &self.root))
    }

    fn refuse_links(&self) -> Result<(), SnapshotError> {
        self.root.parent().map_or(Ok(()), refuse_link)?;
        refuse_link(&self.root)
    }

    fn lock(&self) -> Result<File, SnapshotError> {
        self.refuse_links()?;
        let path = self.root.join("lock");
        refuse_link(&path)?;
        let open = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        open.map_err(SnapshotError::io("cannot open", &path))
    }

    /// Stores the folders of a workspace, the innermost first.
    fn store_tree(&self, captured: Captured) -> Result<SnapshotId, SnapshotError> {
        /// Stores the innermost open folder, and enters it into the one around it.
        fn close(
            objects: &Objects,
            open: &mut Vec<(PathBuf, Tree)>,
        ) -> Result<Option<String>, SnapshotError> {
            let Some((folder, tree)) = open.pop() else {
                return Ok(None);
            };
            let checksum = objects.put(&encode(&tree))?;
            if let (Some((_, outer)), Some(name)) = (open.last_mut(), folder.file_name()) {
                outer.insert(name.to_owned(), Node::Folder(checksum.clone()));
            }
            Ok(Some(checksum))
        }
        let mut root = Tree::new();
        if !captured.complete {
            mark_incomplete(&mut root);
        }
        let mut open: Vec<(PathBuf, Tree)> = vec![(PathBuf::new(), root)];
        // Sorted by path: the files of a folder and of those in it follow each other.
        for (path, entry) in captured.files {
            let folder = path.parent().unwrap_or(Path::new(""));
            while open.len() > 1
                && open
                    .last()
                    .is_some_and(|(inner, _)| !folder.starts_with(inner))
            {
                close(&self.objects, &mut open)?;
            }
            while let Some(next) = open.last().and_then(|(inner, _)| {
                let rest = folder.strip_prefix(inner).ok()?;
                Some(inner.join(rest.components().next()?))
            }) {
                open.push((next, Tree::new()));
            }
            if let (Some((_, tree)), Some(name)) = (open.last_mut(), path.file_name()) {
                tree.insert(name.to_owned(), Node::File(entry));
            }
        }
        let mut root = String::new();
        while let Some(checksum) = close(&self.objects, &mut open)? {
            root = checksum;
        }
        SnapshotId::try_from(root).map_err(SnapshotError::Damaged)
    }

    fn tree(&self, checksum: &str) -> Result<Tree, SnapshotError> {
        let tree = decode(&self.objects.get(checksum)?);
        tree.ok_or_else(|| SnapshotError::Damaged(checksum.to_owned()))
    }

    /// Calls `enter` for every object of a tree; where it gives false, nothing in it is visited.
    fn visit_objects(
        &self,
        root: &str,
        enter: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), SnapshotError> {
        let mut open = vec![root.to_owned()];
        while let Some(checksum) = open.pop() {
            if !enter(&checksum) {
                continue;
            }
            for node in self.tree(&checksum)?.into_values() {
                match node {
                    Node::Folder(inner) => open.push(inner),
                    Node::Unrecorded => {}
                    Node::File(entry) => {
                        if let Some(checksum) = entry.checksum {
                            enter(&checksum);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

fn keep_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}
