//! The pipelines and nodes that a run may reach, in the order in which they are read: nodes as they can be reached from
//! the start, then the rest as written. A run may begin anywhere (`--from`), so none is left out.

use std::collections::VecDeque;

use attractor_model::NodeWork;
use attractor_model::analysis::Paths;
use attractor_model::{NodeIx, NodeKind, Pipeline};

use crate::plan::{NodeRef, Plan};

/// Every node of `pipeline`.
pub fn node_refs(pipeline: &Pipeline) -> Vec<NodeRef<'_>> {
    let mut seen = vec![false; pipeline.nodes.len()];
    let mut node_refs = Vec::with_capacity(pipeline.nodes.len());
    let everywhere = pipeline.indexed_nodes().map(|(ix, _)| ix);
    for first in pipeline.start.into_iter().chain(everywhere) {
        let mut open: VecDeque<NodeIx> = VecDeque::from([first]);
        while let Some(ix) = open.pop_front() {
            let (Some(seen), Some(node)) = (seen.get_mut(ix.index()), pipeline.node(ix)) else {
                continue;
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            node_refs.push(NodeRef { pipeline, ix, node });
            open.extend(pipeline.successors(ix));
        }
    }
    node_refs
}

/// The pipelines that may be reached, the started one first.
pub fn reachable(plan: &Plan) -> Vec<&Pipeline> {
    reachable_from(plan, plan.root())
}

fn reachable_from<'p>(plan: &'p Plan, first: &'p Pipeline) -> Vec<&'p Pipeline> {
    let mut found: Vec<&Pipeline> = vec![first];
    let mut looked_at = 0;
    while let Some(pipeline) = found.get(looked_at).copied() {
        looked_at += 1;
        for node_ref in node_refs(pipeline) {
            let called = node_ref.called().and_then(|name| plan.called(name));
            let is_new =
                |called: &&Pipeline| !found.iter().any(|known| std::ptr::eq(*known, *called));
            found.extend(called.filter(is_new));
        }
    }
    found
}

/// The nodes that a run can still enter which is at nodes of the started pipeline.
pub fn ahead<'p>(plan: &'p Plan, from: &[&str]) -> Vec<NodeRef<'p>> {
    let root = plan.root();
    let paths = Paths::of(root);
    let targets = ["retry_target", "fallback_retry_target"].map(|name| {
        let target = root.attributes.get(name)?;
        root.by_id(target.value().trim())
    });
    let begun = from.iter().filter_map(|id| root.by_id(id));
    let mut open: Vec<NodeIx> = begun.chain(targets.into_iter().flatten()).collect();
    let mut seen = vec![false; root.nodes.len()];
    let mut found = Vec::new();
    while let Some(ix) = open.pop() {
        let (Some(seen), Some(node)) = (seen.get_mut(ix.index()), root.node(ix)) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        let pipeline = root;
        found.push(NodeRef { pipeline, ix, node });
        open.extend(root.successors(ix));
        open.extend(paths.jumps(ix).iter().map(|(target, _)| *target));
    }
    let called = found.iter().filter_map(|one| plan.called(one.called()?));
    let mut inner: Vec<&Pipeline> = Vec::new();
    for pipeline in called.flat_map(|called| reachable_from(plan, called)) {
        if !inner.iter().any(|known| std::ptr::eq(*known, pipeline)) {
            inner.push(pipeline);
        }
    }
    found.extend(inner.into_iter().flat_map(node_refs));
    found
}

/// Whether a node asks a model. A fan-in does when it has a prompt.
pub fn calls_model(node_ref: &NodeRef<'_>) -> bool {
    let ranks = node_ref.node.kind == NodeKind::FanIn && node_ref.written("prompt").is_some();
    ranks || node_ref.work() == NodeWork::Model
}
