//! The project of the current folder, and its runs.

use std::path::{Path, PathBuf};

use attractor_run::{
    RunError, RunState, RunSummary, find_run, list_runs, newest_run, project_root_of_folder,
    runs_dir, summary,
};
use clap::builder::StyledStr;
use clap_complete::CompletionCandidate;

use crate::error::Error;
use crate::render::time;

/// Where the runs of the current folder's project are kept.
pub fn runs_here() -> PathBuf {
    runs_dir(&project_root_of_folder(Path::new(".")))
}

/// Which runs a command applies to when none is named.
#[derive(Clone, Copy, Debug)]
pub enum RunFilter {
    /// All runs.
    Any,
    /// Runs that can be resumed.
    Resumable,
    /// Active runs.
    Active,
    /// Runs with an open question.
    WithQuestion,
}

impl RunFilter {
    /// Whether a run matches.
    pub fn is(self, run: &RunSummary) -> bool {
        match self {
            Self::Any => true,
            Self::Resumable => run.state.is_resumable(),
            Self::Active => run.state.is_live(),
            Self::WithQuestion => run.state == RunState::Waiting,
        }
    }

    /// What such a run is called in messages.
    pub fn description(self) -> &'static str {
        match self {
            Self::Any => "run",
            Self::Resumable => "resumable run",
            Self::Active => "active run",
            Self::WithQuestion => "run with an open question",
        }
    }

    /// The matching runs, newest first, as completion candidates.
    pub fn complete(self) -> Vec<CompletionCandidate> {
        let runs = list_runs(&runs_here()).into_iter();
        runs.filter(|run| self.is(run))
            .map(|run| {
                let about = format!(
                    "{} · {} · {}",
                    run.pipeline,
                    run.state.name(),
                    time::ago(&run.started_at)
                );
                CompletionCandidate::new(run.run).help(Some(StyledStr::from(about)))
            })
            .collect()
    }
}

/// The directory of a run: by its id, a unique prefix of it, or its folder; otherwise the newest that matches.
pub fn find(run: Option<&str>, filter: RunFilter) -> Result<PathBuf, Error> {
    let runs = runs_here();
    match run {
        Some(run) => Ok(find_run(&runs, run)?),
        None => newest_run(&runs, |run| filter.is(run))
            .map(|run| run.directory)
            .ok_or_else(|| none(&runs, filter)),
    }
}

/// Why there is no run for a command: the newest may only have to be resumed.
fn none(runs: &Path, filter: RunFilter) -> Error {
    let is_for_live = matches!(filter, RunFilter::Active | RunFilter::WithQuestion);
    let newest = newest_run(runs, |_| is_for_live);
    match newest.filter(|run| run.state == RunState::Interrupted) {
        Some(run) => Error::Interrupted { run: run.run },
        None => Error::NoRun {
            what: filter.description(),
            place: shown(runs),
        },
    }
}

/// Refuses a run that no process works on.
///
/// # Errors
/// Such a run, or one that cannot be read.
pub fn check_live(directory: &Path) -> Result<(), Error> {
    let run = summary(directory)?;
    match run.state {
        RunState::Interrupted => Err(Error::Interrupted { run: run.run }),
        state if state.is_live() => Ok(()),
        state => Err(Error::Ended {
            run: run.run,
            state: state.name(),
        }),
    }
}

/// Whether this names a run.
pub fn is_run(run: &str) -> Result<bool, Error> {
    match find_run(&runs_here(), run) {
        Ok(_) => Ok(true),
        Err(RunError::UnknownRun { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// What commands call the run in `directory` in the current folder: its id, else its path.
pub fn name_of_run(directory: &Path) -> String {
    let id = directory.file_name().map(|id| id.to_string_lossy());
    match id {
        Some(id) if directory.parent() == Some(&*runs_here()) => id.into_owned(),
        _ => shown(directory),
    }
}

/// The command that resumes the run in `directory`, for the current folder. It names the run: another one may be newer
/// when the command is typed.
pub fn resume_command(directory: &Path) -> String {
    format!("attractor resume {}", name_of_run(directory))
}

/// A path for display: relative to the current folder when it is in it.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here)
        .unwrap_or(path)
        .display()
        .to_string()
}
