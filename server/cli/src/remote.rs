//! The runs of a server elsewhere (`attractor serve`): what `--server` reaches.
//!
//! Commands read the same events and send the same requests as for runs of this project, so they print the same.

use attractor_client::{Retries, Server};
use attractor_run::{Event, RunSummary};

use crate::error::Error;
use crate::project::RunFilter;

/// The most runs of a list.
const MOST: usize = 1000;

/// Whose runs a command is about.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ServerOption {
    /// Use the runs of this server; its token is read from `ATTRACTOR_TOKEN`
    #[arg(long, value_name = "URL", global = true)]
    server: Option<String>,
}

impl ServerOption {
    /// The server, if one is named.
    pub fn open(&self) -> Result<Option<Server>, Error> {
        let connect = |address: &String| Server::connect(address, None);
        Ok(self.server.as_ref().map(connect).transpose()?)
    }
}

/// The runs of a server, newest first.
pub async fn runs(server: &Server) -> Result<Vec<RunSummary>, Error> {
    Ok(server.runs(MOST).await?)
}

/// A run of a server: by its id or a unique prefix of it; otherwise the newest that matches.
pub async fn find(
    server: &Server,
    run: Option<&str>,
    filter: RunFilter,
) -> Result<RunSummary, Error> {
    let mut runs = runs(server).await?;
    let failed = |reason: String| Error::Remote { reason };
    let Some(run) = run else {
        let newest = runs.into_iter().find(|run| filter.is(run));
        return newest.ok_or_else(|| Error::NoRun {
            what: filter.description(),
            place: server.address().to_string(),
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
    let unknown = || failed(format!("{} has no run `{run}`", server.address()));
    runs.pop().ok_or_else(unknown)
}

/// Gives each event of a run, past and new ones, until its last.
pub async fn follow(
    server: &Server,
    run: &str,
    mut each: impl FnMut(&Event) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut events = server.follow(run, 0, Retries::Few);
    while let Some(event) = events.next().await {
        each(&event?)?;
    }
    Ok(())
}
