//! What the session does, on the last line of the terminal, while nothing else is printed: a model that thinks for a
//! minute looks like one that hangs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use attractor_agent::{AgentEventKind, AgentState, Session};

use crate::console;

/// After how long without output it is shown.
const QUIET: Duration = Duration::from_secs(1);

/// The last line of the terminal.
pub struct Waiting {
    /// Whether there is a terminal that can redraw a line.
    is_possible: bool,
    /// Whether a person is asked: the line is theirs.
    is_asking: Arc<AtomicBool>,
    what: String,
    since: Instant,
    is_drawn: bool,
}

impl Waiting {
    /// For a session at a terminal.
    pub fn of(session: &Session) -> Self {
        let is_asking = Arc::<AtomicBool>::default();
        let asking = Arc::clone(&is_asking);
        session.on_transition(Box::new(move |_, to, _| {
            asking.store(to == AgentState::Paused, Ordering::Release);
        }));
        Self {
            is_possible: console::moves_cursor(),
            is_asking,
            ..Self::hidden()
        }
    }

    /// Never shown.
    pub fn hidden() -> Self {
        Self {
            is_possible: false,
            is_asking: Arc::default(),
            what: "waiting for the model".to_owned(),
            since: Instant::now(),
            is_drawn: false,
        }
    }

    /// Follows what the session does.
    pub fn event(&mut self, event: &AgentEventKind) {
        let what = match event {
            AgentEventKind::ThinkingDelta { .. } => "thinking",
            AgentEventKind::AssistantTextDelta { .. } => "writing",
            AgentEventKind::ToolCallStart(call) => call.tool_name.as_str(),
            AgentEventKind::ToolCallEnd { .. } | AgentEventKind::UserInput { .. } => {
                "waiting for the model"
            }
            _ => return,
        };
        if self.what != what {
            what.clone_into(&mut self.what);
            self.since = Instant::now();
        }
    }

    /// Draws the line, if it has been quiet.
    pub fn draw(&mut self) {
        let quiet = self.since.elapsed();
        let is_free = !self.is_asking.load(Ordering::Acquire);
        if self.is_possible && is_free && quiet >= QUIET {
            self.is_drawn = true;
            console::control(&format!(
                "\r\x1b[K… {} {} s",
                console::plain(&self.what),
                quiet.as_secs()
            ));
        }
    }

    /// The line, for who draws it.
    pub fn row(&self) -> String {
        let what = console::plain(&self.what).into_owned();
        let seconds = self.since.elapsed().as_secs();
        format!("… {what} {seconds} s · Esc stops")
    }

    /// Clears the line, before something else is printed.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            console::control("\r\x1b[K");
        }
    }
}
