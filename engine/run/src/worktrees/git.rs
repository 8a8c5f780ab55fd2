//! The Git side of a branch's folder: a worktree of the project's repository, so that `git status` and `git diff` give in
//! the branch what they give in the project. Its `HEAD` is detached and its index a copy: branches, index and stash of
//! the project stay as they are.

use std::fs;
use std::path::{Path, PathBuf};

use attractor_exec::ExecutionEnvironment;
pub(super) use attractor_exec::git::forget_worktree as forget;
use attractor_exec::git::{Call, Git, GitError, Repository, add_worktree};

/// The path of a project in its repository; empty where it is all of it, or in none.
pub(super) fn prefix(root: &Path) -> PathBuf {
    let top = root.ancestors().find(|folder| folder.join(".git").exists());
    let below = top.and_then(|top| root.strip_prefix(top).ok());
    below.unwrap_or(Path::new("")).to_owned()
}

/// The repository of a folder of the run: that of the project as it was when the run began, or the worktree of it that a
/// branch works in.
pub(super) fn repository_of(
    folder: &Path,
    recorded: &Repository,
) -> Result<Option<Repository>, GitError> {
    recorded.verify()?;
    let found = Repository::discover(folder)?;
    Ok(found.filter(|found| found.common_dir() == recorded.common_dir()))
}

/// Makes `folder` a worktree of the repository, without files. `root` is the project in it, or the copy of the branch
/// around.
pub(super) async fn add(
    repository: &Repository,
    root: &Path,
    folder: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Result<(), GitError> {
    add_worktree(repository, folder, execution).await?;
    let outside = prefix(root);
    if outside.as_os_str().is_empty() {
        return Ok(());
    }
    leave_out_others(folder, &outside, execution).await
}

/// The project is one folder of its repository: the other files are not in the worktree, and count as unchanged.
async fn leave_out_others(
    folder: &Path,
    project: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Result<(), GitError> {
    let Some(worktree) = Repository::at(folder)? else {
        return Ok(());
    };
    let git = Git::new(&worktree, execution);
    let others = format!(":(top,exclude,literal){}", project.display());
    let list = Call::read(folder, ["ls-files", "-z", "--", ".", &others]);
    let leave_out = list
        .then(["update-index", "-z", "--skip-worktree", "--stdin"])
        .writes([worktree.git_dir()]);
    git.text(leave_out).await.map(drop)
}

/// Copies files that Git knows and snapshots leave out, such as `.attractor/config.toml` and `.env.example`: `git status`
/// would say that the branch has deleted them. `root` is the project, `copy` that of the branch.
pub(super) async fn copy_tracked(
    root: &Path,
    copy: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Result<(), String> {
    let Some(worktree) = Repository::discover(copy).ok().flatten() else {
        return Ok(());
    };
    let missing = Git::new(&worktree, execution)
        .text(Call::read(copy, ["ls-files", "-z", "--deleted"]))
        .await;
    let missing = missing.map_err(|error| error.to_string())?;
    for path in missing.split('\0').filter(|path| !path.is_empty()) {
        let (from, to) = (root.join(path), copy.join(path));
        if !from.is_file() || from.is_symlink() {
            continue;
        }
        let made = to.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::copy(&from, &to))
            .map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
    }
    Ok(())
}
