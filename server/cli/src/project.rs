//! The project that a command works in, and its runs: found from where the person is.

use std::path::{Path, PathBuf};

use attractor_run::{
    RunError, RunState, RunSummary, find_run, list_runs, newest_run, project_root_of_folder,
    runs_dir,
};
use clap::builder::StyledStr;
use clap_complete::CompletionCandidate;

use crate::error::Error;
use crate::render::time;

/// Where the runs of the current folder's project are kept.
pub fn runs_here() -> PathBuf {
    runs_dir(&project_root_of_folder(Path::new(".")))
}

/// Which runs a command is about when it names none.
#[derive(Clone, Copy, Debug)]
pub enum Fits {
    /// Any run.
    Any,
    /// One that can be continued.
    Resumable,
    /// One that is under way.
    Live,
    /// One that asks something.
    Asking,
}

impl Fits {
    fn is(self, run: &RunSummary) -> bool {
        match self {
            Self::Any => true,
            Self::Resumable => matches!(
                run.state,
                RunState::Failed | RunState::Cancelled | RunState::Interrupted
            ),
            Self::Live => matches!(run.state, RunState::Running | RunState::Waiting),
            Self::Asking => run.state == RunState::Waiting,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Any => "run",
            Self::Resumable => "run that can be resumed",
            Self::Live => "run under way",
            Self::Asking => "run with an open question",
        }
    }

    /// The runs that fit, newest first, as completion offers them.
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

/// The directory of a run: by its id, a unique beginning of it, or its folder; without any, the newest that fits.
pub fn find(run: Option<&str>, fits: Fits) -> Result<PathBuf, Error> {
    let runs = runs_here();
    match run {
        Some(run) => Ok(find_run(&runs, run)?),
        None => newest_run(&runs, |run| fits.is(run))
            .map(|run| run.directory)
            .ok_or_else(|| Error::NoRun {
                what: fits.words(),
                place: shown(&runs),
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

/// The command that continues the run in `directory`, for the current folder.
pub fn resume_command(directory: &Path) -> String {
    if directory.parent() == Some(&*runs_here()) {
        // It is the newest, and its id is in the path of its log.
        "attractor resume".to_owned()
    } else {
        format!("attractor resume {}", shown(directory))
    }
}

/// A path as a person wants to read it: relative to the current folder where it is in it.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here)
        .unwrap_or(path)
        .display()
        .to_string()
}
