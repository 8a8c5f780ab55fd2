//! The workflow block at the head of a prompt, from how far the run is.

use std::collections::BTreeMap;

use attractor_machine::context::text;
use attractor_model::NodeKind;
use attractor_model::workflow_block::{Progress, Visit, fits, is_wanted, workflow_block};

use super::work::Work;

/// Whether the prompt of a node begins with the block.
fn has_block(work: Work<'_>) -> bool {
    is_wanted(work.node_ref.pipeline) && work.node_ref.node.kind == NodeKind::Codergen
}

/// Whether the block shows the whole hint of a node, so that the prompt need not repeat it.
pub(super) fn shows_hint(work: Work<'_>, hint: &str) -> bool {
    has_block(work) && fits(hint)
}

/// The prompt after the workflow block, where the pipeline wants one; the block names the action of the node.
pub(super) fn with_workflow(work: Work<'_>, action: String, prompt: String) -> String {
    let pipeline = work.node_ref.pipeline;
    if !has_block(work) {
        return prompt;
    }
    let frame = work.frame;
    let is_here = |branch: Option<&str>| branch.is_none() || branch == frame.branch.as_deref();
    let left = work
        .latest
        .iter()
        .filter(|left| left.graph == frame.graph && is_here(left.branch.as_deref()));
    let path: Vec<Visit> = left
        .map(|left| Visit {
            node: left.node.clone(),
            failed: left.failed,
            reason: left.reason.clone(),
        })
        .collect();
    let start = pipeline.start.map(|start| pipeline.id(start));
    let progress = Progress {
        // A run that began elsewhere has no visit of its start node either; the dots are right there too.
        is_cut: !path.is_empty() && path.iter().all(|visit| Some(&*visit.node) != start),
        path,
        attempt: frame.attempt,
        task: work.view.text("task"),
        action: Some(action),
        hint: work.text("user_instructions"),
        reasons: reasons(work),
    };
    let block = workflow_block(pipeline, work.node_ref.ix, &progress);
    format!("{block}\n{prompt}")
}

/// The reasons of the escalations that may follow, as they would read now.
fn reasons(work: Work<'_>) -> BTreeMap<String, String> {
    let pipeline = work.node_ref.pipeline;
    let edges = pipeline.outgoing(work.node_ref.ix).iter();
    let targets = edges.filter_map(|edge| pipeline.node(pipeline.edge(*edge)?.to));
    targets
        .filter(|target| target.kind == NodeKind::Escalate)
        .filter_map(|target| {
            let reason = target.attributes.text("reason")?;
            Some((target.id.to_string(), text::plain(work.view, reason)))
        })
        .collect()
}
