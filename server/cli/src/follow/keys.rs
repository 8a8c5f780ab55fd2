//! Keys typed at the terminal, one by one, while a question is open.
//!
//! The terminal hands over keys instead of lines for that time only, and does not show them: the prompt does.
//! Signals stay on, so Ctrl-C is a signal as always.

use crossterm::event::{Event, EventStream, KeyEvent};
use futures::StreamExt;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// A source of keys that can be opened and closed.
#[derive(Default)]
pub struct Keys(Option<Open>);

struct Open {
    // Dropped first: it reads while the terminal still gives keys.
    events: EventStream,
    _mode: KeyMode,
}

impl Keys {
    /// Opens or closes the source. Says whether it is as wanted: not where the terminal refuses.
    pub fn set_open(&mut self, open: bool) -> bool {
        if open && self.0.is_none() {
            self.0 = KeyMode::enter().map(|mode| Open {
                events: EventStream::new(),
                _mode: mode,
            });
        } else if !open {
            self.0 = None;
        }
        self.0.is_some() == open
    }

    /// The next key; `None` when there will be no more. Never, while closed.
    pub async fn next(&mut self) -> Option<KeyEvent> {
        let Some(open) = &mut self.0 else {
            return std::future::pending().await;
        };
        loop {
            match open.events.next().await? {
                Ok(Event::Key(key)) => return Some(key),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

/// The terminal in a mode that gives keys; as before when this is dropped.
struct KeyMode(Termios);

impl KeyMode {
    fn enter() -> Option<Self> {
        let before = tcgetattr(std::io::stdin()).ok()?;
        let mut keys = before.clone();
        keys.local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN);
        tcsetattr(std::io::stdin(), OptionalActions::Drain, &keys).ok()?;
        Some(Self(before))
    }
}

impl Drop for KeyMode {
    fn drop(&mut self) {
        // There is nobody left to tell when the terminal is gone.
        tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.0).ok();
    }
}
