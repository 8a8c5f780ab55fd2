//! The files of a commit, and those of the working tree.

use std::path::{Path, PathBuf};

use attractor_exec::LocalEnvironment;
use attractor_exec::git::{Commit, Git, Repository};
use attractor_run::is_dot_file;

use super::super::block_on;
use super::compared::{Pair, read};
use crate::error::Error;
use crate::input::Source;
use crate::project::shown;

/// A file of the working tree, and where it is in a commit; both as paths in the repository.
struct ChangedFile {
    old: PathBuf,
    new: PathBuf,
}

/// The pairs of the files in `paths` that have changed since a commit, or of all files.
pub(super) fn pairs(revision: &str, paths: &[PathBuf]) -> Result<Vec<Result<Pair, Error>>, Error> {
    block_on(async {
        let here = std::env::current_dir().map_err(|cause| Error::unreadable(".", cause))?;
        let repository = Repository::discover(&here)
            .map_err(Error::Git)?
            .ok_or(Error::NoRepository)?;
        let git = Git::new(&repository, &LocalEnvironment);
        let found = Commit::find(git, revision).await.map_err(Error::Git)?;
        let commit = found.ok_or_else(|| Error::UnknownRevision {
            revision: revision.to_owned(),
        })?;
        let compared = Compared {
            repository: &repository,
            commit,
        };
        let mut files = Vec::new();
        let (folders, named): (Vec<_>, Vec<_>) = paths.iter().partition(|path| path.is_dir());
        for path in named {
            let path = compared.inside(path)?;
            files.push(ChangedFile {
                old: path.clone(),
                new: path,
            });
        }
        if !folders.is_empty() || paths.is_empty() {
            let folders: Result<Vec<_>, _> = folders
                .into_iter()
                .map(|path| compared.inside(path))
                .collect();
            files.extend(compared.changed(&folders?).await?);
        }
        let mut pairs = Vec::new();
        for file in files {
            pairs.push(compared.pair(file).await);
        }
        Ok(pairs)
    })
}

/// A commit, and the working tree that is compared with it.
struct Compared<'r> {
    repository: &'r Repository,
    commit: Commit<'r>,
}

impl Compared<'_> {
    fn inside(&self, path: &Path) -> Result<PathBuf, Error> {
        let inside = self
            .repository
            .path_inside(path)
            .map_err(|cause| Error::unreadable(path.display().to_string(), cause))?;
        inside.ok_or_else(|| Error::OutsideRepository {
            path: path.display().to_string(),
            repository: shown(self.repository.work_tree()),
        })
    }

    /// The pipeline files in folders that have changed.
    async fn changed(&self, folders: &[PathBuf]) -> Result<Vec<ChangedFile>, Error> {
        let folders = folders.iter();
        let folders = folders.map(|folder| format!(":(top,literal){}", folder.display()));
        let options = [
            "diff",
            "--name-status",
            "-z",
            "-M",
            "--no-ext-diff",
            "--no-textconv",
            self.commit.hash(),
            "--",
        ];
        let arguments = options.into_iter().map(str::to_owned).chain(folders);
        let arguments: Vec<String> = arguments.collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let listed = self.commit.text(&arguments).await.map_err(Error::Git)?;
        Ok(changed_files(&listed))
    }

    async fn pair(&self, file: ChangedFile) -> Result<Pair, Error> {
        let path = self.repository.work_tree().join(&file.new);
        let shown_path = PathBuf::from(shown(&path));
        let old = self.read(&file.old).await?;
        let new = match read(&shown_path) {
            Err(Error::NotFound { .. } | Error::DanglingLink { .. }) if old.is_some() => None,
            result => Some(result?),
        };
        let old_path = self.repository.work_tree().join(&file.old);
        Ok(Pair {
            old_path: (file.old != file.new).then(|| PathBuf::from(shown(&old_path))),
            path: shown_path,
            old,
            new,
        })
    }

    /// A file of the commit, if it has it.
    async fn read(&self, path: &Path) -> Result<Option<Source>, Error> {
        let content = self.commit.file(path).await.map_err(Error::Git)?;
        let Some(content) = content else {
            return Ok(None);
        };
        let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
        // Bytes that are not UTF-8 are replaced.
        if content.contains(['\0', '\u{fffd}']) {
            return Err(Error::Binary {
                path: format!("{} in {}", path.display(), self.commit.short_hash()),
            });
        }
        Ok(Some(Source::of_text(path, content.into())))
    }
}

/// The pipeline files of `git diff --name-status -z`: a status and a path each, two paths of files that were renamed.
fn changed_files(listed: &str) -> Vec<ChangedFile> {
    let mut fields = listed.split('\0');
    let mut files = Vec::new();
    while let Some(status) = fields.next().filter(|status| !status.is_empty()) {
        let Some(old) = fields.next() else {
            break;
        };
        let is_renamed = status.starts_with(['R', 'C']);
        let new = is_renamed.then(|| fields.next()).flatten().unwrap_or(old);
        if is_dot_file(Path::new(new)) {
            files.push(ChangedFile {
                old: old.into(),
                new: new.into(),
            });
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::changed_files;

    #[test]
    fn lists_of_git_are_read() {
        let files = changed_files("M\0a b.dot\0R090\0old.dot\0new.dot\0A\0notes.md\0D\0x.gv\0");
        let files: Vec<String> = files
            .iter()
            .map(|file| format!("{} {}", file.old.display(), file.new.display()))
            .collect();
        assert_eq!(files, ["a b.dot a b.dot", "old.dot new.dot", "x.gv x.gv"]);
    }
}
