//! What `attractor.test` takes and answers: the scenarios of a pipeline, their failures and what they cover.

use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};

/// What `attractor.test` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestArgs {
    /// A scenario file, or a pipeline that has one next to it.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The scenarios to run; without it, all.
    #[serde(default)]
    pub names: Option<Vec<String>>,
    /// Whether to list the scenarios instead of running them.
    #[serde(default)]
    pub list: Option<bool>,
    /// Whether to write a scenario file that covers every edge, where there is none, and to list what it has.
    #[serde(default)]
    pub init: Option<bool>,
}

/// What `attractor.test` answers.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestResult {
    /// The scenario file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub uri: Option<Uri>,
    /// The pipeline; missing when there is none for the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub pipeline: Option<Uri>,
    /// Why the scenarios cannot run; ranges are of the scenario file.
    pub problems: Vec<TestProblem>,
    /// The scenarios, in the order of the file.
    pub scenarios: Vec<TestScenario>,
    /// What they cover; missing when nothing ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<TestCoverage>,
}

/// A problem of [`TestResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestProblem {
    /// What is wrong.
    pub message: String,
    /// Where.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
}

/// A scenario of [`TestResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestScenario {
    /// Its name.
    pub name: String,
    /// Where it is in the scenario file.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// Whether it passed; missing when it did not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    /// Expectations that are not met.
    pub failures: Vec<TestFailure>,
}

/// An expectation that is not met.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestFailure {
    /// What is wrong.
    pub message: String,
    /// What was expected; a path has a node per line.
    pub expected: String,
    /// What happened, in the same form.
    pub actual: String,
    /// Why the run did that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The expectation in the scenario file.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
}

/// The coverage of a pipeline file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestCoverage {
    /// Its edges.
    pub edges: Vec<CoveredEdge>,
    /// Its nodes.
    pub nodes: Vec<CoveredNode>,
}

/// How often an edge was taken.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CoveredEdge {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Where it is in the pipeline file.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// How often it was taken.
    pub taken: u64,
}

/// How often a node was entered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CoveredNode {
    /// The node.
    pub id: String,
    /// Where it is declared.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// How often it was entered.
    pub visits: u64,
}
