//! Where a run pauses by itself, and why it is paused: breakpoints, steps, requests of people.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::frame::FrameId;

/// Where a run pauses by itself. Looking a node or an edge up costs the same however many points there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PausePoints {
    /// Before the first node that is entered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub entry: bool,
    /// Before nodes, by [`node_point`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<String, PointCondition>,
    /// When edges are taken, by [`edge_point`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub edges: BTreeMap<String, PointCondition>,
    /// When an outcome sets one of these keys of the context.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub keys: BTreeSet<String>,
    /// When a node fails.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub failures: BTreeSet<FailurePoint>,
}

/// What has to hold for a pause at a point.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PointCondition {
    /// A condition over the context (language reference, "Conditions").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Which visits of the node pause; for an edge, of the node that it leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<Visits>,
}

/// Which visits of a node are meant. They count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Visits {
    /// This one alone.
    Exactly(u32),
    /// This one and all after it.
    AtLeast(u32),
    /// Every so many.
    Every(u32),
}

/// Failures that pause a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailurePoint {
    /// A node has failed, and the run continues from it.
    Failed,
    /// An attempt has failed, and the node is tried again.
    Retry,
}

/// How far a paused run continues before it pauses again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepFrom {
    /// The frame that is observed.
    pub frame: FrameId,
    /// Where the step ends.
    pub depth: StepDepth,
}

/// Where a step ends. Each also ends where the frame that called the observed one continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepDepth {
    /// Before the next node of the frame.
    Over,
    /// Before the next node of the frame, or of a branch or sub-pipeline that it opens.
    Into,
    /// Before the next node of the frame that called it.
    Out,
}

/// Why a run is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
// Exhaustive: each client words every reason.
pub enum PauseReason {
    /// A user asked for it.
    Request,
    /// It has just begun.
    Entry,
    /// A step has ended.
    Step,
    /// A breakpoint of a node.
    Node,
    /// A breakpoint of an edge.
    Edge,
    /// A key of the context was set.
    Key,
    /// A node has failed.
    Failure,
    /// An attempt has failed, and the node is tried again.
    Retry,
}

/// The point of a node: `NODE`, or `GRAPH/NODE` in a sub-pipeline, whichever branch has called it.
pub fn node_point(graph: Option<&str>, node: &str) -> String {
    match graph {
        Some(graph) => format!("{graph}/{node}"),
        None => node.to_owned(),
    }
}

/// The point of an edge. Edges between the same nodes differ by label and condition.
pub fn edge_point(
    graph: Option<&str>,
    (from, to): (&str, &str),
    label: Option<&str>,
    condition: Option<&str>,
) -> String {
    let from = node_point(graph, from);
    let (label, condition) = (label.unwrap_or_default(), condition.unwrap_or_default());
    format!("{from}->{to}#{label}#{condition}")
}

impl PausePoints {
    /// How many points there are.
    pub fn count(&self) -> usize {
        let sets = [
            self.nodes.len(),
            self.edges.len(),
            self.keys.len(),
            self.failures.len(),
        ];
        sets.iter().sum::<usize>() + usize::from(self.entry)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count() == 0
    }
}

impl Visits {
    /// Whether the `visit`-th one is among them.
    pub fn contains(self, visit: u32) -> bool {
        match self {
            Self::Exactly(count) => visit == count,
            Self::AtLeast(count) => visit >= count,
            Self::Every(count) => count > 0 && visit.is_multiple_of(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_are_counted_from_one() {
        let paused = |visits: Visits| {
            (1..=6)
                .filter(|visit| visits.contains(*visit))
                .collect::<Vec<u32>>()
        };
        assert_eq!(paused(Visits::Exactly(3)), [3]);
        assert_eq!(paused(Visits::AtLeast(4)), [4, 5, 6]);
        assert_eq!(paused(Visits::Every(2)), [2, 4, 6]);
        assert!(paused(Visits::Every(0)).is_empty());
    }

    #[test]
    fn edges_between_the_same_nodes_differ() {
        let point = |label| edge_point(Some("fix"), ("a", "b"), label, None);
        assert_eq!(point(None), "fix/a->b##");
        assert_ne!(point(None), point(Some("Retry")));
    }
}
