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
    /// Take the terminal again: the program was suspended (Ctrl-Z), and the shell has used it meanwhile.
    Continue,
}

/// The signals that are handled while a run or a conversation is followed.
pub struct Signals([Signal; 5]);

impl Signals {
    /// Handles them from now on.
    pub fn new() -> Result<Self, Error> {
        let wanted = |kind| signal(kind).map_err(Error::NoRuntime);
        Ok(Self([
            wanted(SignalKind::interrupt())?,
            wanted(SignalKind::terminate())?,
            wanted(SignalKind::hangup())?,
            wanted(SignalKind::window_change())?,
            wanted(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        ]))
    }

    /// The next one.
    pub async fn next(&mut self) -> SignalAction {
        let [interrupt, terminate, hangup, resize, resume] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => SignalAction::Cancel,
            _ = terminate.recv() => SignalAction::Interrupt("SIGTERM"),
            _ = hangup.recv() => SignalAction::Interrupt("SIGHUP"),
            _ = resize.recv() => SignalAction::Redraw,
            _ = resume.recv() => SignalAction::Continue,
        }
    }
}
