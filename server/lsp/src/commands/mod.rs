//! `workspace/executeCommand`, one file per command: `handle` takes the argument and returns the result.

pub(crate) mod answer;
pub(crate) mod cancel;
pub(crate) mod consent;
pub(crate) mod diff;
pub(crate) mod events;
mod find_run;
mod foreign_run;
pub(crate) mod fork;
pub(crate) mod graph;
pub(crate) mod inputs;
mod launch;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod new;
pub(crate) mod providers;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod revert;
pub(crate) mod run;
pub(crate) mod semantic_diff;
pub(crate) mod steer;
pub(crate) mod test;
pub(crate) mod trust;
pub(crate) mod validate;
pub(crate) mod ways;
