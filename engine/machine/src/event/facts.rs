//! What readers ask of any event: its name, whether the run ends with it, where it comes from.

use super::{EventKind, Workflow};

impl EventKind {
    /// Its name on the wire.
    pub fn name(&self) -> Option<String> {
        let value = serde_json::to_value(self).ok()?;
        Some(value.get("type")?.as_str()?.to_owned())
    }

    /// The name this event has in graph workflows.
    pub fn workflow(&self) -> Option<Workflow> {
        Some(match self {
            Self::PipelineStarted { .. } => Workflow::PlanActivated,
            Self::StageStarted { .. } => Workflow::NodeEntered,
            Self::Verification { .. } => Workflow::NodeVerified,
            Self::StageRetrying { .. } => Workflow::RetryTriggered,
            Self::EdgeSelected { .. } => Workflow::EdgeFollowed,
            Self::PipelineCompleted { .. } => Workflow::PlanCompleted,
            Self::Escalated { .. } => Workflow::PlanEscalated,
            Self::Expired { .. } => Workflow::PlanExpired,
            _ => return None,
        })
    }

    /// Whether it follows from other events and from output rather than from an input of the run.
    pub fn is_from_driver(&self) -> bool {
        matches!(
            self,
            Self::StageOutput { .. }
                | Self::AgentToolCallStart { .. }
                | Self::AgentToolCallEnd { .. }
                | Self::AgentToolHook { .. }
                | Self::AgentModelCall { .. }
                | Self::AgentNotice { .. }
                | Self::AgentPlan { .. }
                | Self::AgentProgress { .. }
                | Self::StatusReport { .. }
        )
    }

    /// Whether the run ends with this event.
    pub fn is_end(&self) -> bool {
        matches!(
            self,
            Self::PipelineCompleted { .. }
                | Self::PipelineFailed { .. }
                | Self::PipelineCancelled { .. }
                | Self::PipelineInterrupted { .. }
                | Self::Escalated { ends: true, .. }
        )
    }

    /// Whether it is about a simulated answer.
    pub fn is_simulated(&self) -> bool {
        match self {
            Self::StageCompleted { model, .. } | Self::StageFailed { model, .. } => model
                .as_ref()
                .is_some_and(|model| model.simulated.is_some()),
            _ => false,
        }
    }
}
