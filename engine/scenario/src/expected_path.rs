//! Neighbours of an expected path that no edge and no jump connects.
//!
//! Silent where the order of nodes does not follow from edges: in parallel branches, in sub-pipelines, after an outcome
//! that names the next node, and at targets of retries.

use std::collections::BTreeSet;

use attractor_model::NodeWork;
use attractor_model::analysis::{Jump, Paths};
use attractor_model::{NodeIx, NodeKind, Pipeline};

use crate::expectation::PathItem;
use crate::located::Located;
use crate::reader::{Reader, first_names};
use crate::scenario::Scenario;

/// Reports each node of the expected path that cannot follow the one before it.
pub(crate) fn check(reader: &mut Reader, scenario: &Scenario, pipelines: &[&Pipeline]) {
    let (Some(path), Some((pipeline, called))) = (&scenario.expect.path, pipelines.split_first())
    else {
        return;
    };
    let paths = Paths::of(pipeline);
    let unordered = unordered(pipeline, &paths);
    let targets = retry_targets(pipeline, &paths);
    let jumping: BTreeSet<&str> = scenario
        .outcomes
        .iter()
        .filter(|(_, outcomes)| outcomes.iter().any(|one| one.outcome.next_node.is_some()))
        .map(|(node, _)| node.value.as_str())
        .collect();
    let in_order = |id: &str| {
        let ix = pipeline.by_id(id)?;
        let is_called = called.iter().any(|one| one.by_id(id).is_some());
        (!is_called && !unordered.contains(&ix)).then_some(ix)
    };
    for pair in path.value.windows(2) {
        let [PathItem::Node(from, _), PathItem::Node(to, range)] = pair else {
            continue;
        };
        let (Some(from_ix), Some(to_ix)) = (in_order(from), in_order(to)) else {
            continue;
        };
        let jumps = paths.jumps(from_ix).iter();
        let follows = pipeline.successors(from_ix).any(|next| next == to_ix)
            || jumps
                .map(|(target, _)| *target)
                .any(|target| target == to_ix)
            || targets.contains(&to_ix)
            || jumping.contains(from.as_str());
        if follows {
            continue;
        }
        let next: Vec<&str> = pipeline
            .successors(from_ix)
            .map(|ix| pipeline.id(ix))
            .collect();
        let problem = format!("no edge leads from `{from}` to `{to}`");
        let message = if next.is_empty() {
            format!("{problem}; `{from}` has no outgoing edge")
        } else {
            format!(
                "{problem}; expected {} or \"…\" after `{from}`",
                first_names(&next)
            )
        };
        let value = to.clone();
        reader.warn(
            &Located {
                value,
                range: *range,
            },
            message,
            None,
        );
    }
}

/// Nodes whose place in a path does not follow from edges: parallel nodes and their branches, and nodes that run other
/// pipelines.
fn unordered(pipeline: &Pipeline, paths: &Paths) -> BTreeSet<NodeIx> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<NodeIx> = Vec::new();
    for (ix, node) in pipeline.indexed_nodes() {
        match node.kind.work() {
            NodeWork::Branches => pending.push(ix),
            NodeWork::SubPipeline => {
                found.insert(ix);
            }
            _ => {}
        }
    }
    while let Some(ix) = pending.pop() {
        if !found.insert(ix)
            || pipeline
                .node(ix)
                .is_some_and(|node| node.kind == NodeKind::FanIn)
        {
            continue;
        }
        pending.extend(pipeline.successors(ix));
        let jumps = paths.jumps(ix).iter();
        let branches = jumps.filter(|(_, jump)| *jump == Jump::Branch);
        pending.extend(branches.map(|(target, _)| *target));
    }
    found
}

/// Nodes that a failure may lead to without an edge.
fn retry_targets(pipeline: &Pipeline, paths: &Paths) -> BTreeSet<NodeIx> {
    let of_graph = ["retry_target", "fallback_retry_target"]
        .iter()
        .filter_map(|name| pipeline.by_id(pipeline.attributes.get(name)?.value().trim()));
    let nodes = pipeline.indexed_nodes();
    let of_nodes = nodes.flat_map(|(ix, _)| paths.jumps(ix).iter().map(|(target, _)| *target));
    of_graph.chain(of_nodes).collect()
}
