//! How what a command has started is recognised, and which of it is ended, in which way.

use std::time::Duration;

/// How long a group has between TERM and KILL.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// Names the run in the environment of everything it starts.
pub(crate) const RUN_MARK: &str = "ATTRACTOR_RUN";
/// Names the attempt.
pub(crate) const STEP_MARK: &str = "ATTRACTOR_STEP";

/// The two ways to end a process.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Signal {
    Term,
    Kill,
}

/// What was ended.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EndedOrphans {
    /// How many processes.
    pub(crate) count: usize,
    /// Whether something could not be ended.
    pub(crate) has_survivor: bool,
}
