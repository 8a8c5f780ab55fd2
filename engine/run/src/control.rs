//! Requests of other processes to the owner of a run: answers, messages to nodes, cancellation.
//!
//! They go over a Unix socket of the owner, whose path the lock of the run names. The socket is in the folder for
//! temporary files, for its user alone; nothing in the folder of a run is a request. The owner looks up who sends, and
//! refuses what it has started itself, directly or not: no command of an agent answers a question of its run.
//!
//! One socket serves all runs of a process, while it owns any.

mod client;
mod gates;
mod request;
#[cfg(unix)]
mod server;

use attractor_exec::Sender;

pub use client::post;
pub use request::ControlRequest;

pub(crate) use gates::ReviewedGates;

#[cfg(unix)]
pub(crate) use server::Controlled;

/// Why nothing is taken from a sender; none from one whose requests are.
pub fn refusal(sender: Sender) -> Option<&'static str> {
    match sender {
        Sender::Independent => None,
        Sender::Descendant => Some(
            "it comes from a command that this run started; a person answers in another terminal, the editor or the page",
        ),
        Sender::OtherUser => {
            Some("it comes from another user; the user who started the run answers")
        }
        Sender::Unknown => Some(
            "its sender cannot be determined; answer on the machine and in the container of the run",
        ),
    }
}

/// A run that takes requests. Without Unix sockets there is none.
#[cfg(not(unix))]
pub(crate) enum Controlled {}

#[cfg(not(unix))]
impl Controlled {
    pub(crate) fn open(
        _run: &crate::driver::RunHandle,
        _gates: ReviewedGates,
    ) -> std::io::Result<Self> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn socket(&self) -> &std::path::Path {
        match *self {}
    }
}
