//! What happens to the run as a whole: its begin and end, limits, ways.

use attractor_model::Reality;

use super::entry::{EntryKind, EntryLine, EntryRole, TranscriptEntry};
use super::text::{counted, joined};
use crate::event::{ForkedFiles, NodeAttempt, Rule};
use crate::outcome::{Failure, Usage};
use crate::transcript::figures;

/// `▶ release started (simulated)`, and its goal.
pub(super) fn started(pipeline: &str, goal: &str, reality: Option<Reality>) -> TranscriptEntry {
    let text = format!("{pipeline} started{}", mark(reality));
    TranscriptEntry::line('▶', EntryRole::Start, &text).with_text(EntryRole::Plain, goal)
}

pub(super) fn resumed(reality: Option<Reality>) -> TranscriptEntry {
    let text = format!("resumed{}", mark(reality));
    TranscriptEntry::line('⟲', EntryRole::Start, &text)
}

/// `▶ forked from 01J… at fix (visit 2), in /tmp/x`
pub(super) fn forked(
    from: &str,
    at: &NodeAttempt,
    files: &ForkedFiles,
    reality: Option<Reality>,
) -> TranscriptEntry {
    let node = match &at.graph {
        Some(graph) => format!("{graph}/{}", at.node),
        None => at.node.clone(),
    };
    let (visit, files, mark) = (at.visit, files.summary(), mark(reality));
    let text = format!("forked from {from} at {node}@{visit}{files}{mark}");
    TranscriptEntry::line('▶', EntryRole::Start, &text)
}

pub(super) fn completed(steps: u64, duration_ms: u64, usage: &Usage) -> TranscriptEntry {
    let used = figures::usage(usage).unwrap_or_default();
    let (steps, took) = (counted(steps, "step"), figures::duration(duration_ms));
    let text = joined(["completed".to_owned(), steps, took, used]);
    TranscriptEntry::line('✓', EntryRole::Success, &text)
}

/// `✗ failed: deploy: exit code 3 · 4 steps · 2.1 s`
pub(super) fn failed(failure: &Failure, steps: u64, duration_ms: u64) -> TranscriptEntry {
    let facts = [counted(steps, "step"), figures::duration(duration_ms)];
    TranscriptEntry::line('✗', EntryRole::Failure, "failed")
        .with_headline(&failure.to_string(), &facts)
}

/// `■ cancelled by ada (vscode) · 2 steps`
pub(super) fn stopped(how: &str, by: &str, steps: u64) -> TranscriptEntry {
    let by = if by.is_empty() {
        String::new()
    } else {
        format!(" by {by}")
    };
    let text = joined([format!("{how}{by}"), counted(steps, "step")]);
    TranscriptEntry::line('■', EntryRole::Failure, &text)
}

/// `→ review  (outcome=success)`
pub(super) fn transition(
    to: &str,
    rule: Rule,
    label: Option<&str>,
    condition: Option<&str>,
) -> TranscriptEntry {
    let why = match rule {
        Rule::Condition => condition.unwrap_or("condition"),
        Rule::PreferredLabel => label.unwrap_or("preferred label"),
        Rule::NextNode => "next node",
        Rule::SuggestedNext => "suggested next",
        Rule::Unconditional => "unconditional",
        Rule::RetryTarget => "retry target",
        Rule::GoalGate => "goal gate",
        Rule::OnRetry => "on retry",
        Rule::OnExhaust => "on exhaust",
        Rule::Loop => "loop",
        Rule::Join => "join",
    };
    let text = format!("{to}  ({why})");
    TranscriptEntry::new(EntryKind::Transition, '→', EntryRole::Plain, &text)
}

/// The warnings of an evaluation, a line each.
pub(super) fn warnings(warnings: &[String]) -> impl Iterator<Item = EntryLine> {
    let warnings = warnings.iter();
    warnings.map(|text| EntryLine::new(EntryRole::Attention, &format!("! {text}")))
}

pub(super) fn goals_unmet(unmet: &[String], redirect: Option<&str>) -> TranscriptEntry {
    let then = redirect.map(|node| format!("; redirecting to {node}"));
    let then = then.unwrap_or_default();
    let text = format!("unmet goal gates: {}{then}", unmet.join(", "));
    TranscriptEntry::line('✗', EntryRole::Failure, &text)
}

/// One of the limits is set.
pub(super) fn expired(stall_timeout_ms: Option<u64>, turns: Option<u32>) -> TranscriptEntry {
    let stalled = stall_timeout_ms.map(|limit| {
        let limit = figures::duration(limit);
        format!("stalled: no activity for {limit}")
    });
    let stale = turns.map(|turns| {
        let turns = counted(turns.into(), "model turn");
        format!("stale: {turns} without a transition")
    });
    let text = joined(stalled.into_iter().chain(stale));
    TranscriptEntry::line('✗', EntryRole::Failure, &text)
}

/// ` (simulated)`; nothing where everything is real.
fn mark(reality: Option<Reality>) -> String {
    let mark = reality.and_then(Reality::mark);
    mark.map_or_else(String::new, |mark| format!(" ({mark})"))
}
