//! Everything the machine asks for. The driver does it and reports back with an input.

use crate::control::SteeringMessage;
use crate::event::EventKind;
use crate::frame::{Ticket, Worktree};
use crate::outcome::Outcome;
use crate::question::{AskError, Reply};

/// One request to the driver.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Publish an event. It is durable before any other effect of the same step is executed.
    Emit(Box<EventKind>),
    /// Run the node the ticket's frame is at.
    Execute(Ticket),
    /// See whether what the machine did itself keeps what its node promised, and report with the result.
    Check {
        /// The attempt it is about.
        ticket: Ticket,
        /// The outcome.
        outcome: Box<Outcome>,
    },
    /// Report when this many milliseconds are over.
    Wait {
        /// The attempt it is about.
        ticket: Ticket,
        /// Milliseconds.
        delay: u64,
    },
    /// Report when the time of the node the ticket's frame is at is over. Where nothing takes time it never is.
    Deadline {
        /// The attempt it is about.
        ticket: Ticket,
        /// Milliseconds.
        delay: u64,
    },
    /// Report which files the run has changed, for the gate the ticket's frame is at.
    CompareFiles(Ticket),
    /// Merge what branches changed in folders of their own into the files of the ticket's frame, and report.
    MergeFiles(Ticket),
    /// Remove folders of branches, once nothing runs in them.
    RemoveWorktrees(Vec<Worktree>),
    /// See to it that the question of the ticket is answered.
    Ask(Ticket),
    /// Hand the answer to a question to the work that asked it.
    Reply {
        /// The id of the question.
        question: String,
        /// The reply, or why there is none.
        reply: Result<Reply, AskError>,
    },
    /// Hand a message to what runs under this ticket.
    Deliver {
        /// The attempt it is about.
        ticket: Ticket,
        /// The message.
        message: SteeringMessage,
    },
    /// Stop what was asked for under this ticket.
    Stop(Ticket),
    /// Keep the state under a name.
    Keep {
        /// The name.
        name: String,
    },
}
