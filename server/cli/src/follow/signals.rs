//! The signals of a program that works at a terminal.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::Error;

/// What a signal asks for.
pub enum SignalAction {
    /// Cancel the work: Ctrl-C.
    Cancel,
    /// Interrupt the work: the system ends the program.
    Interrupt(&'static str),
    /// Draw again: the terminal has another size.
    Redraw,
}

/// The signals that are handled while a run or a conversation is followed.
pub struct Signals([Signal; 4]);

impl Signals {
    /// Handles them from now on.
    pub fn new() -> Result<Self, Error> {
        let wanted = |kind| signal(kind).map_err(Error::NoRuntime);
        Ok(Self([
            wanted(SignalKind::interrupt())?,
            wanted(SignalKind::terminate())?,
            wanted(SignalKind::hangup())?,
            wanted(SignalKind::window_change())?,
        ]))
    }

    /// The next one.
    pub async fn next(&mut self) -> SignalAction {
        let [interrupt, terminate, hangup, resize] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => SignalAction::Cancel,
            _ = terminate.recv() => SignalAction::Interrupt("SIGTERM"),
            _ = hangup.recv() => SignalAction::Interrupt("SIGHUP"),
            _ = resize.recv() => SignalAction::Redraw,
        }
    }
}
