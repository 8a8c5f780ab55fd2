//! Where an event happened: its node, and the sub-pipeline of the node.

use super::{EventKind, NodeAttempt};

/// The attempt of the node that an event belongs to, borrowed as the event is.
macro_rules! node_attempt {
    ($event:expr) => {
        match $event {
            EventKind::PipelineForked { at, .. }
            | EventKind::StageStarted { at, .. }
            | EventKind::StageRerun { at }
            | EventKind::StageStopped { at, .. }
            | EventKind::StageCompleted { at, .. }
            | EventKind::StageFailed { at, .. }
            | EventKind::StageRetrying { at, .. }
            | EventKind::StageOutput { at, .. }
            | EventKind::AgentToolCallStart { at, .. }
            | EventKind::AgentToolHook { at, .. }
            | EventKind::AgentModelCall { at, .. }
            | EventKind::AgentNotice { at, .. }
            | EventKind::AgentPlan { at, .. }
            | EventKind::AgentProgress { at, .. }
            | EventKind::AgentToolCallEnd { at, .. }
            | EventKind::Verification { at, .. }
            | EventKind::ParallelStarted { at, .. }
            | EventKind::ParallelBranchStarted { at, .. }
            | EventKind::ParallelBranchCompleted { at, .. }
            | EventKind::ParallelCompleted { at, .. }
            | EventKind::FilesMerged { at, .. }
            | EventKind::InterviewStarted { at, .. }
            | EventKind::InterviewCompleted { at, .. }
            | EventKind::InterviewTimeout { at, .. }
            | EventKind::InterviewWithdrawn { at, .. }
            | EventKind::SteeringInjected { at: Some(at), .. }
            | EventKind::SteeringDeferred { at, .. }
            | EventKind::CheckpointSaved { at, .. }
            | EventKind::ChildStarted { at, .. }
            | EventKind::ChildCompleted { at, .. }
            | EventKind::ChildObserved { at, .. }
            | EventKind::Escalated { at, .. } => Some(at),
            EventKind::PipelineStarted { .. }
            | EventKind::PipelineCompleted { .. }
            | EventKind::PipelineFailed { .. }
            | EventKind::PipelineCancelled { .. }
            | EventKind::PipelineInterrupted { .. }
            | EventKind::PipelineResumed { .. }
            | EventKind::PipelinePaused { .. }
            | EventKind::PipelineContinued { .. }
            | EventKind::PausePointsSet { .. }
            | EventKind::ContextOverridden { .. }
            | EventKind::EdgeSelected { .. }
            | EventKind::GoalGateUnmet { .. }
            | EventKind::ValidationWarning { .. }
            | EventKind::BudgetWarning { .. }
            | EventKind::StatusReport { .. }
            | EventKind::SteeringInjected { at: None, .. }
            | EventKind::Expired { .. } => None,
        }
    };
}

impl EventKind {
    /// Where it happened, for events that belong to a node.
    pub fn node_attempt(&self) -> Option<&NodeAttempt> {
        node_attempt!(self)
    }

    /// The sub-pipeline it happened in, and the branch of the call.
    pub(crate) fn sub_pipeline(&self) -> Option<(&str, Option<&str>)> {
        let (graph, branch) = match self {
            Self::EdgeSelected { graph, branch, .. } => (graph, branch),
            other => {
                let at = other.node_attempt()?;
                (&at.graph, &at.branch)
            }
        };
        Some((graph.as_deref()?, branch.as_deref()))
    }

    /// The same event as one of the sub-pipeline's own run.
    pub(crate) fn in_sub_pipeline(&self) -> Self {
        let mut own = self.clone();
        if let Self::EdgeSelected { graph, .. } = &mut own {
            *graph = None;
        } else if let Some(at) = node_attempt!(&mut own) {
            at.graph = None;
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_a_sub_pipeline_are_its_own_in_its_run() {
        let at = NodeAttempt {
            graph: Some("child".to_owned()),
            ..NodeAttempt::default()
        };
        let steered = EventKind::SteeringInjected {
            to: "child/a".to_owned(),
            message: "stop".to_owned(),
            by: "ada".to_owned(),
            at: Some(at.clone()),
        };
        for event in [steered, EventKind::StageRerun { at }] {
            assert_eq!(event.sub_pipeline(), Some(("child", None)));
            assert_eq!(event.in_sub_pipeline().sub_pipeline(), None);
        }
    }
}
