//! The events of a session as those of a run. Each kind is decided on: nothing that an agent reports gets lost unseen.

use attractor_agent::AgentEventKind;
use attractor_run::{AgentActivity, AgentModelCall, AgentNotice, Progress};

use crate::native::response::usage_of;

/// What an event of the session is in the run; none for what the run shows by other events. What was used is counted.
pub(super) fn of(kind: AgentEventKind, progress: &dyn Progress) -> Option<AgentActivity> {
    let notice = |notice: AgentNotice| AgentActivity::Notice(Box::new(notice));
    Some(match kind {
        AgentEventKind::ToolCallStart(call) => AgentActivity::ToolCallStart(call),
        AgentEventKind::ToolCallEnd {
            call,
            full_output: _,
        } => AgentActivity::ToolCallEnd(call),
        AgentEventKind::ToolHook(report) => AgentActivity::ToolHook(Box::new(report)),
        AgentEventKind::PlanUpdated(plan) => AgentActivity::Plan(plan),
        AgentEventKind::Progress(progress) => AgentActivity::Progress(progress),
        AgentEventKind::ModelUsage {
            provider,
            model,
            usage,
            cost,
            duration_ms,
            finish_reason,
        } => {
            let usage = usage_of(&usage, cost);
            progress.used(&usage);
            AgentActivity::ModelCall(Box::new(AgentModelCall {
                provider,
                model,
                usage,
                duration_ms,
                finish_reason,
            }))
        }
        AgentEventKind::LoopDetection { warning } => notice(AgentNotice::LoopDetection { warning }),
        AgentEventKind::TurnLimit { turns, limit } => {
            notice(AgentNotice::TurnLimit { turns, limit })
        }
        AgentEventKind::Compacted {
            messages_before,
            messages_after,
            tokens_before,
            tokens_after,
        } => notice(AgentNotice::Compacted {
            messages_before: u64::try_from(messages_before).unwrap_or(u64::MAX),
            messages_after: u64::try_from(messages_after).unwrap_or(u64::MAX),
            tokens_before,
            tokens_after,
        }),
        AgentEventKind::Warning { message } => notice(AgentNotice::Warning { message }),
        AgentEventKind::FilesChanged {
            tool_call_id,
            paths,
        } => notice(AgentNotice::FilesChanged {
            tool_call_id,
            paths,
        }),
        AgentEventKind::Error { error, phase } => notice(AgentNotice::Error { error, phase }),
        // The output of the stage has its text, the end of a tool call its output, the start of the stage its input, and
        // the end of the stage how the session ended.
        AgentEventKind::AssistantTextStart {}
        | AgentEventKind::AssistantTextDelta { .. }
        | AgentEventKind::AssistantTextEnd { .. }
        | AgentEventKind::ThinkingDelta { .. }
        | AgentEventKind::ToolCallOutputDelta { .. }
        | AgentEventKind::SteeringInjected { .. }
        | AgentEventKind::UserInput { .. }
        | AgentEventKind::SessionStart { .. }
        | AgentEventKind::SessionEnd { .. } => return None,
    })
}
