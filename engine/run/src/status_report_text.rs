//! A status report in lines for people: what `runs show` prints below its table, and what editors show.

use std::fmt::Write as _;
use std::time::Duration;

use attractor_exec::printable;
use attractor_lang::duration;

use crate::event::StatusReport;

/// Nodes of the path that are shown.
const MAX_PATH: usize = 12;

impl StatusReport {
    /// The path, the level of escalation, the last transition, what people are asked, and the latest events. Texts of
    /// pipelines cannot drive a terminal from here.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let hidden = self.path.len().saturating_sub(MAX_PATH);
        let dots = if hidden > 0 { "… → " } else { "" };
        let path: Vec<&str> = self.path.iter().skip(hidden).map(String::as_str).collect();
        let (done, total) = (self.completed_nodes, self.total_nodes);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "path: {dots}{} ({done} of {total} nodes done)",
            path.join(" → ")
        );
        if let Some(level) = &self.pace_level {
            let _ = writeln!(text, "PACE level: {level}");
        }
        if self.last_transition_at.is_some() {
            let seconds = Duration::from_millis(self.since_transition_ms).as_secs();
            let since = duration::format(Duration::from_secs(seconds));
            let turns = self.turns_since_transition;
            let plural = if turns == 1 { "" } else { "s" };
            let limit = self.stale_after_turns.map(|most| format!(" of {most}"));
            let _ = writeln!(
                text,
                "last transition: {since} ago, {turns} model turn{plural} since{}",
                limit.unwrap_or_default()
            );
        }
        for event in &self.events {
            let node = event.node.as_deref().unwrap_or_default();
            let to = event.to.as_ref().map(|to| format!(" → {to}"));
            let place = format!("{node}{}", to.unwrap_or_default());
            let _ = writeln!(text, "  {:>4} {} {}", event.seq, event.name, place.trim());
        }
        printable(&text).into_owned()
    }
}
