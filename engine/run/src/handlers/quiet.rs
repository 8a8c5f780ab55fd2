//! Nodes without work of their own: start, exit, conditional, checkpoint.
//!
//! A conditional passes on the result of the node before it, so that its edges route on that.

use attractor_machine::outcome::{FailureClass, Outcome, Status};
use attractor_model::NodeKind;

use super::{Prepared, Work};

pub(super) fn prepare(work: Work<'_>) -> Prepared {
    let mut outcome = Outcome::success();
    if work.node_ref.node.kind == NodeKind::Conditional {
        if let Some(word) = work.view.text("outcome") {
            outcome.status = Status::parse(&word);
        }
        outcome.preferred_label = work.view.text("preferred_label");
        if outcome.status.is_failure() {
            // The result is another node's, and that node has had its retries.
            outcome.status = Status::Fail;
            outcome.failure_class = Some(FailureClass::Canceled);
            outcome.failure_reason = work.view.text("failure_reason");
        }
    }
    Prepared::ready(outcome)
}
