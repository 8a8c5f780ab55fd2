//! Single keys from the terminal while a question is open.
//!
//! The terminal is in non-canonical mode without echo for that time only. Signals stay enabled, so Ctrl-C is a
//! signal.

use std::time::Duration;

use crossterm::event::{self, Event, EventStream, KeyEvent};
use futures::StreamExt;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::type_ahead;

/// How long a stream that was dropped may take to release the terminal.
const RELEASE: Duration = Duration::from_millis(5);

/// What comes from the terminal.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// A key.
    Key(KeyEvent),
    /// A text, where the terminal was asked to mark what is pasted.
    Paste(String),
}

/// A source of keys, open while a question is.
#[derive(Default)]
pub struct Keys(Option<Open>);

struct Open {
    // Dropped first: it reads while the mode is still set.
    events: EventStream,
    mode: KeyMode,
}

impl Keys {
    /// Opens the source for another question, or closes it. What was typed until now answers no question: call it
    /// before the question is shown. `false` when the terminal refuses.
    pub fn restart(&mut self, open: bool) -> bool {
        let mode = self.0.take().map(|Open { events, mode }| {
            // A stream holds the terminal while it waits: with two of them neither continues.
            drop(events);
            mode
        });
        if open {
            self.0 = mode.or_else(KeyMode::enter).map(|mode| Open {
                events: discarded(),
                mode,
            });
        }
        self.0.is_some() == open
    }

    /// Takes the terminal again after the shell had it.
    pub fn renew(&self) {
        if self.0.is_some()
            && let Ok(mode) = tcgetattr(std::io::stdin())
        {
            // A terminal that refuses is noticed by `is_lost`.
            tcsetattr(std::io::stdin(), OptionalActions::Now, &without_lines(mode)).ok();
        }
    }

    /// Closes the source.
    pub fn close(&mut self) {
        self.0 = None;
    }

    /// Whether the terminal is gone while keys are read from it. The stream does not report that.
    pub fn is_lost(&self) -> bool {
        self.0.is_some() && tcgetattr(std::io::stdin()).is_err()
    }

    /// The next key; `None` at the end of input. Pending while closed.
    pub async fn next(&mut self) -> Option<KeyEvent> {
        loop {
            if let Typed::Key(key) = self.next_typed().await? {
                return Some(key);
            }
        }
    }

    /// The next key, or a text that was pasted; `None` at the end of input. Pending while closed.
    pub async fn next_typed(&mut self) -> Option<Typed> {
        let Some(open) = &mut self.0 else {
            return std::future::pending().await;
        };
        loop {
            match open.events.next().await? {
                Ok(Event::Key(key)) => return Some(Typed::Key(key)),
                Ok(Event::Paste(text)) => return Some(Typed::Paste(text)),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}

/// The keys that are typed from now on. No other stream may be open.
fn discarded() -> EventStream {
    type_ahead::discard();
    // What has been read already.
    while matches!(event::poll(RELEASE), Ok(true)) && event::read().is_ok() {}
    EventStream::new()
}

/// Non-canonical mode of the terminal; dropping restores the previous mode.
struct KeyMode(Termios);

impl KeyMode {
    fn enter() -> Option<Self> {
        let before = tcgetattr(std::io::stdin()).ok()?;
        let keys = without_lines(before.clone());
        // What was typed before the question does not answer it.
        tcsetattr(std::io::stdin(), OptionalActions::Flush, &keys).ok()?;
        Some(Self(before))
    }
}

/// A mode in which each key is read as it is typed, and not shown.
fn without_lines(mut mode: Termios) -> Termios {
    mode.local_modes
        .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN);
    mode
}

impl Drop for KeyMode {
    fn drop(&mut self) {
        // A terminal that is gone needs no mode.
        tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.0).ok();
    }
}
