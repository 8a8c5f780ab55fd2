//! Whether the folder of a run has changes that are not committed.

use std::path::Path;
use std::time::Duration;

use attractor_exec::ExecutionEnvironment;
use attractor_exec::git::{Call, Git, Repository};

/// Most time for `git status`.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How many files have changes that are not committed; `None` outside of a repository. Nothing that the configuration of the
/// repository names is run.
pub(crate) async fn uncommitted(
    folder: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Option<usize> {
    let repository = Repository::discover(folder).ok().flatten()?;
    let arguments = [
        "status",
        "--porcelain",
        "--ignore-submodules=all",
        "--",
        ".",
        ":(exclude).attractor/runs",
    ];
    let call = Call::read(folder, arguments).timeout(TIMEOUT);
    let status = Git::new(&repository, execution).text(call).await.ok()?;
    Some(status.lines().count())
}
