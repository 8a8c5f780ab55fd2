//! The row at the bottom of the terminal that says what is at work.

use std::time::{Duration, Instant};

use super::cells::duration;
use crate::style::{FAINT, paint};

/// What lasts shorter than this is not worth a row.
const LATE: Duration = Duration::from_millis(300);
const WHEEL: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// The row.
pub struct StatusLine {
    turn: usize,
    since: Instant,
    nodes: Vec<String>,
}

impl StatusLine {
    /// Nothing is at work.
    pub fn new() -> Self {
        Self {
            turn: 0,
            since: Instant::now(),
            nodes: Vec::new(),
        }
    }

    /// These nodes are at work now.
    pub fn set(&mut self, nodes: &[String]) {
        if self.nodes != nodes {
            self.nodes = nodes.to_vec();
            self.since = Instant::now();
        }
    }

    /// The row, if there is something to say.
    pub fn row(&mut self) -> Option<String> {
        if self.nodes.is_empty() || self.since.elapsed() < LATE {
            return None;
        }
        self.turn = (self.turn + 1) % WHEEL.len();
        let wheel = WHEEL.get(self.turn).unwrap_or(&"");
        let took = duration(u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX));
        // The time comes first: the names are cut where the terminal ends.
        let text = format!("{wheel} {took} · {}", self.nodes.join(", "));
        Some(paint(FAINT, text))
    }
}
