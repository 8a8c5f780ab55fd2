//! The runs of a server elsewhere (`attractor serve`): what `--server` reaches.
//!
//! Commands read the same events and send the same requests as for runs of this project, so they print the same.

use std::path::PathBuf;
use std::time::Duration;

use attractor_exec::secret_environment;
use attractor_llm::{ServerSentEvent, SseDecoder, http_client, is_loopback};
use attractor_run::{Event, RunState, RunSummary, Usage};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::sleep;
use url::Url;

use crate::error::Error;
use crate::project::RunFilter;

/// The variable with the token of the server.
const TOKEN: &str = "ATTRACTOR_TOKEN";

/// How long a server may take to begin its answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The pauses before a stream of events that broke off is opened again, in seconds.
const PAUSES: [u64; 5] = [1, 2, 4, 8, 16];

/// Whose runs a command is about.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ServerOption {
    /// The runs of the server at this address instead of those of this project; its token is in `ATTRACTOR_TOKEN`
    #[arg(long, value_name = "URL", global = true)]
    server: Option<String>,
}

/// A server.
pub struct RemoteServer {
    address: Url,
    client: reqwest::Client,
    token: String,
}

/// A page of the list of runs.
#[derive(Deserialize)]
struct Page {
    pipelines: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
    name: String,
    status: String,
    started_at: String,
    ended_at: Option<String>,
    node: Option<String>,
    steps: u64,
    done: u32,
    nodes: u32,
    usage: Usage,
}

impl ServerOption {
    /// The server, if one is named.
    pub fn open(&self) -> Result<Option<RemoteServer>, Error> {
        self.server.as_deref().map(RemoteServer::at).transpose()
    }
}

impl RemoteServer {
    fn at(address: &str) -> Result<Self, Error> {
        let mut address: Url = address
            .parse()
            .map_err(|error| failed(format!("`{address}` is not an address: {error}")))?;
        let is_local = is_loopback(&address);
        if address.scheme() != "https" && !(address.scheme() == "http" && is_local) {
            return Err(failed(format!(
                "{address} would send the token in the clear; use https://, or a tunnel to this machine"
            )));
        }
        if !address.path().ends_with('/') {
            let path = format!("{}/", address.path());
            address.set_path(&path);
        }
        // The token of this machine's servers is for them only.
        let kept = || is_local.then(super::commands::serve::kept_token).flatten();
        let token = secret_environment::variable(TOKEN).or_else(kept);
        let token = token.ok_or_else(|| {
            failed(format!(
                "the token of {address} is not known; set {TOKEN} to what `attractor serve` prints there"
            ))
        })?;
        let client = http_client(&address).connect_timeout(PATIENCE).build();
        let client = client.map_err(|error| failed(error.to_string()))?;
        Ok(Self {
            address,
            client,
            token,
        })
    }

    /// Its runs, newest first.
    pub async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        let answer = self.send(self.request(Method::GET, &["pipelines"])).await?;
        let page: Page = read(answer).await?;
        Ok(page
            .pipelines
            .into_iter()
            .map(|run| self.summary(run))
            .collect())
    }

    /// A run: by its id or a unique prefix of it; otherwise the newest that matches.
    pub async fn find(&self, run: Option<&str>, filter: RunFilter) -> Result<RunSummary, Error> {
        let mut runs = self.runs().await?;
        let Some(run) = run else {
            let newest = runs.into_iter().find(|run| filter.is(run));
            return newest.ok_or_else(|| Error::NoRun {
                what: filter.description(),
                place: self.address.to_string(),
            });
        };
        let beginning = run.to_ascii_uppercase();
        runs.retain(|run| run.run.starts_with(&beginning));
        if runs.len() > 1 {
            let ids: Vec<String> = runs.into_iter().map(|run| run.run).collect();
            let ids = ids.join(", ");
            return Err(failed(format!(
                "run id `{run}` is ambiguous; candidates: {ids}"
            )));
        }
        let unknown = || failed(format!("{} has no run `{run}`", self.address));
        runs.pop().ok_or_else(unknown)
    }

    /// The events of a run so far.
    pub async fn events(&self, run: &str) -> Result<Vec<Event>, Error> {
        let mut events = Vec::new();
        self.read_events(run, 0, false, &mut |event| {
            events.push(event);
            Ok(())
        })
        .await?;
        Ok(events)
    }

    /// Gives each event of a run, past and new ones, until its last. A connection that breaks off is opened again where
    /// it was.
    pub async fn follow(
        &self,
        run: &str,
        mut each: impl FnMut(&Event) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut last, mut failures) = (0, 0);
        let mut is_over = false;
        loop {
            let before = last;
            let read = self
                .read_events(run, last, true, &mut |event| {
                    each(&event)?;
                    last = event.seq;
                    is_over = event.kind.is_end();
                    Ok(())
                })
                .await;
            if is_over {
                return Ok(());
            }
            failures = if last > before { 0 } else { failures + 1 };
            match (read, PAUSES.get(failures)) {
                (Ok(()), None) => return Ok(()),
                (Err(Error::Disconnected { .. }) | Ok(()), Some(pause)) => {
                    sleep(Duration::from_secs(*pause)).await;
                }
                (Err(error), _) => return Err(error),
            }
        }
    }

    /// Answers a question of a run.
    pub async fn answer(
        &self,
        run: &str,
        question: &str,
        answer: &str,
        text: Option<&str>,
    ) -> Result<(), Error> {
        let path = ["pipelines", run, "questions", question, "answer"];
        self.post(&path, &json!({ "answer": answer, "text": text }))
            .await
    }

    /// Sends a message to a node of a run.
    pub async fn steer(&self, run: &str, node: &str, message: &str) -> Result<(), Error> {
        let body = json!({ "node": node, "message": message });
        self.post(&["pipelines", run, "steer"], &body).await
    }

    /// Cancels a run.
    pub async fn cancel(&self, run: &str) -> Result<(), Error> {
        self.post(&["pipelines", run, "cancel"], &json!({})).await
    }

    async fn post(&self, path: &[&str], body: &Value) -> Result<(), Error> {
        let request = self.request(Method::POST, path);
        let request = request
            .header("content-type", "application/json")
            .body(body.to_string());
        self.send(request).await.map(drop)
    }

    fn request(&self, method: Method, path: &[&str]) -> RequestBuilder {
        let mut address = self.address.clone();
        // An address with `http` or `https` has a path.
        if let Ok(mut parts) = address.path_segments_mut() {
            parts.pop_if_empty().extend(path);
        }
        let request = self.client.request(method, address);
        request.bearer_auth(&self.token)
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Error> {
        let unreachable = |reason: String| Error::Disconnected {
            server: self.address.to_string(),
            reason,
        };
        let answer = tokio::time::timeout(PATIENCE, request.send()).await;
        let answer = answer.map_err(|_| unreachable("it does not answer".to_owned()))?;
        let answer = answer.map_err(|error| unreachable(root(&error)))?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let status = answer.status();
        let body: Value = answer.json().await.unwrap_or_default();
        let message = body.pointer("/error/message").and_then(Value::as_str);
        Err(failed(match (status, message) {
            (StatusCode::UNAUTHORIZED, _) => {
                format!("{} does not accept the token; set {TOKEN}", self.address)
            }
            (_, Some(message)) => message.to_owned(),
            _ => format!("{} answers {status}", self.address),
        }))
    }

    /// Reads the events after a number; those so far, or also new ones until the connection ends.
    async fn read_events(
        &self,
        run: &str,
        after: u64,
        follow: bool,
        each: &mut dyn FnMut(Event) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let request = self.request(Method::GET, &["pipelines", run, "events"]);
        let query = [("after", after.to_string()), ("follow", follow.to_string())];
        let mut answer = self.send(request.query(&query)).await?;
        let mut decoder = SseDecoder::default();
        let disconnected = |reason: String| Error::Disconnected {
            server: self.address.to_string(),
            reason,
        };
        while let Some(bytes) = answer
            .chunk()
            .await
            .map_err(|error| disconnected(root(&error)))?
        {
            let mut frames: Vec<ServerSentEvent> = Vec::new();
            decoder
                .push(&bytes, &mut frames)
                .map_err(|error| failed(error.to_string()))?;
            for frame in frames.iter().filter(|frame| frame.event != "gap") {
                let event = serde_json::from_str(&frame.data);
                each(event.map_err(|error| {
                    failed(format!(
                        "{} sends an event that this version does not read: {error}",
                        self.address
                    ))
                })?)?;
            }
        }
        Ok(())
    }

    fn summary(&self, run: Listed) -> RunSummary {
        let states = [
            ("running", RunState::Running),
            ("waiting", RunState::Waiting),
            ("success", RunState::Succeeded),
            ("cancelled", RunState::Cancelled),
            ("escalated", RunState::Escalated),
            ("interrupted", RunState::Interrupted),
        ];
        let state = states.into_iter().find(|(name, _)| *name == run.status);
        RunSummary {
            directory: PathBuf::from(format!("{}pipelines/{}", self.address, run.id)),
            run: run.id,
            pipeline: run.name,
            path: PathBuf::new(),
            workdir: PathBuf::new(),
            state: state.map_or(RunState::Failed, |(_, state)| state),
            mode: attractor_run::ModeName::default(),
            started_at: run.started_at,
            ended_at: run.ended_at,
            node: run.node,
            steps: run.steps,
            done: run.done,
            nodes: run.nodes,
            usage: run.usage,
        }
    }
}

async fn read<T: serde::de::DeserializeOwned>(answer: Response) -> Result<T, Error> {
    let body = answer.json().await;
    body.map_err(|error| {
        failed(format!(
            "the server's answer cannot be read: {}",
            root(&error)
        ))
    })
}

fn failed(reason: String) -> Error {
    Error::Remote { reason }
}

/// The first cause of an error, which is what a person can act on.
fn root(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
