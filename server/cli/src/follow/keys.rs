//! Single keys from the terminal while a question is open.
//!
//! The terminal is in non-canonical mode without echo for that time only. Signals stay enabled, so Ctrl-C is a
//! signal.

use crossterm::event::{Event, EventStream, KeyEvent};
use futures::StreamExt;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// A source of keys that can be opened and closed.
#[derive(Default)]
pub struct Keys(Option<Open>);

struct Open {
    // Dropped first: it reads while the mode is still set.
    events: EventStream,
    _mode: KeyMode,
}

impl Keys {
    /// Opens or closes the source. `false` when the terminal refuses.
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

    /// The next key; `None` at the end of input. Pending while closed.
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

/// Non-canonical mode of the terminal; dropping restores the previous mode.
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
        // A terminal that is gone needs no mode.
        tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.0).ok();
    }
}
