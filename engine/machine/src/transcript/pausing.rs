//! What a debugger, or a user who pauses the run, does with it.

use super::entry::{EntryRole, TranscriptEntry};
use super::text::{counted, joined};
use crate::control::{PauseReason, node_point};
use crate::transcript::figures;

/// `‖ paused before fix: breakpoint`
pub(super) fn paused(
    reason: PauseReason,
    by: &str,
    place: Option<(Option<&str>, &str)>,
    detail: Option<&str>,
) -> TranscriptEntry {
    let node = place.map(|(graph, node)| node_point(graph, node));
    let node = node.unwrap_or_default();
    let detail = detail.unwrap_or_default();
    let text = match reason {
        PauseReason::Request => format!("paused{}", by_whom(by)),
        PauseReason::Entry => format!("paused before {node}: entry"),
        PauseReason::Step => format!("paused before {node}: step"),
        PauseReason::Node => format!("paused before {node}: breakpoint"),
        PauseReason::Edge => format!("paused before {node}: breakpoint of the edge"),
        PauseReason::Key => format!("paused before {node}: `{detail}` was set"),
        PauseReason::Failure => format!("paused before {node} after a failure: {detail}"),
        PauseReason::Retry => format!("paused before another attempt of {node}"),
    };
    TranscriptEntry::line('‖', EntryRole::Attention, &text)
}

/// `▶ continued by ada · paused 2 min`
pub(super) fn continued(by: &str, paused_ms: u64) -> TranscriptEntry {
    let paused = format!("paused {}", figures::duration(paused_ms));
    let text = joined([format!("continued{}", by_whom(by)), paused]);
    TranscriptEntry::line('▶', EntryRole::Start, &text)
}

pub(super) fn points_set(by: &str, count: u32) -> TranscriptEntry {
    let count = counted(count.into(), "breakpoint");
    let text = format!("{count} set{}", by_whom(by));
    TranscriptEntry::line('●', EntryRole::Start, &text)
}

/// `✎ depth set by ada; continues with test`
pub(super) fn overridden(by: &str, keys: &[String], next: Option<&str>) -> TranscriptEntry {
    let set = match keys {
        [] => format!("changed{}", by_whom(by)),
        keys => format!("{} set{}", keys.join(", "), by_whom(by)),
    };
    let next = next.map_or_else(String::new, |next| format!("; continues with {next}"));
    TranscriptEntry::line('✎', EntryRole::Attention, &format!("{set}{next}"))
}

fn by_whom(by: &str) -> String {
    match by {
        "" => String::new(),
        by => format!(" by {by}"),
    }
}
