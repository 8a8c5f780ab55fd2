//! A status report: where a run is, what it did last, and what it waits for.
//!
//! `runs show`, the editor and the event of an escalation show the same report. Its field names are those of the
//! traversal state of graph workflows. What it says comes from [`crate::snapshot::RunSnapshot::status_report_at`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use attractor_model::{NodeState, RunState};

/// Where a run is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct StatusReport {
    /// The name of the pipeline.
    pub plan_id: String,
    /// Its label, else its name.
    pub plan_name: String,
    /// The run's id.
    pub run: String,
    /// Always `graph`: steps in a line are a graph too.
    pub mode: String,
    /// Whether it runs, waits or has ended.
    #[cfg_attr(test, schemars(schema_with = "crate::report::schemas::run_state"))]
    pub state: RunState,
    /// The node that was entered last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_node: Option<String>,
    /// The nodes that were entered, by id; those of sub-pipelines as `GRAPH/NODE`.
    pub visited: BTreeMap<String, VisitedNode>,
    /// The nodes in the order in which they were entered: the last hundred.
    pub path: Vec<String>,
    /// How many nodes the pipeline has.
    pub total_nodes: u32,
    /// How many different ones are done.
    pub completed_nodes: u32,
    /// When the run began, RFC 3339.
    pub started_at: String,
    /// The level of the last escalation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace_level: Option<String>,
    /// When the run last went from one node to another, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_transition_at: Option<String>,
    /// Milliseconds from then to the report.
    pub since_transition_ms: u64,
    /// Model turns since then; an attempt with a simulated model is one.
    pub turns_since_transition: u32,
    /// After how many of them the run expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_after_turns: Option<u32>,
    /// What happened last, the newest at the end: at most five events.
    pub events: Vec<RecentEvent>,
    /// What people are asked.
    pub asked: Vec<OpenQuestion>,
}

/// How a node went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct VisitedNode {
    /// How its last attempt ended, or that it is under way.
    #[cfg_attr(test, schemars(schema_with = "crate::report::schemas::node_state"))]
    pub outcome: NodeState,
    /// Attempts over all visits.
    pub attempts: u32,
}

/// One of the last events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct RecentEvent {
    /// Its number.
    pub seq: u64,
    /// When, RFC 3339.
    pub time: String,
    /// Its name in graph workflows, else its own.
    #[serde(rename = "type")]
    pub name: String,
    /// The node it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Where the run goes next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A question that is open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct OpenQuestion {
    /// Its id, for an answer.
    pub id: String,
    /// The node that asks.
    pub node: String,
    /// The question.
    pub text: String,
    /// Who is to answer; empty for anyone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewers: Vec<String>,
}
