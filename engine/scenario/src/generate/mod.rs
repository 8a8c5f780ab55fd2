//! Scenarios that cover the edges of a pipeline, found by dry runs.
//!
//! The first run lets every node succeed. Then, for each edge that no run has taken, `candidates` asks the condition
//! solver what the node before it has to result in; `search` runs the pipeline with that, from the runs that enter the
//! node. What covers something new becomes a scenario (`write`), named for what differs from success (`name`).

mod assignment;
mod candidates;
mod endless;
mod generated;
mod inputs;
mod name;
mod search;
mod write;

use attractor_run::DryRuns;

use crate::subject::Subject;

pub(crate) use assignment::Plan;
pub(crate) use endless::{endless, round};
pub use generated::{Generated, GeneratedScenario, Uncovered};
pub(crate) use name::{describe, give_names};
pub use write::{write, write_missing, write_one};

/// Dry runs of one pipeline, for scenarios that are stored.
const MAX_RUNS: usize = 1200;
/// Dry runs of one pipeline, for a user who waits.
const MAX_RUNS_AT_ONCE: usize = 400;

/// Finds scenarios that begin with what is given; `None` when the pipeline cannot run.
pub(crate) async fn search_with(dry_runs: &DryRuns, given: Plan) -> Option<Generated> {
    search::search(dry_runs, given, MAX_RUNS_AT_ONCE).await
}

/// Finds scenarios for a pipeline of the file; `None` when it has none of that name, or it cannot run.
pub async fn generate(subject: &Subject, graph: &str) -> Option<Generated> {
    let dry_runs = subject.pipeline(Some(graph))?.dry_runs().ok()?;
    let mut found = search::search(dry_runs, Plan::default(), MAX_RUNS).await?;
    name::give_names(&mut found.scenarios);
    Some(found)
}
