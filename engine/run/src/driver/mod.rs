//! The owner of a run: one task that connects the machine, the store, the handlers and the readers.

pub(crate) mod control_server;
mod dry_runs;
mod ending;
mod fork;
mod handle;
mod killed_calls;
mod looks;
mod message;
mod orphans;
mod output;
mod pausing;
mod questions;
mod resume;
pub(crate) mod reviewed_gates;
mod run_task;
mod start;
mod steering;
mod stopped_calls;
mod supervise;
mod tasks;
#[cfg(test)]
mod tests;
mod validate;
mod worktrees;

pub use dry_runs::{DryRun, DryRuns};
pub use fork::fork;
pub use handle::RunHandle;
pub use resume::{ResumeFrom, resume};
pub use start::{check_launch, start};
