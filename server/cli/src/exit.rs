//! How the program ends: the exit codes, in one place.
//!
//! Scripts rely on these numbers; they never change meaning.

use std::process::ExitCode;

use attractor_run::RunReport;

/// The outcome of a command, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: success.
    Success,
    /// 1: the pipeline, its validation or the command itself failed.
    Failed,
    /// 2: wrong usage, as in clap.
    Usage,
    /// 3: the run ended escalated.
    Escalated,
    /// 4: a question could not be asked.
    Unanswerable,
    /// 5: the run would have simulated models although nothing requested it.
    Simulated,
    /// 130: cancelled, as after Ctrl-C.
    Cancelled,
}

impl Exit {
    /// The number.
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Escalated => 3,
            Self::Unanswerable => 4,
            Self::Simulated => 5,
            Self::Cancelled => 130,
        }
    }
}

impl Exit {
    /// The exit code of a run.
    pub fn of(report: &RunReport) -> Self {
        match report.exit_code() {
            0 => Self::Success,
            3 => Self::Escalated,
            4 => Self::Unanswerable,
            130 => Self::Cancelled,
            _ => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
