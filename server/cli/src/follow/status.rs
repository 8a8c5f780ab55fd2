//! The line at the bottom of the terminal that says what is at work: drawn, wiped and drawn again around
//! everything else that is printed. Does nothing where standard error is no terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use super::cells::{duration, fit};
use crate::console;
use crate::style::{FAINT, paint};

/// What lasts shorter than this is not worth a line.
const LATE: Duration = Duration::from_millis(300);
const WHEEL: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/// Back to the first column, and wipe to the right.
const WIPE: &str = "\r\x1b[K";

/// The line.
pub struct StatusLine {
    alive: bool,
    drawn: bool,
    turn: usize,
    since: Instant,
    nodes: Vec<String>,
}

impl StatusLine {
    /// A line that is shown on a terminal only.
    pub fn new() -> Self {
        Self {
            alive: std::io::stderr().is_terminal() && std::io::stdout().is_terminal(),
            drawn: false,
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

    /// Draws the line, if there is something to say.
    pub fn draw(&mut self) {
        if !self.alive || self.nodes.is_empty() || self.since.elapsed() < LATE {
            return;
        }
        self.turn = (self.turn + 1) % WHEEL.len();
        let wheel = WHEEL.get(self.turn).unwrap_or(&"");
        let took = duration(u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX));
        let text = fit(
            &format!("{wheel} {} · {took}", self.nodes.join(", ")),
            console::width() - 1,
        );
        console::prompt(&format!("{WIPE}{}", paint(FAINT, text.trim_end())));
        self.drawn = true;
    }

    /// Takes the line away, so that something else can be printed in its place.
    pub fn wipe(&mut self) {
        if std::mem::take(&mut self.drawn) {
            console::prompt(WIPE);
        }
    }
}
