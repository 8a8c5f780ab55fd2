//! The Git side of a branch's folder: a worktree of the project's repository, so that `git status` and `git diff` give in
//! the branch what they give in the project. Its `HEAD` is detached and its index a copy: branches, index and stash of
//! the project stay as they are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use attractor_exec::{ExecutionEnvironment, Exit, Job, JobResult, Output, OutputStream};
use tokio_util::sync::CancellationToken;

/// Most time for one command.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The output is read at the end.
struct Silent;

impl Output for Silent {
    fn piece(&self, _: OutputStream, _: &[u8]) {}
}

/// The path of a project in its repository; empty where it is all of it, or in none.
pub(super) fn prefix(root: &Path) -> PathBuf {
    let top = root.ancestors().find(|folder| folder.join(".git").exists());
    let below = top.and_then(|top| root.strip_prefix(top).ok());
    below.unwrap_or(Path::new("")).to_owned()
}

/// Makes `folder` a worktree of the repository that `root` is in, without files. Where there is none, or Git cannot be
/// used, the folder is an ordinary one.
pub(super) async fn add_worktree(
    root: &Path,
    folder: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Result<(), String> {
    let git = Git { execution };
    let Some(repository) = git.output(root, &["rev-parse", "--absolute-git-dir"]).await else {
        return Ok(());
    };
    let name = folder.to_string_lossy();
    let is_born = git
        .output(root, &["rev-parse", "--verify", "--quiet", "HEAD"])
        .await;
    let arguments: &[&str] = match is_born {
        Some(_) => &[
            "worktree",
            "add",
            "--force",
            "--detach",
            "--no-checkout",
            "--quiet",
            &name,
            "HEAD",
        ],
        // Without a commit there is nothing to check out, and no worktree.
        None => &["init", "--quiet", &name],
    };
    let added = git.run(root, arguments).await;
    let added = added.map_err(|error| format!("cannot run `git`: {error}"))?;
    if added.exit != Exit::Code(0) {
        let said = added.stderr.text.trim().to_owned();
        return Err(format!(
            "`git {}` failed for the branch: {said}",
            arguments
                .iter()
                .take(2)
                .copied()
                .collect::<Vec<_>>()
                .join(" ")
        ));
    }
    if is_born.is_none() {
        return Ok(());
    }
    let Some(own) = admin_folder(folder) else {
        return Err(format!("{} is not a worktree of Git", folder.display()));
    };
    copy_index(Path::new(repository.trim()), &own)
        .map_err(|error| format!("cannot copy the index of Git: {error}"))?;
    let outside = prefix(root);
    if outside.as_os_str().is_empty() {
        return Ok(());
    }
    git.leave_out_others(folder, &outside).await
}

/// Copies files that Git knows and snapshots leave out, such as `.attractor/config.toml` and `.env.example`: `git status`
/// would say that the branch has deleted them. `root` is the project, `copy` that of the branch.
pub(super) async fn copy_tracked(
    root: &Path,
    copy: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Result<(), String> {
    let git = Git { execution };
    let missing = git.output(copy, &["ls-files", "-z", "--deleted"]).await;
    let missing = missing.unwrap_or_default();
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

/// Removes what the repository knows about a worktree.
pub(super) fn forget(folder: &Path) {
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

fn copy_index(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)?.flatten() {
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text == "index" || text.starts_with("sharedindex.") {
            fs::copy(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}

struct Git<'g> {
    execution: &'g dyn ExecutionEnvironment,
}

impl Git<'_> {
    async fn run(&self, folder: &Path, arguments: &[&str]) -> io::Result<JobResult> {
        let fixed = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false"];
        let argv = fixed.iter().chain(arguments);
        self.start(folder, argv.map(|word| (*word).to_owned()).collect())
            .await
    }

    async fn start(&self, folder: &Path, argv: Vec<String>) -> io::Result<JobResult> {
        let job = Job {
            argv,
            directory: folder.to_owned(),
            timeout: Some(TIMEOUT),
            ..Job::default()
        };
        let stop = CancellationToken::new();
        self.execution.run(job, &Silent, &stop).await
    }

    /// What a command prints; none when it fails.
    async fn output(&self, folder: &Path, arguments: &[&str]) -> Option<String> {
        let done = self.run(folder, arguments).await.ok()?;
        (done.exit == Exit::Code(0)).then_some(done.stdout.text)
    }

    /// The project is one folder of its repository: the other files are not in the worktree, and count as unchanged.
    async fn leave_out_others(&self, folder: &Path, project: &Path) -> Result<(), String> {
        const SCRIPT: &str = "git ls-files -z -- . \":(top,exclude,literal)$0\" | git update-index -z --skip-worktree --stdin";
        let project = project.to_string_lossy().into_owned();
        let argv = ["sh", "-c", SCRIPT].map(str::to_owned);
        let argv = argv.into_iter().chain([project]).collect();
        let done = self.start(folder, argv).await;
        let done = done.map_err(|error| format!("cannot run `git`: {error}"))?;
        if done.exit == Exit::Code(0) {
            return Ok(());
        }
        Err(format!(
            "`git update-index` failed for the branch: {}",
            done.stderr.text.trim()
        ))
    }
}
