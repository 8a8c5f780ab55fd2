//! The repositories of a workspace as they were when its sandbox was set up, and which of their files make Git run
//! something or lead it elsewhere.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_permissions::is_self_executing;

use crate::git::{Repository, is_bare_repository, named_programs, set_aside, with_inner};
use crate::process::SetAside;
use crate::{RootDirectory, open_regular};

use super::identity::Identity;
use super::protected_place::ProtectedPlace;

/// In the folder of a repository: hooks, settings that name programs, and what leads Git to other folders.
const EXECUTED: [&str; 7] = [
    "commondir",
    "config",
    "config.worktree",
    "gitdir",
    "hooks",
    "info/attributes",
    "objects/info/alternates",
];

/// Entries of folders that are looked at.
const MAX_ENTRIES: usize = 1_000_000;

/// The folder of this program in a project. It is not looked into: worktrees in it are checked where an agent works in
/// them.
pub(super) const OWN: &str = ".attractor";

/// The repositories of a workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Repositories {
    /// `.git` of the workspace or of a folder around it, and of folders in it.
    found: Vec<KnownRepository>,
    /// What editors and shells run, and what the configuration of Git names, in folders of the workspace.
    self_executing: Vec<PathBuf>,
    /// Folders that Git, called in them, takes for repositories.
    bare: Vec<PathBuf>,
    /// Every folder of this program, also those of projects in folders of the workspace.
    own: Vec<PathBuf>,
    /// Folders that cannot be looked into.
    unreadable: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
struct KnownRepository {
    git: PathBuf,
    identity: Option<Identity>,
    /// The folder that `.git` is or names, that of all its worktrees, and those of submodules.
    folders: Vec<PathBuf>,
}

/// A new folder for files that other programs would run: in the given one, or that of temporary files.
pub(super) fn folder_aside(folder: Option<&Path>) -> PathBuf {
    let aside = folder.map_or_else(std::env::temp_dir, Path::to_owned);
    aside.join(format!("set-aside-{}", ulid::Ulid::generate()))
}

impl Repositories {
    /// Looks through a workspace.
    pub(super) fn find(root: &Path) -> Self {
        let around = Repository::discover(root).ok().flatten();
        let around = around.map(|one| one.work_tree().join(".git"));
        let contents = Contents::of(root);
        let all: BTreeSet<PathBuf> = around.into_iter().chain(contents.pointers).collect();
        let found: Vec<KnownRepository> = all.into_iter().map(KnownRepository::at).collect();
        let named = found.iter().flat_map(|one| {
            let work_tree = one.git.parent().unwrap_or(&one.git);
            named_programs(work_tree, &one.folders, root)
        });
        let named: Vec<PathBuf> = named.collect();
        Self {
            self_executing: contents.self_executing.into_iter().chain(named).collect(),
            found,
            bare: contents.bare,
            own: contents.own,
            unreadable: contents.unreadable,
        }
    }

    /// The folders of this program.
    pub(super) fn own(&self) -> &[PathBuf] {
        &self.own
    }

    /// What editors and shells run.
    pub(super) fn self_executing(&self) -> &[PathBuf] {
        &self.self_executing
    }

    /// All of them: what nobody but the engine writes.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        let all = self.found.iter();
        all.flat_map(|one| {
            let folders = one.folders.iter();
            let elsewhere = folders.filter(|folder| !folder.starts_with(&one.git));
            std::iter::once(&one.git)
                .chain(elsewhere)
                .map(PathBuf::as_path)
        })
    }

    /// Folders that `.git` only names: the sandbox of a workspace does not have them otherwise.
    pub(super) fn folders_outside(&self, root: &Path) -> Vec<PathBuf> {
        // That of a folder around the workspace is not for its commands.
        let own = self
            .found
            .iter()
            .filter(|one| one.git.parent() == Some(root));
        let folders = own.flat_map(|one| &one.folders);
        folders
            .filter(|folder| !folder.starts_with(root))
            .cloned()
            .collect()
    }

    /// What makes Git run something or leads it elsewhere.
    pub(super) fn executed(&self) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        for one in &self.found {
            if one.identity.is_some_and(|identity| !identity.is_folder) {
                paths.push(one.git.clone());
            }
            for folder in one.folders.iter().flat_map(|folder| with_inner(folder)) {
                paths.extend(EXECUTED.map(|name| folder.join(name)));
            }
        }
        paths
    }

    /// Puts every `.git` folder back that was moved or replaced. Gives those that were; for each whether it is back.
    pub(super) fn put_back(&self, workspace: &Arc<RootDirectory>) -> Vec<(PathBuf, bool)> {
        let gone = self.found.iter().filter(|one| {
            one.identity.is_some_and(|identity| identity.is_folder)
                && Identity::of(&one.git) != one.identity
        });
        gone.map(|one| (one.git.clone(), one.put_back(workspace).is_ok()))
            .collect()
    }

    /// What was created since: repositories, files that editors and shells run, and folders of this program.
    pub(super) fn created(&self, root: &Path) -> Created {
        let now = self.contents(root);
        let is_known = |path: &PathBuf| {
            let mut found = self.found.iter();
            found.any(|one| one.git == *path || one.folders.contains(path))
                || self.bare.contains(path)
                || self.self_executing.contains(path)
        };
        let new = |paths: Vec<PathBuf>| paths.into_iter().filter(|path| !is_known(path)).collect();
        // That of the workspace itself is written by the engine, and compared.
        let is_own = |path: &PathBuf| path.parent() != Some(root) && !self.own.contains(path);
        let repositories: Vec<PathBuf> = now.pointers.into_iter().chain(now.bare).collect();
        Created {
            repositories: new(repositories),
            self_executing: new(now.self_executing),
            own: now.own.into_iter().filter(is_own).collect(),
        }
    }

    /// What is in the workspace now, also in folders that were made unreadable meanwhile: who knows a name can still
    /// open it there.
    fn contents(&self, root: &Path) -> Contents {
        loop {
            let now = Contents::of(root);
            let hidden = now
                .unreadable
                .iter()
                .filter(|path| !self.unreadable.contains(path));
            let opened = hidden.filter(|path| open_folder(path).is_ok()).count();
            if opened == 0 {
                return now;
            }
        }
    }
}

/// What commands created.
#[derive(Debug, Default)]
pub(super) struct Created {
    pub(super) repositories: Vec<PathBuf>,
    pub(super) self_executing: Vec<PathBuf>,
    /// Folders of this program, whose configuration a later run would obey.
    pub(super) own: Vec<PathBuf>,
}

impl Created {
    /// Moves what other programs would run. Without a folder it goes to that of temporary files.
    pub(super) fn set_aside(
        &self,
        workspace: &Arc<RootDirectory>,
        folder: Option<&Path>,
    ) -> Vec<SetAside> {
        let root = workspace.path();
        let aside = folder_aside(folder);
        let mut all = Vec::new();
        let mut note = |path: PathBuf, folder: Option<PathBuf>| all.push(SetAside { path, folder });
        for git in &self.repositories {
            match set_aside(git, workspace, &aside) {
                Ok(paths) => {
                    for path in paths {
                        note(path, Some(aside.clone()));
                    }
                }
                Err(_) => note(git.strip_prefix(root).unwrap_or(git).to_owned(), None),
            }
        }
        for path in self.self_executing.iter().chain(&self.own) {
            let below = path.strip_prefix(root).unwrap_or(path).to_owned();
            let place = ProtectedPlace::of(path, workspace);
            let is_moved =
                !has_running(path) && place.and_then(|place| place.move_aside(&aside)).is_ok();
            note(below, is_moved.then(|| aside.clone()));
        }
        all
    }
}

/// Whether a folder of this program has a run in progress: what an agent left running has ended before.
fn has_running(own: &Path) -> bool {
    let runs = fs::read_dir(own.join("runs"))
        .into_iter()
        .flatten()
        .flatten();
    let mut locks = runs.filter_map(|run| open_regular(&run.path().join("lock")).ok());
    locks.any(|lock| matches!(lock.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

/// Makes a folder readable that its owner has made unreadable.
fn open_folder(path: &Path) -> io::Result<()> {
    let mode = fs::symlink_metadata(path)?.permissions().mode();
    fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o700))?;
    fs::read_dir(path).map(drop)
}

impl KnownRepository {
    fn at(git: PathBuf) -> Self {
        let work_tree = git.parent().unwrap_or(&git);
        let repository = Repository::at(work_tree).ok().flatten();
        let mut folders = match repository {
            Some(one) => vec![one.git_dir().to_owned(), one.common_dir().to_owned()],
            // Git does not use it yet, and would with a few more files.
            None => vec![git.clone()],
        };
        folders.dedup();
        Self {
            identity: Identity::of(&git),
            git,
            folders,
        }
    }

    /// Moves the folder from where it is now.
    fn put_back(&self, workspace: &Arc<RootDirectory>) -> io::Result<()> {
        let place = |path: &Path| ProtectedPlace::of(path, workspace);
        let identity = self.identity.ok_or(io::ErrorKind::NotFound)?;
        let moved = find_moved(workspace.path(), identity).ok_or(io::ErrorKind::NotFound)?;
        let moved = place(&moved)?;
        let git = place(&self.git)?;
        if fs::symlink_metadata(&self.git).is_ok() {
            let aside = format!(".git-replaced-{}", ulid::Ulid::generate());
            git.rename(&place(&self.git.with_file_name(aside))?)?;
        }
        moved.rename(&git)
    }
}

/// What of a folder is looked for.
#[derive(Debug, Default)]
struct Contents {
    /// Every `.git`.
    pointers: Vec<PathBuf>,
    bare: Vec<PathBuf>,
    self_executing: Vec<PathBuf>,
    own: Vec<PathBuf>,
    unreadable: Vec<PathBuf>,
}

impl Contents {
    fn of(root: &Path) -> Self {
        let mut found = Self::default();
        let unreadable = walk(root, |path, entry| {
            let name = entry.file_name();
            if name.eq_ignore_ascii_case(OWN) {
                found.own.push(path.to_owned());
                return Descend::No;
            }
            if name.eq_ignore_ascii_case(".git") {
                found.pointers.push(path.to_owned());
                return Descend::No;
            }
            let below = path.strip_prefix(root).unwrap_or(path);
            if is_self_executing(&below.to_string_lossy()) {
                found.self_executing.push(path.to_owned());
                return Descend::No;
            }
            // Only this name makes it worth to look closer.
            if name == "HEAD"
                && let Some(folder) = path.parent()
                && is_bare_repository(folder)
            {
                found.bare.push(folder.to_owned());
            }
            Descend::Yes
        });
        found.unreadable = unreadable;
        found
    }
}

/// Where a file or folder of the workspace is now.
pub(super) fn find_moved(root: &Path, identity: Identity) -> Option<PathBuf> {
    let mut found = None;
    walk(root, |path, _| {
        if found.is_none() && Identity::of(path) == Some(identity) {
            found = Some(path.to_owned());
        }
        match found {
            Some(_) => Descend::No,
            None => Descend::Yes,
        }
    });
    found
}

enum Descend {
    Yes,
    No,
}

/// Looks at all that is in a folder, at most [`MAX_ENTRIES`]; links are not followed. Gives the folders that cannot be
/// read.
fn walk(root: &Path, mut look: impl FnMut(&Path, &fs::DirEntry) -> Descend) -> Vec<PathBuf> {
    let mut open = vec![root.to_owned()];
    let mut left = MAX_ENTRIES;
    let mut unreadable = Vec::new();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            unreadable.push(folder);
            continue;
        };
        for entry in entries.flatten() {
            left = left.saturating_sub(1);
            if left == 0 {
                return unreadable;
            }
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let looked = look(&path, &entry);
            let is_own = folder == root && entry.file_name() == OWN;
            if is_folder && !is_own && matches!(looked, Descend::Yes) {
                open.push(path);
            }
        }
    }
    unreadable
}
