//! Files that make Git, this program, an editor or a shell run something: they are
//! compared after each command of an agent, and restored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_permissions::is_self_executing;

use super::identity::Identity;
use super::link_chain::link_chain;
use super::protected_place::ProtectedPlace;
use super::repositories::{OWN, Repositories, find_moved};
use super::settings::RepositoryAccess;
use crate::RootDirectory;

/// The configuration of a project, in the folder of this program.
const CONFIGURATION: &str = "config.toml";

/// What of the folder of this program the engine writes itself while a command runs.
const OWN_STATE: [&str; 3] = ["runs", "objects", "sessions"];

/// What an editor writes all the time, and runs nothing of on its own.
const EDITOR_STATE: &str = ".idea/workspace.xml";

/// Files that are kept in memory at most; of more, none is restored.
const MAX_FILES: usize = 2_000;

/// How often new files are removed while there are more of them than are read at a time.
const MAX_PASSES: usize = 100;

/// A larger file is only compared by its size and time.
const MAX_SIZE: u64 = 1024 * 1024;

/// The protected paths of a workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Protected {
    root: PathBuf,
    repositories: Repositories,
    /// What a sandbox mounts so that it cannot be written.
    read_only: Vec<PathBuf>,
    /// What of it was there and is mounted: others than commands may write it meanwhile, at its own place.
    mounted: Vec<(PathBuf, Option<Identity>)>,
    /// The folders between the workspace and what is mounted. Moved, they take it along.
    around_mounted: Vec<(PathBuf, Option<Identity>)>,
    /// What of it Git does not write either when the engine calls it for a command.
    kept: Vec<PathBuf>,
    /// Folders with a project of their own: a sandbox keeps them from being moved.
    projects: Vec<PathBuf>,
    /// What is compared.
    compared: Vec<PathBuf>,
    /// Folders of the repository outside of the workspace, where commands may write them.
    writable: Vec<PathBuf>,
}

/// A protected file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Bytes(Vec<u8>, u32),
    Link(PathBuf),
    /// Too large to be kept.
    Large(u64, Option<std::time::SystemTime>),
}

/// The protected files at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct ProtectedFiles {
    files: BTreeMap<PathBuf, Content>,
    complete: bool,
}

impl ProtectedFiles {
    /// A file has another content (none: it is gone) by permission.
    pub(super) fn set(&mut self, path: PathBuf, content: Option<Content>) {
        match content {
            Some(content) => self.files.insert(path, content),
            None => self.files.remove(&path),
        };
    }
}

impl Protected {
    /// `approved`: new files that a tool was allowed to write. `mounts`: the sandbox keeps commands from writing what is there.
    pub(super) fn of(
        root: &Path,
        repositories: &Repositories,
        approved: &[PathBuf],
        access: RepositoryAccess,
        mounts: bool,
    ) -> Self {
        let executed = repositories.executed();
        let mut own: BTreeSet<PathBuf> = repositories.own().iter().cloned().collect();
        own.insert(root.join(OWN));
        let own_links = own
            .iter()
            .flat_map(|folder| [folder.clone(), folder.join(CONFIGURATION)]);
        let targets: Vec<PathBuf> = own_links.flat_map(|link| link_chain(&link, root)).collect();
        // A folder that a link leads to has what the engine writes itself.
        let compared_targets = targets
            .iter()
            .filter(|path| path.is_symlink() || path.is_file())
            .cloned()
            .collect::<Vec<_>>();
        let self_executing = repositories.self_executing().iter().chain(approved);
        let led_to: Vec<PathBuf> = self_executing
            .clone()
            .flat_map(|path| link_chain(path, root))
            .collect();
        let self_executing = self_executing.chain(&led_to);
        let others: Vec<PathBuf> = self_executing.chain(&own).cloned().collect();
        let compared = executed.iter().chain(&others).cloned();
        // Found also where the folder cannot be read.
        let configurations = own.iter().map(|folder| folder.join(CONFIGURATION));
        let compared = compared
            .chain(compared_targets)
            .chain(configurations)
            .collect();
        let projects = folders_around(own.iter().chain(&targets), root);
        let others: Vec<PathBuf> = others.into_iter().chain(targets).collect();
        let is_mounted = |path: &&PathBuf| mounts && is_itself(path);
        let read_only: Vec<PathBuf> = match access {
            RepositoryAccess::ReadOnly => repositories.paths().map(Path::to_owned).collect(),
            RepositoryAccess::Writable => executed,
        };
        let mounted = read_only.iter().chain(&others).filter(is_mounted);
        let mounted: Vec<PathBuf> = mounted.cloned().collect();
        Self {
            around_mounted: with_identities(folders_around(mounted.iter(), root)),
            mounted: with_identities(mounted),
            kept: others.iter().filter(is_mounted).cloned().collect(),
            projects,
            read_only: read_only.into_iter().chain(others).collect(),
            compared,
            writable: match access {
                RepositoryAccess::ReadOnly => Vec::new(),
                RepositoryAccess::Writable => repositories.folders_outside(root),
            },
            root: root.to_owned(),
            repositories: repositories.clone(),
        }
    }

    /// What must not be written.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.read_only
    }

    /// What Git does not write either when the engine calls it for a command.
    pub(super) fn kept(&self) -> &[PathBuf] {
        &self.kept
    }

    /// Folders that must not be moved, the outer ones first.
    pub(super) fn projects(&self) -> &[PathBuf] {
        &self.projects
    }

    /// Folders of the repository outside of the workspace that commands may write.
    pub(super) fn writable(&self) -> &[PathBuf] {
        &self.writable
    }

    /// Folders of the repository outside of the workspace, for a sandbox that cannot protect those in it either.
    pub(super) fn repository(&self) -> Vec<PathBuf> {
        self.repositories.folders_outside(&self.root)
    }

    /// The protected files as they are.
    pub(super) fn read(&self) -> ProtectedFiles {
        let mut found = ProtectedFiles {
            complete: true,
            ..ProtectedFiles::default()
        };
        let mut open = self.compared.clone();
        open.extend(self_executing_in(&self.root));
        let is_mounted = |path: &PathBuf| {
            let mut mounted = self.mounted.iter();
            mounted.any(|(mounted, _)| path.starts_with(mounted))
        };
        open.retain(|path| !is_mounted(path));
        // What a link leads to is not of the workspace.
        open.retain(|path| is_in_place(path, &self.root));
        while let Some(path) = open.pop() {
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                let entries = entries.map(|entry| entry.path());
                open.extend(entries.filter(|path| !Self::is_state(path)));
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

    fn is_state(path: &Path) -> bool {
        let folder = path.parent().and_then(Path::file_name);
        path.ends_with(EDITOR_STATE)
            || folder.is_some_and(|folder| folder.eq_ignore_ascii_case(OWN))
                && path
                    .file_name()
                    .is_some_and(|name| OWN_STATE.iter().any(|state| name == *state))
    }

    /// Gives the protected files the content of `before`, and the paths that were different; for each whether it is
    /// restored.
    /// What is new of files that a person may have written meanwhile is moved to `aside`.
    pub(super) fn restore(
        &self,
        before: &ProtectedFiles,
        workspace: &Arc<RootDirectory>,
        aside: &Path,
    ) -> Vec<(PathBuf, bool)> {
        // First what others are in, then what was not there: a link could lead outside.
        let mut restored = self.repositories.put_back(workspace);
        for (path, before) in self.replaced() {
            let put_back = put_back(path, *before, workspace, aside);
            restored.push((path.clone(), put_back.is_ok()));
        }
        // Where not all files were kept, those that are new are not known.
        for _ in 0..if before.complete { MAX_PASSES } else { 0 } {
            let after = self.read();
            for path in after.files.keys() {
                if !before.files.contains_key(path) {
                    let below = path.strip_prefix(&self.root).unwrap_or(path);
                    let is_kept = is_self_executing(&below.to_string_lossy());
                    let place = ProtectedPlace::of(path, workspace);
                    let removed = place.and_then(|place| {
                        if is_kept {
                            place.move_aside(aside)
                        } else {
                            place.remove_file()
                        }
                    });
                    restored.push((path.clone(), removed.is_ok()));
                }
            }
            if after.complete {
                break;
            }
        }
        for (path, content) in &before.files {
            if content_at(path).as_ref() != Some(content) && !is_of_removed_worktree(path) {
                restored.push((path.clone(), put(path, content, workspace).is_ok()));
            }
        }
        restored
    }

    /// Where something else is now in place of what is mounted, which was moved away with the folder it is in.
    fn replaced(&self) -> impl Iterator<Item = &(PathBuf, Option<Identity>)> {
        let moved = self.around_mounted.iter();
        let moved = moved.filter(|(folder, before)| Identity::of(folder) != *before);
        let moved: Vec<&PathBuf> = moved.map(|(folder, _)| folder).collect();
        let mounted = self.mounted.iter();
        mounted.filter(move |(path, _)| {
            moved.iter().any(|folder| path.starts_with(folder))
                && is_in_place(path, &self.root)
                && fs::symlink_metadata(path).is_ok()
        })
    }
}

/// Sets what is at a path aside, and moves what was there before back.
fn put_back(
    path: &Path,
    before: Option<Identity>,
    workspace: &Arc<RootDirectory>,
    aside: &Path,
) -> io::Result<()> {
    let place = ProtectedPlace::of(path, workspace)?;
    place.move_aside(aside)?;
    match before.and_then(|before| find_moved(workspace.path(), before)) {
        Some(moved) => ProtectedPlace::of(&moved, workspace)?.rename(&place),
        None => Err(io::Error::from(io::ErrorKind::NotFound)),
    }
}

fn with_identities(paths: Vec<PathBuf>) -> Vec<(PathBuf, Option<Identity>)> {
    let paths = paths.into_iter();
    paths
        .map(|path| (path.clone(), Identity::of(&path)))
        .collect()
}

/// Whether what is mounted cannot be changed in another way: a link can be replaced, and a file with another name be
/// written by that.
fn is_itself(path: &Path) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_dir() || found.is_file() && found.nlink() == 1)
}

/// The folders between the workspace and some paths, the outer ones first.
fn folders_around<'p>(paths: impl Iterator<Item = &'p PathBuf>, root: &Path) -> Vec<PathBuf> {
    let ancestors = paths.flat_map(|path| path.ancestors().skip(1));
    let inside = ancestors.filter(|path| path.starts_with(root) && *path != root);
    inside
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(Path::to_owned)
        .collect()
}

/// What is in a folder itself that editors and shells run.
fn self_executing_in(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let found = entries.filter(|entry| is_self_executing(&entry.file_name().to_string_lossy()));
    found.map(|entry| entry.path()).collect()
}

/// Whether a file belonged to a worktree that is no longer known, such as that of a branch that was merged meanwhile.
fn is_of_removed_worktree(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.exists());
    let all = folder.and_then(Path::parent).and_then(Path::file_name);
    all == Some("worktrees".as_ref())
}

pub(super) fn content_at(path: &Path) -> Option<Content> {
    let metadata = fs::symlink_metadata(path).ok()?;
    content(path, &metadata)
}

fn content(path: &Path, metadata: &fs::Metadata) -> Option<Content> {
    if metadata.is_symlink() {
        return Some(Content::Link(fs::read_link(path).ok()?));
    }
    if !metadata.is_file() || metadata.len() > MAX_SIZE {
        return Some(Content::Large(metadata.len(), metadata.modified().ok()));
    }
    Some(Content::Bytes(
        fs::read(path).ok()?,
        metadata.permissions().mode(),
    ))
}

/// Whether no folder between the workspace and a path is a link. A command may have put one there that leads outside.
fn is_in_place(path: &Path, root: &Path) -> bool {
    let folders = path.ancestors().skip(1);
    let mut inside = folders.take_while(|folder| folder.starts_with(root) && *folder != root);
    inside.all(|folder| !folder.is_symlink())
}

/// Gives a file a content.
pub(super) fn put(
    path: &Path,
    content: &Content,
    workspace: &Arc<RootDirectory>,
) -> io::Result<()> {
    let place = ProtectedPlace::of(path, workspace)?;
    match content {
        Content::Bytes(bytes, mode) => place.put_file(bytes, *mode),
        Content::Link(target) => place.put_link(target),
        Content::Large(..) => Err(io::Error::from(io::ErrorKind::Unsupported)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sessions write their files while a command of a subagent runs: that is not blamed on the command.
    #[test]
    fn what_the_engine_writes_meanwhile_is_not_a_change_of_the_command() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(OWN);
        fs::create_dir_all(own.join("sessions/one")).unwrap();
        fs::write(own.join("config.toml"), "").unwrap();
        let workspace = Arc::new(RootDirectory::open(folder.path()).unwrap());
        let protected = Protected::of(
            folder.path(),
            &Repositories::default(),
            &[],
            RepositoryAccess::ReadOnly,
            false,
        );
        let aside = folder.path().join("aside");
        let before = protected.read();
        let journal = own.join("sessions/one/session.jsonl");
        fs::write(&journal, "{}\n").unwrap();
        assert_eq!(protected.restore(&before, &workspace, &aside), []);
        assert_eq!(fs::read_to_string(journal).unwrap(), "{}\n");
        fs::write(own.join("config.toml"), "changed").unwrap();
        assert_eq!(
            protected.restore(&before, &workspace, &aside),
            [(own.join("config.toml"), true)]
        );
    }
}
