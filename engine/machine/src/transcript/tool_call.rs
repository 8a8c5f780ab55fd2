//! Tool calls of agents, their results, and the hooks around them.

use attractor_agent_events::{HookOutcome, HookReport, ToolCallEnd, ToolCallStart};
use serde_json::Value;

use super::entry::{EntryKind, EntryLine, EntryRole, TranscriptEntry};
use super::lines::{shortened, signed};
use super::text::{counted, first_line, one_line};
use crate::event::NodeAttempt;

/// Characters of what a call is about.
const SUBJECT: usize = 160;

/// `→ edit_file src/a.rs`, and what it changes as lines of a difference.
pub(super) fn call(at: &NodeAttempt, call: &ToolCallStart) -> TranscriptEntry {
    let subject = first_line(&call.subject(), SUBJECT);
    let entry = TranscriptEntry::new(EntryKind::ToolCall, '→', EntryRole::Plain, &subject);
    let tool = Some(one_line(&call.tool_name));
    TranscriptEntry { tool, ..entry }
        .at(at)
        .with(difference(&call.arguments))
}

/// `← shell: 20 lines` with the first of them, or `← shell: ok`.
pub(super) fn result(at: &NodeAttempt, call: &ToolCallEnd) -> TranscriptEntry {
    let (glyph, role) = if call.is_error {
        ('✗', EntryRole::Failure)
    } else {
        ('←', EntryRole::Plain)
    };
    let output = call.output.trim_end();
    let lines = signed(EntryRole::Output, "", output);
    let what = match lines.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.text.trim().to_owned(),
        lines => counted(lines.len() as u64, "line"),
    };
    let text = format!("{}: {what}", call.tool_name);
    let below = if lines.len() > 1 { lines } else { Vec::new() };
    TranscriptEntry::new(EntryKind::ToolResult, glyph, role, &text)
        .at(at)
        .with(shortened(below))
}

/// ``✗ hook `no-push` before shell: refused the call, exit code 1``, and what it wrote.
pub(super) fn hook(at: &NodeAttempt, report: &HookReport) -> TranscriptEntry {
    let passed = report.outcome == HookOutcome::Passed;
    let (glyph, role) = if passed {
        ('✓', EntryRole::Success)
    } else {
        ('✗', EntryRole::Failure)
    };
    // The summary of a hook that did not pass has the first line.
    let shown = usize::from(!passed);
    let output = signed(EntryRole::Output, "", report.output.trim_end());
    let output = output.into_iter().skip(shown).collect();
    TranscriptEntry::line(glyph, role, &report.summary())
        .at(at)
        .with(shortened(output))
}

/// What an editing tool changes, shortened.
fn difference(arguments: &Value) -> Vec<EntryLine> {
    let lines = edit_lines(arguments);
    if arguments.get("patch").is_some() {
        return shortened(lines);
    }
    let parts = lines.chunk_by(|one, next| one.role == next.role);
    parts.flat_map(|part| shortened(part.to_vec())).collect()
}

/// What a call of an editing tool with these arguments changes, as lines of a difference; nothing for other tools.
pub fn edit_lines(arguments: &Value) -> Vec<EntryLine> {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    if let Some(patch) = text("patch") {
        return patch.trim_end().lines().map(patch_line).collect();
    }
    let (before, after) = (text("old_string"), text("new_string"));
    let added = match before.or(after) {
        Some(_) => after,
        None => text("content"),
    };
    let removed = signed(EntryRole::Removed, "- ", before.unwrap_or_default());
    let added = signed(EntryRole::Added, "+ ", added.unwrap_or_default());
    [removed, added].concat()
}

fn patch_line(line: &str) -> EntryLine {
    let role = match line.chars().next() {
        Some('+') => EntryRole::Added,
        Some('-') => EntryRole::Removed,
        _ => EntryRole::Plain,
    };
    EntryLine::new(role, line)
}
