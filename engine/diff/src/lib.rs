//! The semantic difference of pipelines: what a change of a file changes in a run.
//!
//! Compared is what a pipeline means: canonical names and values, with defaults in scope, stylesheets and attributes of the
//! graph resolved on each node. So a file that is formatted, sorted or quoted in another way has no difference. Attributes
//! that only matter for the picture are not compared, and neither are the contents of other files that a pipeline names.
//!
//! Pure: no file, clock, environment or task is touched. Broken files are compared as far as they can be read.
//!
//! ```
//! use attractor_model::Pipeline;
//! let old = Pipeline::from_text("digraph { goal=x; a [shape=box, timeout=60] }");
//! let same = Pipeline::from_text("digraph { a [timeout_seconds=\"1m\"]; graph [goal=\"x\"] }");
//! assert!(attractor_diff::diff(&old[0], &same[0]).changes.is_empty());
//! let new = Pipeline::from_text("digraph { goal=x; a [timeout=\"2m\"] }");
//! let changes = attractor_diff::diff(&old[0], &new[0]).changes;
//! assert_eq!(changes[0].to_string(), "a: timeout 1m → 2m");
//! ```
#![cfg_attr(
    test,
    expect(clippy::indexing_slicing, reason = "tests fail by panicking")
)]

mod attributes;
mod conditions;
mod difference;
mod flowchart;
mod graph_attributes;
mod markdown;
mod matching;
mod nodes;
mod pipelines;
mod prices;
mod report;
mod routes;
#[cfg(test)]
mod schema;
mod similarity;
#[cfg(test)]
mod tests;
mod topic;
mod values;
mod versions;
mod wording;
mod words;

pub use difference::{Change, ChangeKind, Difference, Status, Subject};
pub use flowchart::draw;
pub use markdown::markdown;
pub use pipelines::{diff, diff_files};
pub use prices::{Cost, Prices};
pub use report::{FileDifference, ProblemSide, Report, SyntaxProblem};
pub use topic::{Section, Topic};
pub use words::{Edit, Piece};
