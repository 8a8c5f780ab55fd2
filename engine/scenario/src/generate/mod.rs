//! Scenarios that cover the edges of a pipeline, found by dry runs.
//!
//! The first run lets every node succeed. Then, for each edge that no run has taken, `candidates` asks the condition
//! solver what the node before it has to result in; `search` runs the pipeline with that, from the runs that enter the
//! node. What covers something new becomes a scenario (`write`), named for what differs from success (`name`).

mod assignment;
mod candidates;
mod generated;
mod inputs;
mod name;
mod search;
mod write;

use crate::subject::Subject;

pub use generated::{Generated, GeneratedScenario, Uncovered};
pub use write::{write, write_missing};

/// Finds scenarios for a pipeline of the file; `None` when it has none of that name, or it cannot run.
pub async fn generate(subject: &Subject, graph: &str) -> Option<Generated> {
    let dry_runs = subject.pipeline(Some(graph))?.dry_runs().ok()?;
    let mut found = search::search(dry_runs).await?;
    name::give_names(&mut found.scenarios);
    Some(found)
}
