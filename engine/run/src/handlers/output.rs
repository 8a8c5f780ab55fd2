//! What connects the work of a node with the owner of its run.

use attractor_exec::OutputStream;
use attractor_machine::event::Stream;
use attractor_machine::question::Question;
use attractor_machine::question::{AskError, Reply};
use futures::future::BoxFuture;

use crate::backend::agent_activity::AgentActivity;

/// Who answers the questions of a task.
pub(crate) trait Questions: Send + Sync {
    /// Asks; the question is withdrawn when the future is dropped.
    fn ask(&self, question: Question) -> BoxFuture<'static, Result<Reply, AskError>>;

    /// Whether a person may answer, as far as that is known before a question.
    fn can_ask(&self) -> bool;
}

/// Where a task's output goes, for people to see while it runs.
pub(crate) trait Output: Send + Sync {
    /// What an agent does with tools.
    fn activity(&self, _activity: AgentActivity) {}

    /// A piece of text.
    fn write(&self, stream: Stream, bytes: &[u8]);
}

/// Where a piece of the output of a command comes from.
pub(super) fn stream_of(stream: OutputStream) -> Stream {
    match stream {
        OutputStream::Stdout => Stream::Stdout,
        OutputStream::Stderr => Stream::Stderr,
    }
}
