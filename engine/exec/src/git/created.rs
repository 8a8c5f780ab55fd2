//! Repositories that commands of an agent created: they keep objects and history. What Git would execute from them is
//! moved to a folder of its own, for a person to look at.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::configuration::without_programs;
use super::repository::{Repository, small_text};
use crate::{EntryKind, RootDirectory};

/// The files that were moved out of a repository, each as the path it had.
pub(crate) fn set_aside(
    git: &Path,
    workspace: &RootDirectory,
    aside: &Path,
) -> io::Result<Vec<PathBuf>> {
    let mut moved = Moved {
        workspace,
        aside,
        paths: Vec::new(),
    };
    for folder in folders_of(git, workspace.path()) {
        moved.clean(&folder)?;
    }
    Ok(moved.paths)
}

/// Whether Git, called in a folder, takes the folder itself for a repository.
pub(crate) fn is_bare_repository(folder: &Path) -> bool {
    let is_folder = |name: &str| folder.join(name).is_dir();
    fs::symlink_metadata(folder.join("HEAD")).is_ok()
        && (is_folder("objects") && is_folder("refs") || folder.join("commondir").exists())
}

/// Folders of a repository of which each may have a configuration: its own, and those of submodules and worktrees.
pub(crate) fn with_inner(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    let mut open = ["modules", "worktrees"]
        .map(|name| folder.join(name))
        .to_vec();
    while let Some(folder) = open.pop() {
        // What a link leads to is another repository, and its own `.git` file is looked at.
        if is_link(&folder) {
            continue;
        }
        let is_repository = fs::symlink_metadata(folder.join("HEAD")).is_ok();
        if is_repository {
            all.push(folder.clone());
            open.push(folder.join("modules"));
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            }
        }
    }
    all
}

/// The folders in the workspace that a new `.git` is or leads to.
fn folders_of(git: &Path, root: &Path) -> Vec<PathBuf> {
    let is_folder = fs::symlink_metadata(git).is_ok_and(|found| found.is_dir());
    let mut folders = if is_folder {
        vec![git.to_owned()]
    } else {
        let found = git.parent().and_then(|folder| Repository::at(folder).ok()?);
        let found = found.map(|one| [one.git_dir().to_owned(), one.common_dir().to_owned()]);
        // One outside cannot have been written by a command, or is that of a person.
        let found = found.into_iter().flatten();
        found.filter(|folder| folder.starts_with(root)).collect()
    };
    folders.dedup();
    folders
        .iter()
        .flat_map(|folder| with_inner(folder))
        .collect()
}

struct Moved<'m> {
    workspace: &'m RootDirectory,
    aside: &'m Path,
    paths: Vec<PathBuf>,
}

impl Moved<'_> {
    fn clean(&mut self, folder: &Path) -> io::Result<()> {
        let hooks = folder.join("hooks");
        if is_link(&hooks) {
            self.set_aside(&hooks)?;
        }
        for entry in fs::read_dir(&hooks).into_iter().flatten().flatten() {
            let is_sample = entry.path().extension() == Some(OsStr::new("sample"));
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_sample && !is_folder {
                self.set_aside(&entry.path())?;
            }
        }
        for name in ["config", "config.worktree"] {
            let path = folder.join(name);
            if fs::symlink_metadata(&path).is_err() {
                continue;
            }
            let text = small_text(&path).filter(|_| !is_link(&path));
            let cleaned = match &text {
                Some(text) => without_programs(text),
                None => Some(String::new()),
            };
            if let Some(cleaned) = cleaned {
                self.set_aside(&path)?;
                let below = self.below(&path);
                self.workspace.replace(&below, cleaned.as_bytes(), None)?;
            }
        }
        let leads_elsewhere = folder.join("commondir");
        if folder.file_name() == Some(OsStr::new(".git")) && leads_elsewhere.exists() {
            self.set_aside(&leads_elsewhere)?;
        }
        Ok(())
    }

    fn set_aside(&mut self, path: &Path) -> io::Result<()> {
        let below = self.below(path);
        let moved = self.workspace.move_out(&below, &self.aside.join(&below));
        moved.or_else(|error| match self.workspace.kind(&below)? {
            EntryKind::File | EntryKind::Directory => Err(error),
            // On another disk; it has nothing to look at.
            EntryKind::Link | EntryKind::Special => self.workspace.remove_file(&below),
        })?;
        self.paths.push(below);
        Ok(())
    }

    fn below(&self, path: &Path) -> PathBuf {
        let below = path.strip_prefix(self.workspace.path());
        below.unwrap_or(path).to_owned()
    }
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_created_repository_keeps_its_history_and_runs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work");
        let aside = folder.path().join("aside");
        let git = root.join("sub/.git");
        for folder in ["objects", "refs", "hooks", "modules/a/b/hooks"] {
            fs::create_dir_all(git.join(folder)).unwrap();
        }
        for (path, text) in [
            ("HEAD", "ref: refs/heads/main\n"),
            ("config", "[core]\n\tbare = false\n\tfsmonitor = evil\n"),
            ("hooks/pre-commit", "evil"),
            ("hooks/pre-push.sample", "sample"),
            ("commondir", "../../evil"),
            ("modules/a/b/HEAD", "ref: refs/heads/main\n"),
            ("modules/a/b/hooks/post-checkout", "evil"),
        ] {
            fs::write(git.join(path), text).unwrap();
        }
        let workspace = RootDirectory::open(&root).unwrap();
        let git = workspace.path().join("sub/.git");
        let mut moved = set_aside(&git, &workspace, &aside).unwrap();
        moved.sort();
        let expected = [
            "sub/.git/commondir",
            "sub/.git/config",
            "sub/.git/hooks/pre-commit",
            "sub/.git/modules/a/b/hooks/post-checkout",
        ];
        assert_eq!(moved, expected.map(PathBuf::from));
        let kept = fs::read_to_string(git.join("config")).unwrap();
        assert_eq!(kept, "[core]\n\tbare = \"false\"\n");
        assert!(git.join("hooks/pre-push.sample").exists());
        let looked = fs::read_to_string(aside.join("sub/.git/hooks/pre-commit"));
        assert_eq!(looked.unwrap(), "evil");
        assert_eq!(
            set_aside(&git, &workspace, &aside).unwrap(),
            Vec::<PathBuf>::new()
        );
    }

    #[test]
    fn a_repository_that_a_link_leads_to_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work");
        let other = folder.path().join("other/x");
        fs::create_dir_all(other.join("hooks")).unwrap();
        fs::write(other.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(other.join("hooks/pre-commit"), "of a person").unwrap();
        let git = root.join(".git");
        fs::create_dir_all(&git).unwrap();
        symlink("../../other", git.join("modules")).unwrap();
        symlink("../../other/x/hooks", git.join("hooks")).unwrap();
        let workspace = RootDirectory::open(&root).unwrap();
        let git = workspace.path().join(".git");
        let moved = set_aside(&git, &workspace, &folder.path().join("aside")).unwrap();
        assert_eq!(moved, [PathBuf::from(".git/hooks")]);
        assert!(other.join("hooks/pre-commit").exists());
    }
}
