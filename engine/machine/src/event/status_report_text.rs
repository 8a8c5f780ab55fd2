//! A status report in lines for people: what `runs show` prints above its table, and what editors show.

use std::fmt::Write as _;
use std::time::Duration;

use attractor_lang::duration;
use attractor_redact::printable;

use crate::event::StatusReport;

/// Nodes of the path that are shown.
const MAX_PATH: usize = 12;

impl StatusReport {
    /// The path, the level of escalation, and the last transition of a run that has not ended. Texts of pipelines cannot
    /// drive a terminal from here.
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
        if self.state.is_live() && self.last_transition_at.is_some() {
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
        printable(&text).into_owned()
    }
}
