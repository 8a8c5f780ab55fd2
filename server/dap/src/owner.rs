//! The process that owns the run that is debugged: this one, or another one that is asked over its socket.

use std::path::PathBuf;
use std::time::Duration;

use attractor_run::{Answer, Answered, ControlRequest, PauseRequest, RunHandle, post, snapshot_of};

use crate::session::by;

/// How long another process has to reply.
const PATIENCE: Duration = Duration::from_secs(10);

/// Who owns the run.
pub(crate) enum Owner {
    /// This process.
    This(RunHandle),
    /// Another one; the directory of the run.
    Other(PathBuf),
    /// No run is debugged yet.
    None,
}

impl Owner {
    /// Pauses the run, lets it continue, or changes it.
    pub(crate) async fn ask(self, request: PauseRequest) -> Answered {
        match self {
            Self::This(run) => run.pausing(request).await,
            other => other.post(ControlRequest::Pausing(request)).await,
        }
    }

    /// Answers the first open question.
    pub(crate) async fn answer(self, choice: String) -> Answered {
        let questions = match &self {
            Self::This(run) => run.questions(),
            Self::Other(directory) => {
                let snapshot = tokio::task::block_in_place(|| snapshot_of(directory));
                snapshot.map_or_else(|_| Vec::new(), |snapshot| snapshot.questions)
            }
            Self::None => Vec::new(),
        };
        let Some(question) = questions.first().map(|question| question.id.clone()) else {
            return Answered::refused("the run asks nothing".to_owned());
        };
        let answer = Answer {
            choice,
            text: None,
            by: by(),
        };
        match self {
            Self::This(run) => run.answer(&question, answer).await,
            other => {
                other
                    .post(ControlRequest::Answer { question, answer })
                    .await
            }
        }
    }

    /// Cancels the run.
    pub(crate) async fn cancel(self) {
        if let Self::This(run) = &self {
            run.cancel(&by());
            return;
        }
        let answered = self.post(ControlRequest::Cancel { by: by() }).await;
        if let Some(reason) = answered.reason {
            tracing::debug!(reason, "the run was not cancelled");
        }
    }

    async fn post(self, request: ControlRequest) -> Answered {
        let Self::Other(directory) = self else {
            return Answered::refused("no run is debugged yet".to_owned());
        };
        let sent = move || post(&directory, &request, PATIENCE);
        match tokio::task::spawn_blocking(sent).await {
            Ok(Ok(answered)) => answered,
            Ok(Err(error)) => Answered::refused(error.to_string()),
            Err(error) => Answered::refused(error.to_string()),
        }
    }
}
