//! The files of a commit, and those of the working tree.

use std::path::{Path, PathBuf};

use attractor_exec::LocalEnvironment;
use attractor_exec::git::{Call, Git, GitError, Repository};
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
        let commit = Commit::find(&repository, revision).await?;
        let mut files = Vec::new();
        let (folders, named): (Vec<_>, Vec<_>) = paths.iter().partition(|path| path.is_dir());
        for path in named {
            let path = commit.inside(path)?;
            files.push(ChangedFile {
                old: path.clone(),
                new: path,
            });
        }
        if !folders.is_empty() || paths.is_empty() {
            let folders: Result<Vec<_>, _> = folders
                .into_iter()
                .map(|path| commit.inside(path))
                .collect();
            files.extend(commit.changed(&folders?).await?);
        }
        let mut pairs = Vec::new();
        for file in files {
            pairs.push(commit.pair(file).await);
        }
        Ok(pairs)
    })
}

/// A commit of a repository.
struct Commit<'r> {
    repository: &'r Repository,
    /// Its full hash.
    hash: String,
}

impl<'r> Commit<'r> {
    async fn find(repository: &'r Repository, revision: &str) -> Result<Self, Error> {
        let wanted = format!("{revision}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--end-of-options", &wanted];
        let unknown = || Error::UnknownRevision {
            revision: revision.to_owned(),
        };
        let hash = match text(repository, &arguments).await {
            Ok(hash) => hash.trim().to_owned(),
            Err(GitError::Failed { .. }) => return Err(unknown()),
            Err(error) => return Err(Error::Git(error)),
        };
        Ok(Self { repository, hash })
    }

    /// A path as the repository calls it.
    fn inside(&self, path: &Path) -> Result<PathBuf, Error> {
        let outside = || Error::OutsideRepository {
            path: path.display().to_string(),
            repository: shown(self.repository.work_tree()),
        };
        let absolute = std::path::absolute(path)
            .map_err(|cause| Error::unreadable(path.display().to_string(), cause))?;
        // The file itself may be gone, and links in its folder are followed.
        let (folder, name) = match (absolute.parent(), absolute.file_name()) {
            (Some(folder), Some(name)) if !path.is_dir() => (folder, Some(name)),
            _ => (absolute.as_path(), None),
        };
        let real = folder
            .canonicalize()
            .unwrap_or_else(|_| folder.to_path_buf());
        let real = name.map_or(real.clone(), |name| real.join(name));
        let inside = real.strip_prefix(self.repository.work_tree());
        inside.map(Path::to_path_buf).map_err(|_| outside())
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
            &self.hash,
            "--",
        ];
        let arguments = options.into_iter().map(str::to_owned).chain(folders);
        let arguments: Vec<String> = arguments.collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let listed = text(self.repository, &arguments)
            .await
            .map_err(Error::Git)?;
        Ok(changed_files(&listed))
    }

    async fn pair(&self, file: ChangedFile) -> Result<Pair, Error> {
        let path = self.repository.work_tree().join(&file.new);
        let shown_path = PathBuf::from(shown(&path));
        let old = self.read(&file.old).await?;
        let new = match read(&shown_path) {
            Err(Error::NotFound { .. }) if old.is_some() => None,
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
        let name = path.display().to_string();
        let arguments = ["ls-tree", "-z", "--full-tree", &self.hash, "--", &name];
        let listed = text(self.repository, &arguments)
            .await
            .map_err(Error::Git)?;
        let Some(object) = object(&listed) else {
            return Ok(None);
        };
        let content = text(self.repository, &["cat-file", "blob", object]).await;
        let content = content.map_err(Error::Git)?;
        let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
        // Bytes that are not UTF-8 are replaced.
        if content.contains(['\0', '\u{fffd}']) {
            return Err(Error::Binary {
                path: format!("{name} in {}", short(&self.hash)),
            });
        }
        Ok(Some(Source::of_text(path, content.into())))
    }
}

async fn text(repository: &Repository, arguments: &[&str]) -> Result<String, GitError> {
    let call = Call::read(repository.work_tree(), arguments.iter().copied());
    Git::new(repository, &LocalEnvironment).text(call).await
}

/// The object of a file that `git ls-tree` lists: `100644 blob HASH<tab>path`.
fn object(listed: &str) -> Option<&str> {
    let (entry, _) = listed.split_once('\t')?;
    let mut words = entry.split(' ');
    let (mode, kind, hash) = (words.next()?, words.next()?, words.next()?);
    (kind == "blob" && mode.starts_with("100")).then_some(hash)
}

fn short(hash: &str) -> &str {
    hash.get(..10).unwrap_or(hash)
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
    use super::{changed_files, object};

    #[test]
    fn lists_of_git_are_read() {
        let files = changed_files("M\0a b.dot\0R090\0old.dot\0new.dot\0A\0notes.md\0D\0x.gv\0");
        let files: Vec<String> = files
            .iter()
            .map(|file| format!("{} {}", file.old.display(), file.new.display()))
            .collect();
        assert_eq!(files, ["a b.dot a b.dot", "old.dot new.dot", "x.gv x.gv"]);
        assert_eq!(object("100644 blob abc\ta.dot\0"), Some("abc"));
        assert_eq!(object("120000 blob abc\ta.dot\0"), None);
        assert_eq!(object("040000 tree abc\tdir\0"), None);
        assert_eq!(object(""), None);
    }
}
