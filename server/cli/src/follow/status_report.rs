//! A status report in lines: what `runs show` prints below the table of nodes.

use std::fmt::Write;
use std::time::Duration;

use attractor_lang::duration;
use attractor_run::StatusReport;

use crate::console::plain;
use crate::render::counted;

/// Nodes of the path that are shown.
const MAX_PATH: usize = 12;

/// The path, the level of escalation, the last transition and the latest events.
pub fn lines(report: &StatusReport) -> String {
    let mut text = String::new();
    let hidden = report.path.len().saturating_sub(MAX_PATH);
    let dots = if hidden > 0 { "… → " } else { "" };
    let path: Vec<&str> = report
        .path
        .iter()
        .skip(hidden)
        .map(String::as_str)
        .collect();
    let (done, total) = (report.completed_nodes, report.total_nodes);
    let _ = writeln!(
        text,
        "\npath: {dots}{} ({done} of {total} nodes done)",
        plain(&path.join(" → "))
    );
    if let Some(level) = &report.pace_level {
        let _ = writeln!(text, "PACE level: {}", plain(level));
    }
    if report.last_transition_at.is_some() {
        let seconds = Duration::from_millis(report.since_transition_ms).as_secs();
        let since = duration::format(Duration::from_secs(seconds));
        let turns = usize::try_from(report.turns_since_transition).unwrap_or(usize::MAX);
        let limit = report.stale_after_turns.map(|most| format!(" of {most}"));
        let _ = writeln!(
            text,
            "last transition: {since} ago, {} since{}",
            counted(turns, "model turn"),
            limit.unwrap_or_default()
        );
    }
    for event in &report.events {
        let node = event.node.as_deref().unwrap_or_default();
        let to = event
            .to
            .as_ref()
            .map(|to| format!(" → {to}"))
            .unwrap_or_default();
        let _ = writeln!(
            text,
            "  {:>4} {} {}",
            event.seq,
            event.name,
            plain(&format!("{node}{to}")).trim()
        );
    }
    text
}
