//! Whether resuming a run can help.

use attractor_model::{NodeState, Reality, RunState};

use crate::outcome::FailureClass;
use crate::snapshot::RunSnapshot;

impl RunSnapshot {
    /// Whether a resumed run can come further. Readers offer to resume only such a run.
    pub fn can_resume(&self) -> bool {
        match self.state {
            // It is not stored.
            _ if self.reality == Reality::Dry => false,
            RunState::Interrupted | RunState::Cancelled => true,
            RunState::Fail => !self.ended_by_limit(),
            _ => false,
        }
    }

    /// Whether a limit of the run ended it (steps, visits, time, tokens, cost), which a resumed run meets again at once.
    /// A node whose own limit was reached has failed; the node that was not entered any more has not.
    pub fn ended_by_limit(&self) -> bool {
        let Some(failure) = &self.failure else {
            return false;
        };
        let node = failure.node.as_ref().and_then(|node| self.nodes.get(node));
        failure.class == FailureClass::BudgetExhausted
            && node.is_none_or(|node| node.state != NodeState::Fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node_snapshot::NodeSnapshot;
    use crate::outcome::Failure;

    fn failed(class: FailureClass, state: NodeState) -> RunSnapshot {
        let mut snapshot = RunSnapshot {
            state: RunState::Fail,
            failure: Some(Failure {
                node: Some("fix".to_owned()),
                reason: "visit limit of `fix` reached (`max_visits` = 3)".to_owned(),
                class,
            }),
            ..RunSnapshot::default()
        };
        snapshot
            .nodes
            .insert("fix".to_owned(), NodeSnapshot::default());
        snapshot.nodes["fix"].state = state;
        snapshot
    }

    #[test]
    fn a_limit_of_the_run_is_met_again_at_once() {
        let limit = FailureClass::BudgetExhausted;
        assert!(!failed(limit, NodeState::Success).can_resume());
        assert!(failed(limit, NodeState::Fail).can_resume());
        assert!(failed(FailureClass::Deterministic, NodeState::Fail).can_resume());
        assert!(!RunSnapshot::default().can_resume());
    }
}
