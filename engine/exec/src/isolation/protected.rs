//! Files that make Git or this program run something: they are compared after each command of an agent, and restored.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// In the folder of a repository: hooks, and settings that name programs.
const OF_REPOSITORY: [&str; 3] = ["hooks", "config", "config.worktree"];

/// The folder of this program in a project.
const OWN: &str = ".attractor";

/// What of it the engine writes itself while a command runs.
const OWN_STATE: [&str; 2] = ["runs", "objects"];

/// Files that are kept in memory at most; of more, none is restored.
const MAX_FILES: usize = 2_000;

/// A larger file is only compared by its size and time.
const MAX_SIZE: u64 = 1024 * 1024;

/// The protected paths of a workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Protected {
    repository: Vec<PathBuf>,
    paths: Vec<PathBuf>,
    /// The folder of this program.
    own: PathBuf,
}

/// A protected file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Bytes(Vec<u8>, u32),
    Link(PathBuf),
    /// Too large to be kept.
    Large(u64, Option<std::time::SystemTime>),
}

/// The protected files at one moment.
#[derive(Debug, Default)]
pub(super) struct ProtectedFiles {
    files: BTreeMap<PathBuf, Content>,
    complete: bool,
}

impl Protected {
    pub(super) fn of(root: &Path) -> Self {
        let git = root.join(".git");
        let repository = if git.is_file() {
            worktree(root, &git)
        } else if git.is_dir() {
            vec![git]
        } else {
            Vec::new()
        };
        let own = root.join(OWN);
        let files = repository
            .iter()
            .flat_map(|folder| OF_REPOSITORY.map(|name| folder.join(name)));
        Self {
            paths: files.chain([own.clone()]).collect(),
            // The folder of a worktree is outside of the workspace.
            repository: repository
                .iter()
                .filter(|folder| !folder.starts_with(root))
                .cloned()
                .collect(),
            own,
        }
    }

    /// What must not be written.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Folders of the repository outside of the workspace, which Git has to write.
    pub(super) fn repository(&self) -> &[PathBuf] {
        &self.repository
    }

    /// The protected files as they are.
    pub(super) fn read(&self) -> ProtectedFiles {
        let mut found = ProtectedFiles {
            complete: true,
            ..ProtectedFiles::default()
        };
        let mut open = self.paths.clone();
        while let Some(path) = open.pop() {
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                let entries = entries.map(|entry| entry.path());
                open.extend(entries.filter(|path| !self.is_state(path)));
                continue;
            }
            if found.files.len() >= MAX_FILES {
                found.complete = false;
                break;
            }
            if let Some(content) = content(&path, &metadata) {
                found.files.insert(path, content);
            }
        }
        found
    }

    fn is_state(&self, path: &Path) -> bool {
        path.parent() == Some(&*self.own)
            && path
                .file_name()
                .is_some_and(|name| OWN_STATE.iter().any(|state| name == *state))
    }

    /// Gives the protected files the content of `before`, and the paths that were different; for each whether it is
    /// restored.
    pub(super) fn restore(&self, before: &ProtectedFiles) -> Vec<(PathBuf, bool)> {
        let after = self.read();
        if !before.complete || !after.complete {
            return Vec::new();
        }
        let mut restored = Vec::new();
        for (path, content) in &before.files {
            if after.files.get(path) != Some(content) {
                restored.push((path.clone(), put(path, content).is_ok()));
            }
        }
        for path in after.files.keys() {
            if !before.files.contains_key(path) {
                restored.push((path.clone(), fs::remove_file(path).is_ok()));
            }
        }
        restored
    }
}

/// The folders of the repository that a worktree belongs to.
fn worktree(root: &Path, git: &Path) -> Vec<PathBuf> {
    let line = |path: &Path, prefix: &str, base: &Path| {
        let text = fs::read_to_string(path).ok()?;
        let named = text.trim().strip_prefix(prefix)?.trim().to_owned();
        fs::canonicalize(base.join(named)).ok()
    };
    let Some(own) = line(git, "gitdir:", root) else {
        return Vec::new();
    };
    let common = line(&own.join("commondir"), "", &own);
    [Some(own), common].into_iter().flatten().collect()
}

fn content(path: &Path, metadata: &fs::Metadata) -> Option<Content> {
    if metadata.is_symlink() {
        return Some(Content::Link(fs::read_link(path).ok()?));
    }
    if !metadata.is_file() || metadata.len() > MAX_SIZE {
        return Some(Content::Large(metadata.len(), metadata.modified().ok()));
    }
    Some(Content::Bytes(fs::read(path).ok()?, mode(metadata)))
}

fn put(path: &Path, content: &Content) -> io::Result<()> {
    // What is there may be a link to somewhere else.
    if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path).or_else(|_| fs::remove_dir_all(path))?;
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match content {
        Content::Bytes(bytes, mode) => {
            fs::write(path, bytes)?;
            set_mode(path, *mode)
        }
        #[cfg(unix)]
        Content::Link(target) => std::os::unix::fs::symlink(target, path),
        _ => Err(io::Error::from(io::ErrorKind::Unsupported)),
    }
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> u32 {
    0
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}
