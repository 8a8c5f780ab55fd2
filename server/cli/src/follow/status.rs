//! The status row at the bottom of the terminal: the running nodes.

use std::time::{Duration, Instant};

use super::labels::duration;
use crate::style::{FAINT, paint};

/// Nodes that run shorter than this are not shown.
const STATUS_DELAY: Duration = Duration::from_millis(300);
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// The status row.
pub struct StatusLine {
    frame: usize,
    since: Instant,
    nodes: Vec<String>,
    /// How far the agent of each node is.
    details: Vec<Option<String>>,
}

impl StatusLine {
    /// A row without nodes.
    pub fn new() -> Self {
        Self {
            frame: 0,
            since: Instant::now(),
            nodes: Vec::new(),
            details: Vec::new(),
        }
    }

    /// Sets the running nodes, and how far the agent of each is.
    pub fn set(&mut self, nodes: &[String], details: Vec<Option<String>>) {
        self.details = details;
        if self.nodes != nodes {
            self.nodes = nodes.to_vec();
            self.since = Instant::now();
        }
    }

    /// The text of the row, when a node has run long enough.
    pub fn row(&mut self) -> Option<String> {
        if self.nodes.is_empty() || self.since.elapsed() < STATUS_DELAY {
            return None;
        }
        self.frame = (self.frame + 1) % SPINNER.len();
        let spinner = SPINNER.get(self.frame).unwrap_or(&"");
        let took = duration(u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX));
        // The time comes first: the names are cut where the terminal ends.
        let nodes = self.nodes.iter().zip(&self.details);
        let nodes = nodes.map(|(node, details)| match details {
            Some(details) => format!("{node} ({details})"),
            None => node.clone(),
        });
        let nodes: Vec<String> = nodes.collect();
        let text = format!("{spinner} {took} · {}", nodes.join(", "));
        Some(paint(FAINT, text))
    }
}
