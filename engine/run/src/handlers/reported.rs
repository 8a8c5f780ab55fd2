//! What a model or the output of a command may decide about its run.
//!
//! It says how the node went, suggests where to continue and sets keys of its own. It does not take a way that no edge
//! makes, and does not set what people, the engine and other nodes say: a gate could be left out or answered so. Handlers
//! of the configuration and of the library decide more; they are programs that a person has approved.

use std::collections::BTreeSet;

use attractor_machine::event::Stream;
use attractor_machine::outcome::Outcome;
use attractor_model::Pipeline;
use attractor_model::catalogue::{NodeKind, Setter, context_key};
use serde_json::Value;

use super::{HandlerEnv, Work, status};

/// Families of keys that are set by the engine, its handlers and people.
const FAMILIES: [&str; 9] = [
    "graph", "human", "internal", "node", "output", "parallel", "response", "stack", "tool",
];

/// Who reports.
pub(super) struct Reporter {
    /// Results of branches, which stand behind their names.
    branches: BTreeSet<String>,
    /// Whether a person may set `approved`.
    has_gate: bool,
    /// What its own kind of node sets, it may change.
    kind: NodeKind,
}

impl Reporter {
    pub(super) fn of(work: Work<'_>) -> Self {
        let pipeline = work.node_ref.pipeline;
        let mut branches = branches(pipeline);
        branches.remove(work.frame.node.as_str());
        Self {
            kind: work.node_ref.node.kind,
            branches,
            has_gate: pipeline
                .indexed_nodes()
                .any(|(_, node)| node.kind == NodeKind::HumanGate),
        }
    }

    /// Puts what was reported into an outcome, and notes what of it does not count.
    pub(super) fn apply(&self, reported: &Value, outcome: &mut Outcome, env: &HandlerEnv) {
        let (before, deletes) = (
            outcome.context_updates.clone(),
            outcome.context_deletes.clone(),
        );
        status::apply(reported, outcome);
        if let Some(next) = outcome.next_node.take() {
            outcome.suggested_next_ids.insert(0, next);
        }
        let mut refused = BTreeSet::new();
        outcome.context_updates.retain(|key, value| {
            let is_kept = before.get(key) == Some(value) || !self.is_owned(key);
            if !is_kept {
                refused.insert(key.clone());
            }
            is_kept
        });
        // What the handler itself has set stays.
        for (key, value) in before {
            outcome.context_updates.entry(key).or_insert(value);
        }
        outcome.context_deletes.retain(|key| {
            let is_kept = deletes.contains(key) || !self.is_owned(key);
            if !is_kept {
                refused.insert(key.clone());
            }
            is_kept
        });
        for key in refused {
            let note = format!("ignored: only the engine sets `{key}`, not what a node reports\n");
            env.output.write(Stream::Note, note.as_bytes());
        }
    }

    /// Whether others than the node set a key.
    fn is_owned(&self, key: &str) -> bool {
        let key = key.strip_prefix("context.").unwrap_or(key);
        if key == "approved" {
            return self.has_gate;
        }
        if let Some(row) = context_key(key) {
            return !matches!(row.setter, Setter::Kinds(kinds) if kinds.contains(&self.kind));
        }
        let family = key.split_once('.').map(|(family, _)| family);
        let is_taken = |family| FAMILIES.contains(&family) || self.branches.contains(family);
        key.starts_with('_') || family.is_some_and(is_taken)
    }
}

/// The names of all branches.
fn branches(pipeline: &Pipeline) -> BTreeSet<String> {
    let parallel = pipeline
        .indexed_nodes()
        .filter(|(_, node)| node.kind == NodeKind::Parallel);
    let edges = parallel.flat_map(|(ix, _)| pipeline.outgoing(ix).iter());
    let edges = edges.filter_map(|edge| pipeline.edge(*edge));
    edges
        .flat_map(|edge| {
            let target = pipeline.id(edge.to).to_owned();
            std::iter::once(target).chain(edge.label().map(str::to_owned))
        })
        .collect()
}
