//! What the tasks of a run report to its owner.

use std::time::Duration;

use attractor_machine::frame::Ticket;
use attractor_machine::outcome::Outcome;
use attractor_machine::question::{Answer, Question};
use attractor_machine::question::{AskError, Reply};
use attractor_machine::transition::MergeReport;
use tokio::sync::oneshot;

use crate::clock::WorkGuard;

/// One report.
pub(super) enum Message {
    /// A handler is done.
    Finished {
        ticket: Ticket,
        outcome: Box<Outcome>,
    },
    /// A delay is over.
    Due { ticket: Ticket },
    /// The time to answer a question is over.
    TimedOut { ticket: Ticket, question: String },
    /// What branches changed is merged, or cannot be.
    FilesMerged {
        ticket: Ticket,
        report: Box<MergeReport>,
    },
    /// The work of a node asks.
    Ask {
        ticket: Ticket,
        question: Box<Question>,
        reply: oneshot::Sender<Result<Reply, AskError>>,
    },
    /// The work of a node does not need an answer any more.
    Withdrawn { question: String },
    /// An interviewer is done with a question.
    Interviewed {
        question: Box<Question>,
        answer: Option<Answer>,
    },
    /// A moment has come. The clock stays there until its report is taken up.
    Timer {
        report: Box<Message>,
        work: WorkGuard,
    },
    /// A task was stopped before it had anything to report.
    Stopped { ticket: Ticket },
    /// Some attempt has output to show.
    Output,
    /// An agent reports how far it is; it last did something that long ago.
    Progress { idle: Duration },
}
