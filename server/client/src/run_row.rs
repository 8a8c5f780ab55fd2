//! A run in the list of a server, in the words of this machine's lists.

use std::path::PathBuf;

use attractor_run::{ModeName, Reality, RunState, RunSummary, Usage};
use reqwest::Method;
use serde::Deserialize;

use crate::address::ServerAddress;
use crate::connection::Connection;
use crate::error::ClientError;

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
    status: RunState,
    started_at: String,
    ended_at: Option<String>,
    node: Option<String>,
    steps: u64,
    done: u32,
    nodes: u32,
    usage: Usage,
    reality: Option<Reality>,
    /// Servers of older versions say only this.
    #[serde(default)]
    simulated: bool,
}

#[derive(Deserialize)]
struct ShownRun {
    status: RunState,
}

/// The state of a run.
pub(crate) async fn state_of(connection: &Connection, run: &str) -> Result<RunState, ClientError> {
    let request = connection.request(Method::GET, &["pipelines", run]);
    let shown: ShownRun = connection.read(request).await?;
    Ok(shown.status)
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
            state: self.status,
            mode: ModeName::default(),
            reality: self
                .reality
                .unwrap_or_else(|| Reality::of_models(1, usize::from(self.simulated))),
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
