//! The owner of a run: one task that connects the machine, the store, the handlers and the readers.

mod changes;
mod dry_runs;
mod ending;
mod fork;
mod handle;
mod history;
mod inquiries;
mod interviewing;
mod interviews;
mod killed_calls;
mod looks;
mod message;
mod orphans;
mod output;
mod pausing;
mod questions;
mod recover;
mod replay;
mod replay_check;
mod resume;
mod run_people;
mod run_task;
mod start;
mod steering;
mod stopped_calls;
mod stored_checkpoint;
mod supervise;
mod tasks;
#[cfg(test)]
mod tests;
mod time;
mod validate;
mod worktrees;

pub use dry_runs::{DryRun, DryRuns};
pub use fork::fork;
pub use handle::RunHandle;
pub use history::{History, HistoryStep, RunFile};
pub(crate) use recover::{not_started, view_of};
pub use replay_check::{ReplayCheck, ReplayDifference, check_replay};
pub use resume::{ResumeFrom, resume};
pub use start::{check_launch, start};
pub use stored_checkpoint::stored_checkpoint;
