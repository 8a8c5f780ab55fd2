//! Whether a limit of the run ended it, and whether resuming it can help.

use attractor_model::{NodeState, Reality, RunState};

use crate::outcome::{Failure, FailureClass, StopPlace};
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

impl RunSnapshot {
    /// In older journals, a limit of the run has the node that succeeded last as the one that failed.
    pub(crate) fn placed(&self, mut failure: Failure) -> Failure {
        let node = failure.node.as_ref().and_then(|node| self.nodes.get(node));
        let has_succeeded = node.is_some_and(|node| node.state == NodeState::Success);
        if failure.class == FailureClass::BudgetExhausted && has_succeeded {
            failure.stopped = failure.node.take().map(StopPlace::After);
        }
        failure
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::NodeSnapshot;

    fn failed(class: FailureClass, state: NodeState) -> RunSnapshot {
        let mut snapshot = RunSnapshot {
            state: RunState::Fail,
            failure: Some(Failure {
                node: Some("fix".to_owned()),
                stopped: None,
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
    fn a_failure_says_where() {
        let limit = FailureClass::BudgetExhausted;
        let said = |state| {
            let snapshot = failed(limit, state);
            let failure = snapshot.failure.clone().unwrap();
            snapshot.placed(failure).to_string()
        };
        let reason = "visit limit of `fix` reached (`max_visits` = 3)";
        assert_eq!(said(NodeState::Fail), format!("fix: {reason}"));
        assert_eq!(
            said(NodeState::Success),
            format!("stopped after fix: {reason}")
        );
        let before = StopPlace::Before("fix".to_owned());
        let failure = Failure::at_limit(Some(before), "step limit reached".to_owned());
        assert_eq!(
            failure.to_string(),
            "stopped before fix: step limit reached"
        );
        let written = serde_json::to_value(&failure).unwrap();
        assert_eq!(written["stopped"], serde_json::json!({ "before": "fix" }));
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
