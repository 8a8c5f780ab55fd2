//! What agents report besides their tools.

use super::entry::{EntryKind, EntryLine, EntryRole, TranscriptEntry};
use super::text::joined;
use crate::event::{AgentModelCall, AgentNotice, AgentPlan, NodeAttempt, PlanStep, StepStatus};
use crate::transcript::figures;

/// `· gpt-6-luna · 1 k tokens · $0.01 · 3.2 s`
pub(super) fn model_call(at: &NodeAttempt, call: &AgentModelCall) -> TranscriptEntry {
    let used = figures::usage(&call.usage).unwrap_or_default();
    let text = joined([
        call.model.clone(),
        used,
        figures::duration(call.duration_ms),
    ]);
    TranscriptEntry::new(EntryKind::ModelCall, '·', EntryRole::Plain, &text).at(at)
}

/// `☰ fix: 1 of 3 steps · Run the tests`, and a line for each step.
pub(super) fn plan(at: &NodeAttempt, plan: &AgentPlan) -> TranscriptEntry {
    TranscriptEntry::line('☰', EntryRole::Plain, &plan.summary())
        .at(at)
        .with(plan_lines(plan))
}

/// The steps of a plan, each with the sign of its state.
pub fn plan_lines(plan: &AgentPlan) -> Vec<EntryLine> {
    let line = |one: &PlanStep| {
        let role = match one.status {
            StepStatus::Completed => EntryRole::Success,
            StepStatus::InProgress => EntryRole::Start,
            StepStatus::Pending => EntryRole::Plain,
        };
        EntryLine::new(role, &format!("{} {}", one.status.glyph(), one.step))
    };
    plan.steps.iter().map(line).collect()
}

pub(super) fn notice(at: &NodeAttempt, notice: &AgentNotice) -> TranscriptEntry {
    let (glyph, role) = match notice {
        AgentNotice::Error { .. } => ('✗', EntryRole::Failure),
        AgentNotice::LoopDetection { .. }
        | AgentNotice::TurnLimit { .. }
        | AgentNotice::Warning { .. } => ('!', EntryRole::Attention),
        AgentNotice::Compacted { .. } | AgentNotice::FilesChanged { .. } => ('·', EntryRole::Plain),
    };
    TranscriptEntry::line(glyph, role, "")
        .with_headline(&notice.summary(), &[])
        .at(at)
}
