//! Scenario tests: what a pipeline does when its nodes succeed, fail and answer as a file says.
//!
//! A file `NAME.test.toml` next to `NAME.dot` holds scenarios. Each gives inputs, outcomes of nodes and answers of
//! gates, and states what the run is expected to do. A scenario is a dry run of the executor: no process, no model,
//! no waiting. With a cassette, prompts are answered by recorded answers. Knows no terminal and no editor.
//!
//! ```toml
//! [[scenario]]
//! name     = "tests fail, then pass"
//! outcomes = { test = ["fail", "success"] }
//! answers  = { review = ["Approve"] }
//! expect   = { path = ["start", "…", "test", "fix", "test", "review", "done"], end = "success" }
//! ```
//!
//! `file` reads, `check` compares names with the pipeline, `run` does the dry run, `verdict` judges it, `coverage`
//! counts nodes and edges, `report` has the results as data.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

mod check;
mod completion;
mod coverage;
mod expectation;
mod expected_path;
mod file;
mod generate;
mod located;
mod path_pattern;
mod reader;
mod record;
mod routing;
mod run;
mod scenario;
pub mod schema;
mod subject;
#[cfg(test)]
mod tests;
mod trace;
mod verdict;
mod ways;

pub use check::{check, check_cassettes};
pub use completion::{Completion, CompletionItem, CompletionKind, complete};
pub use coverage::{Coverage, EdgeCoverage, GraphCoverage, NodeCoverage};
pub use expectation::{End, Expectation, PathItem};
pub use file::{ENDING, ScenarioFile, pipeline_paths, scenario_path};
pub use generate::{
    Generated, GeneratedScenario, Uncovered, generate, write, write_missing, write_one,
};
pub use located::Located;
pub use reader::RULE;
pub use record::{NotRecorded, record};
pub use run::{OpenCassette, ScenarioResult, run_all};
pub use scenario::{Scenario, ScenarioOutcome};
pub use subject::Subject;
pub use trace::{Crossing, Step, Trace};
pub use verdict::Failure;
pub use ways::{DryRunInputs, Way, outcome_json, ways};
