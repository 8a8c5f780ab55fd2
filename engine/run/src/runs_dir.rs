//! Where the runs of a project are kept. The command line and the editor both ask here, so that each sees the runs of
//! the other.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::RunError;

/// Where the runs of a project are kept: `.attractor/runs`.
pub fn runs_dir(project: &Path) -> PathBuf {
    project.join(".attractor").join("runs")
}

/// Makes the folder of runs, with a `.gitignore` of its own: runs are no part of the project's history.
pub(crate) fn make_runs_dir(runs_dir: &Path) -> Result<(), RunError> {
    fs::create_dir_all(runs_dir).map_err(RunError::io("cannot make", runs_dir))?;
    let ignore = runs_dir.join(".gitignore");
    if ignore.exists() {
        return Ok(());
    }
    fs::write(&ignore, "*\n").map_err(RunError::io("cannot write", &ignore))
}
