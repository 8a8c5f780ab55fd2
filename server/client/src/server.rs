//! A server, and what can be asked of it.

use attractor_run::{Event, NodeAttempt, RunState, RunSummary};
use reqwest::{Method, RequestBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::address::ServerAddress;
use crate::changes::RemoteChanges;
use crate::connection::Connection;
use crate::error::ClientError;
use crate::event_stream::{self, EventStream, Retries};
use crate::frame_stream::FrameStream;
use crate::run_changes::RunChanges;
use crate::run_row::{RunPage, state_of};
use crate::token::Token;

/// A server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Server {
    connection: Connection,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerOutcome {
    /// It counted.
    Accepted,
    /// Someone was first.
    Late {
        /// Who.
        by: String,
    },
}

#[derive(Deserialize)]
struct StageFiles {
    files: Vec<String>,
}

impl Server {
    /// The server at an address. Nothing is sent yet. `token` is what the caller has for this server; otherwise it comes
    /// from `ATTRACTOR_TOKEN`, and for a server of this machine from the file that it keeps.
    ///
    /// # Errors
    /// The address cannot be used, or no token is known for it.
    pub fn connect(address: &str, token: Option<String>) -> Result<Self, ClientError> {
        let address = ServerAddress::read(address)?;
        let token = Token::find(token, &address).ok_or_else(|| ClientError::NoToken {
            server: address.to_string(),
        })?;
        Ok(Self {
            connection: Connection::new(address, token)?,
        })
    }

    /// Its address.
    pub fn address(&self) -> &ServerAddress {
        &self.connection.address
    }

    /// Its newest runs, newest first; at most 1000.
    ///
    /// # Errors
    /// As every request: the server cannot be reached, refuses, or answers what is not understood.
    pub async fn runs(&self, limit: usize) -> Result<Vec<RunSummary>, ClientError> {
        let request = self.request(Method::GET, &["pipelines"]);
        let request = request.query(&[("limit", limit)]);
        let page: RunPage = self.connection.read(request).await?;
        let runs = page.pipelines.into_iter();
        Ok(runs.map(|run| run.summary(self.address())).collect())
    }

    /// The newest runs, at most `limit`, and then each change of the list as it happens.
    ///
    /// # Errors
    /// As every request.
    pub async fn run_changes(&self, limit: usize) -> Result<RunChanges, ClientError> {
        let request = self.request(Method::GET, &["events"]);
        let request = request.query(&[("limit", limit)]);
        let open = FrameStream::open(&self.connection, request).await?;
        Ok(RunChanges::new(self.address().clone(), open))
    }

    /// The events of a run so far, after number `after` (0 for all).
    ///
    /// # Errors
    /// As every request.
    pub async fn events(&self, run: &str, after: u64) -> Result<Vec<Event>, ClientError> {
        let mut stream = event_stream::open(&self.connection, run, after, false).await?;
        let mut events = Vec::new();
        while let Some(frame) = stream.next().await? {
            if frame.event != "gap" {
                events.push(stream.read(&frame)?);
            }
        }
        Ok(events)
    }

    /// The events of a run after number `after`, past and new ones, until its last.
    pub fn follow(&self, run: &str, after: u64, retries: Retries) -> EventStream {
        EventStream::new(self.connection.clone(), run, after, retries)
    }

    /// The state of a run.
    ///
    /// # Errors
    /// As every request.
    pub async fn state(&self, run: &str) -> Result<RunState, ClientError> {
        state_of(&self.connection, run).await
    }

    /// The text of the pipeline of a run, as it was when the run began.
    ///
    /// # Errors
    /// As every request.
    pub async fn source(&self, run: &str) -> Result<String, ClientError> {
        let request = self.request(Method::GET, &["pipelines", run, "graph"]);
        let request = request.query(&[("format", "source")]);
        self.connection.text(request).await
    }

    /// Answers a question of a run.
    ///
    /// # Errors
    /// As every request; the answer does not fit the question (422), or nobody waits for it (409).
    pub async fn answer(
        &self,
        run: &str,
        question: &str,
        answer: &str,
        text: Option<&str>,
    ) -> Result<AnswerOutcome, ClientError> {
        let path = ["pipelines", run, "questions", question, "answer"];
        let body = json!({ "answer": answer, "text": text });
        match self.post(&path, &body).await {
            Ok(()) => Ok(AnswerOutcome::Accepted),
            Err(ClientError::Refused {
                status,
                message,
                body,
            }) => match body.get("by").and_then(Value::as_str) {
                Some(by) => Ok(AnswerOutcome::Late { by: by.to_owned() }),
                None => Err(ClientError::Refused {
                    status,
                    message,
                    body,
                }),
            },
            Err(error) => Err(error),
        }
    }

    /// Sends a message to a node of a run.
    ///
    /// # Errors
    /// As every request; the node takes no messages (409).
    pub async fn steer(&self, run: &str, node: &str, message: &str) -> Result<(), ClientError> {
        let body = json!({ "node": node, "message": message });
        self.post(&["pipelines", run, "steer"], &body).await
    }

    /// Cancels a run.
    ///
    /// # Errors
    /// As every request; the run has ended (409).
    pub async fn cancel(&self, run: &str) -> Result<(), ClientError> {
        self.post(&["pipelines", run, "cancel"], &json!({})).await
    }

    /// Pauses a run.
    ///
    /// # Errors
    /// As every request; the run is paused already, or has ended (409).
    pub async fn pause(&self, run: &str) -> Result<(), ClientError> {
        self.post(&["pipelines", run, "pause"], &json!({})).await
    }

    /// Continues a run that was interrupted, failed or was cancelled.
    ///
    /// # Errors
    /// As every request; a process works on the run, or it has ended well (409).
    pub async fn resume(&self, run: &str) -> Result<(), ClientError> {
        self.post(&["pipelines", run, "resume"], &json!({})).await
    }

    /// What a run changed in the files of the server, or one of its nodes in one of its visits; with the whole texts
    /// where `contents` says so.
    ///
    /// # Errors
    /// As every request; nothing is recorded (404), or the node works (409).
    pub async fn changes(
        &self,
        run: &str,
        node: Option<(&str, Option<u32>)>,
        contents: bool,
    ) -> Result<RemoteChanges, ClientError> {
        let node = node.map(|(node, visit)| match visit {
            Some(visit) => format!("{node}@{visit}"),
            None => node.to_owned(),
        });
        let mut path = vec!["pipelines", run, "diff"];
        path.extend(node.as_deref());
        let request = self.request(Method::GET, &path);
        let request = request.query(&[("contents", contents)]);
        self.connection.read(request).await
    }

    /// The names of the files of an attempt.
    ///
    /// # Errors
    /// As every request.
    pub async fn stage_files(
        &self,
        run: &str,
        at: &NodeAttempt,
    ) -> Result<Vec<String>, ClientError> {
        let files: StageFiles = self.connection.read(self.stage(run, at, None)).await?;
        Ok(files.files)
    }

    /// A file of an attempt.
    ///
    /// # Errors
    /// As every request.
    pub async fn stage_file(
        &self,
        run: &str,
        at: &NodeAttempt,
        file: &str,
    ) -> Result<String, ClientError> {
        self.connection.text(self.stage(run, at, Some(file))).await
    }

    fn stage(&self, run: &str, at: &NodeAttempt, file: Option<&str>) -> RequestBuilder {
        let (visit, attempt) = (at.visit.to_string(), at.attempt.to_string());
        let mut path = vec!["pipelines", run, "stages", &at.node, &visit, &attempt];
        path.extend(file);
        let inside = [("graph", &at.graph), ("branch", &at.branch)];
        let query: Vec<_> = inside
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)))
            .collect();
        self.request(Method::GET, &path).query(&query)
    }

    async fn post(&self, path: &[&str], body: &Value) -> Result<(), ClientError> {
        let request = self.request(Method::POST, path).json(body);
        self.connection.send(request).await.map(drop)
    }

    fn request(&self, method: Method, path: &[&str]) -> RequestBuilder {
        self.connection.request(method, path)
    }
}
