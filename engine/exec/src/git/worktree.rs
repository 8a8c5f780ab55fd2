//! Worktrees: another folder with files of the same repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::call::{Call, Git, text_of};
use super::error::GitError;
use super::repository::Repository;
use crate::process::ExecutionEnvironment;

/// Makes `folder` a worktree of a repository, without files: with a detached `HEAD` and a copy of the index. Without a
/// commit there is nothing to check out: the folder becomes a repository of its own.
///
/// # Errors
/// The repository was changed since it was found, or Git fails.
pub async fn add_worktree(
    repository: &Repository,
    folder: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Result<(), GitError> {
    let git = Git::new(repository, execution);
    let root = repository.work_tree();
    let name = text_of(folder)?;
    let parent = folder.parent().unwrap_or(folder);
    let head = Call::read(root, ["rev-parse", "--verify", "--quiet", "HEAD"]);
    if git.text(head).await.is_err() {
        repository.verify()?;
        let make = Call::read(root, ["init", "--quiet", &name]).writes([parent]);
        return git.outside(&make).await;
    }
    let all = repository.common_dir().join("worktrees");
    make_folder(&all)?;
    let options = [
        "--force",
        "--detach",
        "--no-checkout",
        "--quiet",
        &name,
        "HEAD",
    ];
    let add = Call::read(root, ["worktree", "add"].into_iter().chain(options));
    git.text(add.writes([repository.common_dir(), parent]))
        .await?;
    let own = admin_folder(folder)
        .and_then(|own| Some(all.join(own.file_name()?)))
        .filter(|own| own.is_dir());
    let Some(own) = own else {
        return Err(io::Error::other(format!("{} is not a worktree", folder.display())).into());
    };
    // Git names the folder by the view that it sees.
    let pointer = format!("gitdir: {}\n", text_of(&own)?);
    fs::write(folder.join(".git"), pointer)?;
    copy_index(repository.git_dir(), &own)?;
    Ok(())
}

/// Removes what the repository knows about a worktree.
pub fn forget_worktree(folder: &Path) {
    let Some(own) = admin_folder(folder) else {
        return;
    };
    let points_back = fs::read_to_string(own.join("gitdir")).is_ok_and(|text| {
        let named = PathBuf::from(text.trim());
        named.parent().is_some_and(|named| same(named, folder))
    });
    let is_worktree = own.parent().and_then(Path::file_name) == Some("worktrees".as_ref());
    if points_back && is_worktree {
        // What stays is what `git worktree prune` removes.
        let _ = fs::remove_dir_all(&own);
        if let Some(all) = own.parent() {
            let _ = fs::remove_dir(all);
        }
    }
}

fn same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    real(one) == real(other)
}

/// Where the repository keeps what belongs to a worktree.
fn admin_folder(folder: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(folder.join(".git")).ok()?;
    let named = text.trim().strip_prefix("gitdir:")?.trim().to_owned();
    Some(folder.join(named))
}

/// Makes a folder that must not be a link to another one.
fn make_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::other(format!(
            "{} is not a folder",
            path.display()
        ))),
        Err(_) => fs::create_dir(path),
    }
}

fn copy_index(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)?.flatten() {
        let name = entry.file_name();
        let text = name.to_string_lossy();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && (text == "index" || text.starts_with("sharedindex.")) {
            fs::copy(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}
