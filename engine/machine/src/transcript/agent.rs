//! What agents report besides their tools.

use super::entry::{EntryKind, EntryRole, TranscriptEntry};
use super::text::joined;
use crate::event::{AgentModelCall, AgentNotice, NodeAttempt};
use crate::figures;

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
