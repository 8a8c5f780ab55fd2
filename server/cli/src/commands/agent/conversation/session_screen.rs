//! What is said in a conversation: lines above, and what is being written below them.

use std::sync::Arc;

use attractor_exec::Redactor;

use super::text_stream::TextStream;
use crate::commands::agent::print::{SessionView, first_line};
use crate::commands::agent::waiting::Waiting;
use crate::console;
use crate::error::Error;
use crate::follow::screen::Screen;
use crate::style::FAINT;

/// What is said, and what the session does.
pub struct SessionScreen {
    pub screen: Screen,
    pub text: TextStream,
    pub waiting: Waiting,
    /// Nothing is shown without it.
    pub redactor: Arc<Redactor>,
}

impl SessionView for SessionScreen {
    fn text(&mut self, piece: &str) -> Result<(), Error> {
        let lines = self.text.push(piece, console::width(), &self.redactor);
        self.say(&lines)
    }

    fn end_text(&mut self, _: &str) -> Result<(), Error> {
        let lines = self.text.finish(console::width(), &self.redactor);
        self.say(&lines)
    }

    fn line(&mut self, line: String) {
        self.screen.remark(&line);
    }

    fn result(&mut self, output: &str) {
        let mut lines = output.lines().filter(|line| !line.trim().is_empty());
        let Some(first) = lines.next() else {
            return;
        };
        let line = match lines.count() {
            0 => format!("← {first}"),
            more => format!("← {} lines: {first}", more + 1),
        };
        self.line(first_line(FAINT, &line));
    }
}

impl SessionScreen {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            screen: Screen::new(),
            text: TextStream::new(console::styles()),
            waiting: Waiting::hidden(),
            redactor: Arc::default(),
        }
    }

    fn say(&mut self, lines: &[String]) -> Result<(), Error> {
        if lines.is_empty() {
            return Ok(());
        }
        self.screen.clear();
        console::print(&format!("{}\n", lines.join("\n")))
    }
}
