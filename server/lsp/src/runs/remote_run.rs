//! A run of a server elsewhere.

use std::sync::Arc;

use attractor_client::{AnswerOutcome, ClientError, Retries, Server};
use attractor_run::{Answer, Answered, Event, RunSnapshot, RunState};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

use crate::errors::ServerError;

/// A run of a server elsewhere. Cheap to clone.
#[derive(Clone)]
pub(crate) struct RemoteRun {
    /// The server.
    pub(crate) server: Server,
    id: String,
}

impl RemoteRun {
    /// A run of a server by its id.
    pub(crate) fn new(server: Server, id: String) -> Self {
        Self { server, id }
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// What people call its server.
    pub(crate) fn server_name(&self) -> String {
        self.server.address().name()
    }

    /// Its events so far, after a number.
    pub(crate) async fn events(&self, after: u64) -> Result<Vec<Arc<Event>>, ServerError> {
        let events = self.server.events(&self.id, after).await?;
        Ok(events.into_iter().map(Arc::new).collect())
    }

    /// Its events after a number, and new ones as they come. While the server cannot be reached, nothing comes.
    pub(crate) fn subscribe(&self, after: u64) -> BoxStream<'static, Arc<Event>> {
        let events = self.server.follow(&self.id, after, Retries::Endless);
        let events = stream::unfold(events, |mut events| async move {
            match events.next().await? {
                Ok(event) => Some((Arc::new(event), events)),
                Err(error) => {
                    tracing::warn!(%error, "the events of a run elsewhere end");
                    None
                }
            }
        });
        events.boxed()
    }

    /// What its events add up to.
    pub(crate) async fn snapshot(&self) -> Result<RunSnapshot, ServerError> {
        Ok(RunSnapshot::of(&self.server.events(&self.id, 0).await?))
    }

    /// Its state, also that its process has ended, which no event says.
    pub(crate) async fn state(&self) -> Result<RunState, ServerError> {
        Ok(self.server.state(&self.id).await?)
    }

    /// Answers a question.
    pub(crate) async fn answer(
        &self,
        question: &str,
        answer: &Answer,
    ) -> Result<Answered, ServerError> {
        let text = answer.text.as_deref();
        let sent = self
            .server
            .answer(&self.id, question, &answer.choice, text)
            .await;
        match sent {
            Ok(AnswerOutcome::Accepted) => Ok(Answered::accepted()),
            Ok(AnswerOutcome::Late { by }) => Ok(Answered {
                by: Some(by),
                ..Answered::refused("someone was first".to_owned())
            }),
            Err(error) => refused(error),
        }
    }

    /// Sends a message to a node.
    pub(crate) async fn steer(&self, node: &str, message: &str) -> Result<Answered, ServerError> {
        match self.server.steer(&self.id, node, message).await {
            Ok(()) => Ok(Answered::accepted()),
            Err(error) => refused(error),
        }
    }

    /// Continues the run.
    pub(crate) async fn resume(&self) -> Result<(), ServerError> {
        Ok(self.server.resume(&self.id).await?)
    }

    /// Requests the run to stop.
    pub(crate) async fn cancel(&self) -> Result<(), ServerError> {
        Ok(self.server.cancel(&self.id).await?)
    }
}

/// A refusal of the run itself, in contrast to one of the server.
fn refused(error: ClientError) -> Result<Answered, ServerError> {
    match error {
        ClientError::Refused {
            status: 409,
            message,
            ..
        } => Ok(Answered::refused(message)),
        other => Err(other.into()),
    }
}
