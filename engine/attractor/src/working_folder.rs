//! Whether the folder of a run has changes that are not committed.

use std::path::Path;
use std::time::Duration;

use attractor_exec::{ExecutionEnvironment, Exit, Job, Output, OutputStream};
use tokio_util::sync::CancellationToken;

/// Most time for `git status`.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The output is read at the end.
struct Silent;

impl Output for Silent {
    fn piece(&self, _: OutputStream, _: &[u8]) {}
}

/// How many files have changes that are not committed; `None` outside of a repository. Nothing that the configuration of the
/// repository names is run.
pub(crate) async fn uncommitted(
    folder: &Path,
    execution: &dyn ExecutionEnvironment,
) -> Option<usize> {
    let argv = [
        "git",
        "--no-optional-locks",
        "-c",
        "core.fsmonitor=false",
        "status",
        "--porcelain",
        "--ignore-submodules=all",
        "--",
        ".",
        ":(exclude).attractor/runs",
    ];
    let job = Job {
        argv: argv.map(str::to_owned).to_vec(),
        directory: folder.to_owned(),
        timeout: Some(TIMEOUT),
        ..Job::default()
    };
    let result = execution.run(job, &Silent, &CancellationToken::new()).await;
    let result = result.ok().filter(|result| result.exit == Exit::Code(0))?;
    Some(result.stdout.text.lines().count())
}
