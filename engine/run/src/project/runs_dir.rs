//! Where the runs of a project are kept. The command line and the editor both ask here, so that each sees the runs of
//! the other.

use std::fs;
use std::path::{Path, PathBuf};

use attractor_exec::write_if_missing;

use crate::error::RunError;

/// Where the runs of a project are kept: `.attractor/runs`.
pub fn runs_dir(project: &Path) -> PathBuf {
    project.join(".attractor").join("runs")
}

/// Refuses a folder of runs in a project that is a symbolic link, or is in one: a repository could have records written to
/// any place, and those of any place removed.
pub(crate) fn refuse_links(runs_dir: &Path) -> Result<(), RunError> {
    let state = runs_dir
        .parent()
        .filter(|folder| folder.ends_with(".attractor"));
    let link = state.into_iter().chain([runs_dir]).find(|folder| {
        state.is_some() && fs::symlink_metadata(folder).is_ok_and(|about| about.is_symlink())
    });
    match link {
        Some(link) => Err(RunError::NotOwn {
            path: link.to_owned(),
        }),
        None => Ok(()),
    }
}

/// Makes the folder of runs, or of sessions, with a `.gitignore` of its own: they are no part of the project's history.
///
/// # Errors
/// It is a symbolic link or in one, or cannot be made.
pub fn make_runs_dir(runs_dir: &Path) -> Result<(), RunError> {
    refuse_links(runs_dir)?;
    fs::create_dir_all(runs_dir).map_err(RunError::io("cannot make", runs_dir))?;
    let ignore = runs_dir.join(".gitignore");
    write_if_missing(&ignore, b"*\n").map_err(RunError::io("cannot write", &ignore))
}
