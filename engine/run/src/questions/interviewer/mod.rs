//! Who a program lets answer the questions of its runs.
//!
//! [`AutoApprove`] approves, [`Console`] asks at a terminal, [`Callback`] calls a function, [`Queue`] has prepared
//! answers, [`Recording`] notes the answers of another interviewer and plays them back. A question stays durable and
//! open to others: the first answer decides, and an interviewer that is still asking is dropped.

mod auto_approve;
mod callback;
mod console;
mod queue;
mod recording;

use attractor_machine::question::{Answer, Question};
use futures::FutureExt;
use futures::future::{BoxFuture, ready};

pub use auto_approve::AutoApprove;
pub use callback::Callback;
pub use console::Console;
pub use queue::Queue;
pub use recording::{Playback, RecordedAnswer, Recording};

/// Answers the questions of a run.
///
/// An interviewer without an answer returns `None`: the default choice of the question is taken, and without one the
/// run fails. One that never returns leaves the question open until its `timeout`, an answer from elsewhere, or the
/// end of the run.
pub trait Interviewer: Send + Sync {
    /// A name for the journal, of answers that do not say who gave them.
    fn name(&self) -> String {
        "interviewer".to_owned()
    }

    /// Asks a question. The answer must fit it ([`Question::read`]), otherwise the run fails.
    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>>;

    /// Asks a question that is answered by yes or no.
    fn confirm(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        self.ask(question)
    }

    /// Reports something that needs no answer, such as an escalation.
    fn inform(&self, message: String) -> BoxFuture<'_, ()> {
        drop(message);
        ready(()).boxed()
    }
}
