//! A call of the model that failed, and what a user should know.

use std::time::Duration;

use attractor_llm::{Error, ErrorKind};
use tokio_util::sync::CancellationToken;

use super::state::{Next, Work};
use crate::error::AgentError;
use crate::event::AgentEventKind;
use crate::session::completion::Ending;

/// How many answers in a row may break off.
const BROKEN_ANSWERS: u32 = 3;

/// The delay before an answer that broke off is requested again; doubled each time.
const BROKEN_DELAY: Duration = Duration::from_secs(1);

impl Work<'_> {
    /// A call of the model that failed, or was interrupted.
    pub(super) async fn failed(&mut self, error: &Error, cancel: &CancellationToken) -> Next {
        if self.worker.controls.is_stopped() {
            return Next::End(self.stopped());
        }
        if cancel.is_cancelled() {
            return Next::Turn;
        }
        self.broken += 1;
        let broke_off =
            error.kind() == ErrorKind::Stream && self.worker.request.max_retries != Some(0);
        if broke_off && self.broken < BROKEN_ANSWERS {
            self.warn(vec![format!("{error}; the answer is requested again")]);
            let delay = BROKEN_DELAY.saturating_mul(1 << (self.broken - 1));
            tokio::select! {
                () = tokio::time::sleep(delay) => {}
                () = cancel.cancelled() => {}
            }
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
