//! What is said in a conversation: lines above, and what is being written below them.

use super::text_stream::TextStream;
use crate::commands::agent::print::SessionView;
use crate::commands::agent::waiting::Waiting;
use crate::console;
use crate::error::Error;
use crate::follow::screen::Screen;

/// What is said, and what the session does.
pub struct SessionScreen {
    pub screen: Screen,
    pub text: TextStream,
    pub waiting: Waiting,
}

impl SessionView for SessionScreen {
    fn text(&mut self, piece: &str) -> Result<(), Error> {
        let lines = self.text.push(piece, console::width());
        self.say(&lines)
    }

    fn end_text(&mut self, _: &str) -> Result<(), Error> {
        let lines = self.text.finish(console::width());
        self.say(&lines)
    }

    fn line(&mut self, line: String) {
        self.screen.remark(&line);
    }
}

impl SessionScreen {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            screen: Screen::new(),
            text: TextStream::new(console::styles()),
            waiting: Waiting::hidden(),
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
