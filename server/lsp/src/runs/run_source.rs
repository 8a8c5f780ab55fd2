//! Where a run is, and what can be asked of it there: in this process, in a folder of this machine, or on a server
//! elsewhere. Commands ask here, so that they are the same for all of them.

use std::path::Path;
use std::sync::Arc;

use attractor_run::{
    Answer, Answered, ControlRequest, Event, RunHandle, RunSnapshot, RunState, RunSummary,
};
use futures::StreamExt as _;
use futures::stream::BoxStream;

use super::other_process;
use super::remote_run::RemoteRun;
use crate::errors::ServerError;
use attractor_proto::RequestError;

/// Where a run is.
#[derive(Clone)]
pub(crate) enum RunSource {
    /// In this process.
    Local(RunHandle),
    /// In a folder of this machine; another process may work on it.
    Stored(RunSummary),
    /// On a server elsewhere.
    Remote(RemoteRun),
}

impl RunSource {
    /// The run's id.
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Local(handle) => handle.id().as_str(),
            Self::Stored(summary) => &summary.run,
            Self::Remote(run) => run.id(),
        }
    }

    /// Whether it is in this process.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self, Self::Local(_))
    }

    /// The name of the server it is on; `None` for a run of this machine.
    pub(crate) fn server(&self) -> Option<String> {
        match self {
            Self::Remote(run) => Some(run.server_name()),
            Self::Local(_) | Self::Stored(_) => None,
        }
    }

    /// Its directory, if that is on this machine.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match self {
            Self::Local(handle) => Some(handle.directory()),
            Self::Stored(summary) => Some(&summary.directory),
            Self::Remote(_) => None,
        }
    }

    /// Its events so far, after a number.
    pub(crate) async fn events(&self, after: u64) -> Result<Vec<Arc<Event>>, ServerError> {
        match self {
            Self::Local(handle) => Ok(handle.events(after)),
            Self::Stored(summary) => {
                let events = load(summary).await?.into_iter();
                let events = events.filter(|event| event.seq > after);
                Ok(events.map(Arc::new).collect())
            }
            Self::Remote(run) => run.events(after).await,
        }
    }

    /// Its events after a number, and new ones as they come, to its end. One of another process ends with that, too.
    pub(crate) fn subscribe(&self, after: u64) -> BoxStream<'static, Arc<Event>> {
        match self {
            Self::Local(handle) => handle.subscribe(after).boxed(),
            Self::Stored(summary) => other_process::events(&summary.directory, after).boxed(),
            Self::Remote(run) => run.subscribe(after),
        }
    }

    /// Its state now.
    pub(crate) async fn state(&self) -> Result<RunState, ServerError> {
        match self {
            Self::Local(handle) => Ok(handle.snapshot().state),
            Self::Stored(summary) => other_process::state(&summary.directory).await,
            Self::Remote(run) => run.state().await,
        }
    }

    /// Where it is now.
    pub(crate) async fn snapshot(&self) -> Result<RunSnapshot, ServerError> {
        let (mut snapshot, state) = match self {
            Self::Local(handle) => return Ok(handle.snapshot()),
            Self::Stored(summary) => (
                RunSnapshot::of(&load(summary).await?),
                other_process::state(&summary.directory).await?,
            ),
            Self::Remote(run) => (run.snapshot().await?, run.state().await?),
        };
        // A journal does not contain that its process died.
        if state == RunState::Interrupted && !snapshot.state.is_end() {
            snapshot.interrupt();
        }
        Ok(snapshot)
    }

    /// Answers a question. The first answer counts.
    pub(crate) async fn answer(
        &self,
        question: &str,
        answer: Answer,
    ) -> Result<Answered, ServerError> {
        match self {
            Self::Local(handle) => Ok(handle.answer(question, answer).await),
            Self::Stored(summary) => {
                let question = question.to_owned();
                let request = ControlRequest::Answer { question, answer };
                other_process::post(&summary.directory, request).await
            }
            Self::Remote(run) => run.answer(question, &answer).await,
        }
    }

    /// Sends a message to a node.
    pub(crate) async fn steer(
        &self,
        node: &str,
        message: &str,
        by: &str,
    ) -> Result<Answered, ServerError> {
        match self {
            Self::Local(handle) => Ok(handle.steer_or_keep(node, message, by).await),
            Self::Stored(summary) => {
                let request = ControlRequest::Steer {
                    node: node.to_owned(),
                    message: message.to_owned(),
                    by: by.to_owned(),
                };
                other_process::post(&summary.directory, request).await
            }
            Self::Remote(run) => run.steer(node, message).await,
        }
    }

    /// Requests the run to stop; its events report the end.
    pub(crate) async fn cancel(&self, by: &str) -> Result<(), ServerError> {
        match self {
            Self::Local(handle) => {
                handle.cancel(by);
                Ok(())
            }
            Self::Stored(summary) => {
                let by = by.to_owned();
                let request = ControlRequest::Cancel { by };
                other_process::post(&summary.directory, request)
                    .await
                    .map(drop)
            }
            Self::Remote(run) => run.cancel().await,
        }
    }
}

/// The events of a run on the disk, read off the server's own task.
async fn load(summary: &RunSummary) -> Result<Vec<Event>, ServerError> {
    let directory = summary.directory.clone();
    let read = move || attractor_run::load_events(&directory);
    let events = tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| RequestError::Internal)?;
    events.map_err(|error| ServerError::from(&error))
}
