//! A commit, and the files it has.

use std::path::Path;

use super::call::{Call, Git};
use super::error::GitError;

/// A commit of a repository.
#[derive(Debug)]
pub struct Commit<'g> {
    git: Git<'g>,
    hash: String,
}

impl<'g> Commit<'g> {
    /// The commit that a revision names: `HEAD`, `main~2`. None if there is none.
    ///
    /// # Errors
    /// The repository was changed since it was found, or Git cannot be run.
    pub async fn find(git: Git<'g>, revision: &str) -> Result<Option<Self>, GitError> {
        let wanted = format!("{revision}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--end-of-options", &wanted];
        match git.text(call(git, &arguments)).await {
            Ok(hash) => Ok(Some(Self {
                git,
                hash: hash.trim().to_owned(),
            })),
            Err(GitError::Failed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Its full hash.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The first ten digits of its hash.
    pub fn short_hash(&self) -> &str {
        self.hash.get(..10).unwrap_or(&self.hash)
    }

    /// What Git writes for these arguments.
    ///
    /// # Errors
    /// The repository was changed since it was found, Git cannot be run, or it fails.
    pub async fn text(&self, arguments: &[&str]) -> Result<String, GitError> {
        self.git.text(call(self.git, arguments)).await
    }

    /// A file of the commit by its path in the repository, bytes that are not UTF-8 replaced. None if the commit has no
    /// regular file there.
    ///
    /// # Errors
    /// The repository was changed since it was found, Git cannot be run, or it fails.
    pub async fn file(&self, path: &Path) -> Result<Option<String>, GitError> {
        let name = path.display().to_string();
        let listed = self
            .text(&["ls-tree", "-z", "--full-tree", &self.hash, "--", &name])
            .await?;
        match object(&listed) {
            Some(object) => self.text(&["cat-file", "blob", object]).await.map(Some),
            None => Ok(None),
        }
    }
}

fn call(git: Git<'_>, arguments: &[&str]) -> Call {
    Call::read(git.repository.work_tree(), arguments.iter().copied())
}

/// The object of a file that `git ls-tree` lists: `100644 blob HASH<tab>path`.
fn object(listed: &str) -> Option<&str> {
    let (entry, _) = listed.split_once('\t')?;
    let mut words = entry.split(' ');
    let (mode, kind, hash) = (words.next()?, words.next()?, words.next()?);
    (kind == "blob" && mode.starts_with("100")).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::object;

    #[test]
    fn the_object_of_a_regular_file_is_read() {
        assert_eq!(object("100644 blob abc\ta.dot\0"), Some("abc"));
        assert_eq!(object("120000 blob abc\ta.dot\0"), None);
        assert_eq!(object("040000 tree abc\tdir\0"), None);
        assert_eq!(object(""), None);
    }
}
