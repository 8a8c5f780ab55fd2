//! A call of the model that failed, and what a user should know.

use attractor_llm::{Error, ErrorKind};
use tokio_util::sync::CancellationToken;

use super::state::{Next, Work};
use crate::error::AgentError;
use crate::event::AgentEventKind;
use crate::session::completion::Ending;
use crate::session::signatures;

impl Work<'_> {
    /// A call of the model that failed, or was interrupted.
    pub(super) fn failed(&mut self, error: &Error, cancel: &CancellationToken) -> Next {
        if self.worker.controls.is_stopped() {
            return Next::End(self.stopped());
        }
        if cancel.is_cancelled() {
            return Next::Turn;
        }
        if signatures::is_refused(error) && signatures::remove(self.messages) {
            self.worker.replace(self.messages);
            self.warn(vec![format!(
                "the provider does not accept the reasoning of earlier turns; the request is sent again without it: {error}"
            )]);
            return Next::Turn;
        }
        if error.kind() == ErrorKind::ContextLength && self.compact_after(error) {
            return Next::Turn;
        }
        self.worker.events.emit(AgentEventKind::Error {
            error: error.to_string(),
            phase: "llm_call".to_owned(),
        });
        Next::End(Ending::Failed(AgentError::from(error)))
    }

    pub(super) fn fail(&self, error: AgentError) -> Next {
        self.worker.events.emit(AgentEventKind::Error {
            error: error.message.clone(),
            phase: "llm_call".to_owned(),
        });
        Next::End(Ending::Failed(error))
    }

    pub(super) fn stopped(&self) -> Ending {
        match self.budget.reached() {
            Some(limit) if limit.limit == "timeout" => Ending::Limit(limit),
            _ => Ending::Cancelled,
        }
    }

    pub(super) fn warn(&mut self, warnings: Vec<String>) {
        for message in warnings {
            if self.completion.warnings.contains(&message) {
                continue;
            }
            self.worker.events.emit(AgentEventKind::Warning {
                message: message.clone(),
            });
            self.completion.warnings.push(message);
        }
    }
}
