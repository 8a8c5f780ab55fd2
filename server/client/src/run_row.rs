//! A run in the list of a server, in the words of this machine's lists.

use std::path::PathBuf;

use attractor_run::{ModeName, RunState, RunSummary, Usage};
use reqwest::Method;
use serde::Deserialize;

use crate::address::ServerAddress;
use crate::connection::Connection;
use crate::error::ClientError;

/// The words of the server for the states of runs that differ from ours.
const STATES: [(&str, RunState); 6] = [
    ("running", RunState::Running),
    ("waiting", RunState::Waiting),
    ("success", RunState::Succeeded),
    ("cancelled", RunState::Cancelled),
    ("escalated", RunState::Escalated),
    ("interrupted", RunState::Interrupted),
];

/// A page of the list of runs.
#[derive(Deserialize)]
pub(crate) struct RunPage {
    pub(crate) pipelines: Vec<RunRow>,
}

/// One run of a page.
#[derive(Deserialize)]
pub(crate) struct RunRow {
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

#[derive(Deserialize)]
struct RunStatus {
    status: String,
}

/// The state of a run.
pub(crate) async fn state_of(connection: &Connection, run: &str) -> Result<RunState, ClientError> {
    let request = connection.request(Method::GET, &["pipelines", run]);
    let shown: RunStatus = connection.read(request).await?;
    Ok(state(&shown.status))
}

/// The state of a run by the server's word for it.
fn state(status: &str) -> RunState {
    let known = STATES.into_iter().find(|(name, _)| *name == status);
    known.map_or(RunState::Failed, |(_, state)| state)
}

impl RunRow {
    /// The run as lists show it. Its files are on the server, so the folders are empty paths.
    pub(crate) fn summary(self, server: &ServerAddress) -> RunSummary {
        RunSummary {
            directory: PathBuf::from(server.join(&["pipelines", &self.id]).to_string()),
            run: self.id,
            pipeline: self.name,
            path: PathBuf::new(),
            workdir: PathBuf::new(),
            state: state(&self.status),
            mode: ModeName::default(),
            started_at: self.started_at,
            ended_at: self.ended_at,
            node: self.node,
            steps: self.steps,
            done: self.done,
            nodes: self.nodes,
            usage: self.usage,
        }
    }
}
