//! Keys that were typed before a question was shown: they are no answer to it.

use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr,
};

/// Discards what was typed until now.
pub fn discard() {
    // Without a terminal there is nothing to discard.
    tcflush(std::io::stdin(), QueueSelector::IFlush).ok();
}

/// The terminal does not show what is typed, since that would go into the rows that are redrawn; dropping restores it.
pub struct NoEcho(Termios);

impl NoEcho {
    /// Switches the echo off, if the terminal is that of this process now: in the background the process would be
    /// stopped.
    pub fn enter() -> Option<Self> {
        let stdin = std::io::stdin();
        let foreground = tcgetpgrp(&stdin).ok()?;
        if foreground != rustix::process::getpgrp() {
            return None;
        }
        let before = tcgetattr(&stdin).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Drain, &silent).ok()?;
        Some(Self(before))
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        // A terminal that is gone needs no mode.
        tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.0).ok();
    }
}
