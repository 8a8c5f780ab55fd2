//! What the outcome of a node leaves in the context.

use attractor_model::NodeKind;

use super::{Frame, Transition, failure_of};
use crate::outcome::{Failure, Outcome};
use crate::plan::NodeRef;
use crate::transition::reasons;

impl Transition<'_> {
    /// Writes an outcome to the context.
    pub(super) fn merge(&mut self, frame: &Frame, node_ref: NodeRef<'_>, outcome: &Outcome) {
        let scope = frame.scope;
        let node = &frame.node;
        let contexts = &mut self.state.contexts;
        for (key, value) in &outcome.context_updates {
            contexts.set(scope, format!("node.{node}.{key}"), value.clone());
            contexts.set(scope, key.as_str(), value.clone());
        }
        for key in &outcome.context_deletes {
            contexts.unset(scope, key);
            contexts.unset(scope, &format!("node.{node}.{key}"));
        }
        // The end of a loop gives out its verdict, which is for the machine alone.
        if !outcome.output.is_null() && node_ref.node.kind != NodeKind::Loop {
            contexts.set(scope, format!("output.{node}"), outcome.output.clone());
        }
        contexts.set(scope, "outcome", outcome.status.name());
        contexts.set(scope, format!("node.{node}.outcome"), outcome.status.name());
        contexts.set(scope, "last_stage", node.as_str());
        match &outcome.preferred_label {
            Some(label) => contexts.set(scope, "preferred_label", label.as_str()),
            None => contexts.unset(scope, "preferred_label"),
        }
        if outcome.status.is_failure() {
            self.note_failure(scope, &failure_of(node, outcome));
        } else {
            for key in ["failure_class", "failure_reason", "failure_signature"] {
                contexts.unset(scope, key);
            }
        }
    }

    /// Writes to the context what failed and why.
    pub(super) fn note_failure(&mut self, scope: u32, failure: &Failure) {
        let contexts = &mut self.state.contexts;
        contexts.set(scope, "failure_class", failure.class.as_str());
        contexts.set(scope, "failure_signature", reasons::signature(failure));
        contexts.set(scope, "_last_error", failure.reason.as_str());
        contexts.set(scope, "failure_reason", failure.reason.as_str());
        if let Some(node) = &failure.node {
            contexts.set(scope, "_failed_node", node.as_str());
        }
    }
}
