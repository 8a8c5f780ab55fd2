//! What runs took: the attempts of their nodes, and what follows from many of them.
//!
//! [`attempts`] reads them from the events of a run, [`PipelineStatistics`] sums up runs of a pipeline. Time at work and
//! the time until people answered are counted apart. Nothing is said from fewer runs than [`MIN_RUNS`].

mod collect;
mod summary;

use serde::{Deserialize, Serialize};

use crate::outcome::FailureClass;
use attractor_model::RunState;

pub use collect::attempts;
pub use summary::{MIN_RUNS, NodeStatistics, PipelineStatistics, Spread};

/// One run that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct RunRecord {
    /// Its id.
    pub run: String,
    /// The pipeline.
    pub pipeline: String,
    /// The DOT file, from the folder of the project.
    pub path: String,
    /// How it ended.
    pub state: RunState,
    /// When it began, RFC 3339.
    pub started_at: String,
    /// Bytes of its journal then: a run that was resumed since has more.
    pub journal_bytes: u64,
    /// The attempts of its nodes, in the order in which they ended.
    pub attempts: Vec<AttemptRecord>,
}

/// One attempt of a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct AttemptRecord {
    /// The node.
    pub node: String,
    /// The sub-pipeline it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The parallel branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The visit, from 1.
    pub visit: u32,
    /// The attempt of the visit, from 1.
    pub attempt: u32,
    /// Why it failed; none where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureClass>,
    /// Milliseconds at work.
    pub active_ms: u64,
    /// Milliseconds until people answered.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub people_ms: u64,
    /// USD.
    #[serde(default, skip_serializing_if = "is_free")]
    pub cost: f64,
    /// Tokens read and written.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tokens: u64,
    /// The model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// A hash of what defines the node; none where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_free(cost: &f64) -> bool {
    *cost == 0.0
}
