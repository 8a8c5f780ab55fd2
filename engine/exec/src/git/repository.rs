//! Where a repository is, found by reading files alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::GitError;

/// A repository as it was found: its folders, absolute, and what leads Git to them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Repository {
    /// The folder that has `.git`.
    work_tree: PathBuf,
    kind: Kind,
    /// What belongs to this folder: `HEAD`, the index.
    git_dir: PathBuf,
    /// What all worktrees share: objects, branches, configuration.
    common_dir: PathBuf,
    /// Other places of objects, as the file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alternates: Option<String>,
}

/// What `.git` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Directory,
    /// It names a folder elsewhere.
    Pointer,
    Link,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Directory => "a folder",
            Self::Pointer => "a pointer to another folder",
            Self::Link => "a symbolic link",
        }
    }
}

impl Repository {
    /// The repository that a folder is in; none where it is in none.
    ///
    /// # Errors
    /// Its `.git` leads to the folder of another repository.
    pub fn discover(folder: &Path) -> Result<Option<Self>, GitError> {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        for ancestor in folder.ancestors() {
            if let Some(found) = Self::at(ancestor)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The repository whose `.git` is in this folder.
    ///
    /// # Errors
    /// Its `.git` leads to the folder of another repository.
    pub fn at(work_tree: &Path) -> Result<Option<Self>, GitError> {
        let path = work_tree.join(".git");
        let Ok(metadata) = fs::symlink_metadata(&path) else {
            return Ok(None);
        };
        let unusable = |reason: &str| GitError::Unusable {
            path: path.clone(),
            reason: reason.to_owned(),
        };
        let (kind, git_dir) = if metadata.is_dir() {
            (Kind::Directory, path.clone())
        } else if metadata.is_symlink() {
            (Kind::Link, path.clone())
        } else {
            let Some(named) = line(&path).and_then(|text| pointer(&text)) else {
                return Ok(None);
            };
            (Kind::Pointer, work_tree.join(named))
        };
        let Ok(git_dir) = fs::canonicalize(git_dir) else {
            return Ok(None);
        };
        let common_dir = match line(&git_dir.join("commondir")) {
            Some(_) if kind != Kind::Pointer => {
                return Err(unusable(
                    "it has a file `commondir`, which only worktrees have",
                ));
            }
            Some(named) => match fs::canonicalize(git_dir.join(named)) {
                Ok(common) => common,
                Err(_) => return Ok(None),
            },
            None => git_dir.clone(),
        };
        let is_repository = fs::symlink_metadata(git_dir.join("HEAD")).is_ok()
            && common_dir.join("objects").is_dir();
        if !is_repository {
            return Ok(None);
        }
        let alternates = small_text(&common_dir.join("objects/info/alternates"));
        Ok(Some(Self {
            work_tree: work_tree.to_owned(),
            kind,
            git_dir,
            common_dir,
            alternates,
        }))
    }

    /// The folder that has `.git`.
    pub fn work_tree(&self) -> &Path {
        &self.work_tree
    }

    /// A path as the repository calls it; none if it is outside. The file itself may be gone, and links in its folder are
    /// followed.
    ///
    /// # Errors
    /// The path cannot be made absolute.
    pub fn path_inside(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        let absolute = std::path::absolute(path)?;
        let (folder, name) = match (absolute.parent(), absolute.file_name()) {
            (Some(folder), Some(name)) if !path.is_dir() => (folder, Some(name)),
            _ => (absolute.as_path(), None),
        };
        let real = folder
            .canonicalize()
            .unwrap_or_else(|_| folder.to_path_buf());
        let real = name.map_or(real.clone(), |name| real.join(name));
        let inside = real.strip_prefix(&self.work_tree);
        Ok(inside.ok().map(Path::to_path_buf))
    }

    /// What belongs to this worktree: `HEAD`, the index.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// What all worktrees share: objects, branches, configuration.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Whether the repository is still the one that was found.
    ///
    /// # Errors
    /// What is different.
    pub fn verify(&self) -> Result<(), GitError> {
        let changed = |change: String| GitError::Changed {
            path: self.work_tree.join(".git"),
            change,
        };
        let now = match Self::at(&self.work_tree) {
            Ok(Some(now)) => now,
            Ok(None) => return Err(changed("it is not a repository any more".to_owned())),
            Err(GitError::Unusable { reason, .. }) => return Err(changed(reason)),
            Err(error) => return Err(error),
        };
        if now.kind != self.kind {
            return Err(changed(format!(
                "it was {} and is {}",
                self.kind.name(),
                now.kind.name()
            )));
        }
        if now.git_dir != self.git_dir || now.common_dir != self.common_dir {
            return Err(changed(format!(
                "it led to `{}` and leads to `{}`",
                self.common_dir.display(),
                now.common_dir.display()
            )));
        }
        if now.alternates != self.alternates {
            return Err(changed(
                "it takes objects from another folder (`objects/info/alternates`)".to_owned(),
            ));
        }
        Ok(())
    }

    /// Whether the folders of the repository name this work tree as theirs: a pointer in a file that somebody else made
    /// may lead to any repository.
    pub fn belongs_here(&self) -> bool {
        if self.git_dir.starts_with(&self.work_tree) || self.kind != Kind::Pointer {
            return true;
        }
        let real = |path: &Path| fs::canonicalize(path).ok();
        let own = self.work_tree.join(".git");
        let names_worktree = line(&self.git_dir.join("gitdir"))
            .and_then(|back| real(&self.git_dir.join(back)))
            .is_some_and(|back| Some(back) == real(&own));
        // A submodule: its folder is in that of the repository around it.
        let outer = self.work_tree.ancestors().skip(1);
        let is_submodule = outer
            .filter_map(|folder| Self::at(folder).ok().flatten())
            .any(|outer| self.git_dir.starts_with(outer.common_dir.join("modules")));
        names_worktree || is_submodule
    }
}

/// What a pointer file names.
fn pointer(text: &str) -> Option<PathBuf> {
    Some(text.strip_prefix("gitdir:")?.trim().into())
}

/// The first line of a small file.
fn line(path: &Path) -> Option<String> {
    let text = small_text(path)?;
    Some(text.lines().next()?.trim().to_owned())
}

/// The text of a file, which may be one that an attacker has made so that reading it does not end.
pub(super) fn small_text(path: &Path) -> Option<String> {
    const MOST: u64 = 1024 * 1024;
    let metadata = fs::metadata(path).ok()?;
    let is_small = metadata.is_file() && metadata.len() <= MOST;
    let bytes = is_small.then(|| fs::read(path).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least that is a repository.
    fn repository() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        make(&root.join(".git"));
        (folder, root)
    }

    fn make(git: &Path) {
        fs::create_dir_all(git.join("objects/info")).unwrap();
        fs::create_dir_all(git.join("refs")).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    #[test]
    fn a_folder_is_in_the_repository_of_the_nearest_git() {
        let (_folder, root) = repository();
        fs::create_dir_all(root.join("a/b")).unwrap();
        // Not a repository: Git looks further up, too.
        fs::create_dir_all(root.join("a/.git")).unwrap();
        let found = Repository::discover(&root.join("a/b")).unwrap().unwrap();
        assert_eq!(found.work_tree(), root);
        assert_eq!(found.verify().map_err(|error| error.to_string()), Ok(()));
    }

    #[test]
    fn a_repository_that_was_swapped_is_refused() {
        type Attack = fn(&Path);
        let attacks: [(&str, Attack); 4] = [
            ("has a file `commondir`", |root| {
                make(&root.join("evil"));
                fs::write(root.join(".git/commondir"), "../evil\n").unwrap();
            }),
            ("it was a folder and is a pointer", |root| {
                fs::rename(root.join(".git"), root.join(".git2")).unwrap();
                fs::write(root.join(".git"), "gitdir: ./.git2\n").unwrap();
            }),
            ("it takes objects from another folder", |root| {
                fs::write(root.join(".git/objects/info/alternates"), "/evil\n").unwrap();
            }),
            ("it is not a repository any more", |root| {
                fs::remove_dir_all(root.join(".git")).unwrap();
            }),
        ];
        for (expected, attack) in attacks {
            let (_folder, root) = repository();
            let found = Repository::discover(&root).unwrap().unwrap();
            attack(&root);
            let error = found.verify().unwrap_err().to_string();
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn a_pointer_to_the_repository_of_somebody_else_does_not_belong_here() {
        let (_folder, root) = repository();
        let (_other, other) = repository();
        let work = root.join("unpacked");
        fs::create_dir(&work).unwrap();
        let git = other.join(".git");
        fs::write(work.join(".git"), format!("gitdir: {}\n", git.display())).unwrap();
        let found = Repository::at(&work).unwrap().unwrap();
        assert!(!found.belongs_here());
        let module = root.join(".git/modules/unpacked");
        make(&module);
        fs::write(work.join(".git"), "gitdir: ../.git/modules/unpacked\n").unwrap();
        assert!(Repository::at(&work).unwrap().unwrap().belongs_here());
    }
}
