//! The server elsewhere whose runs are shown, too: which one it is, its list of runs, and what is wrong with it.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use attractor_client::Server;
use attractor_run::RunSummary;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::remote_run::RemoteRun;
use crate::ext::notifications::{Health, RemoteServer};
use attractor_proto::sync::lock;

/// The server elsewhere. Without the setting `attractor.server.remote` there is none.
#[derive(Default)]
pub(crate) struct RemoteRuns(Mutex<State>);

/// A token that the editor keeps, and the server it is for: no other server ever gets it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct EditorToken {
    /// The address, as in the setting.
    pub(crate) server: String,
    /// The token; none where the editor has none for this server.
    pub(crate) token: Option<String>,
}

#[derive(Default)]
struct State {
    editor_token: Option<EditorToken>,
    connection: Option<Connection>,
}

/// What is known of one server.
struct Connection {
    address: String,
    token: Option<String>,
    /// Cancelled when the setting or the token changes.
    stop: CancellationToken,
    server: Option<Server>,
    runs: Vec<RunSummary>,
    problem: Option<RemoteProblem>,
    /// The texts of pipelines, by run.
    sources: HashMap<String, Arc<str>>,
    /// Where documents of runs are written to; removed with the connection.
    folder: Option<TempDir>,
}

/// What is wrong with the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteProblem {
    /// How bad it is.
    pub(crate) health: Health,
    /// What it is, and what to do.
    pub(crate) message: String,
}

/// A connection to begin.
pub(crate) struct NewConnection {
    /// The address.
    pub(crate) address: String,
    /// The editor's token.
    pub(crate) token: Option<String>,
    /// Cancelled when it is to end.
    pub(crate) stop: CancellationToken,
}

/// What follows from the setting and the token as they are now.
pub(crate) enum Change {
    /// Nothing.
    None,
    /// The connection has ended.
    Disconnected,
    /// Another one is to begin.
    Connect(NewConnection),
}

impl RemoteRuns {
    /// Whether the server is reached; `None` without one, and before its first answer.
    pub(crate) fn status(&self) -> Option<RemoteServer> {
        let state = lock(&self.0);
        let connection = state.connection.as_ref()?;
        let connected = connection.problem.is_none();
        (connection.server.is_some() || !connected).then(|| RemoteServer {
            server: connection.address.clone(),
            connected,
        })
    }

    /// Keeps the editor's token.
    pub(crate) fn set_token(&self, token: EditorToken) {
        lock(&self.0).editor_token = Some(token);
    }

    /// Ends the connection unless it is to `address` with the token of now. `waits_for_token` is whether the editor sends
    /// one for each server before anything is sent there.
    pub(crate) fn connect_to(&self, address: &str, waits_for_token: bool) -> Change {
        let mut state = lock(&self.0);
        let sent = state.editor_token.clone();
        let sent = sent.filter(|sent| sent.server == address);
        let is_wanted = !address.is_empty() && (sent.is_some() || !waits_for_token);
        let token = sent.and_then(|sent| sent.token);
        let current = state.connection.as_ref();
        let is_same = match current {
            Some(current) => is_wanted && (&*current.address, &current.token) == (address, &token),
            None => !is_wanted,
        };
        if is_same {
            return Change::None;
        }
        if let Some(old) = state.connection.take() {
            old.stop.cancel();
        }
        if !is_wanted {
            return Change::Disconnected;
        }
        let stop = CancellationToken::new();
        state.connection = Some(Connection {
            address: address.to_owned(),
            token: token.clone(),
            stop: stop.clone(),
            server: None,
            runs: Vec::new(),
            problem: None,
            sources: HashMap::new(),
            folder: None,
        });
        Change::Connect(NewConnection {
            address: address.to_owned(),
            token,
            stop,
        })
    }

    /// The list of runs, newest first, of a server that answers.
    pub(crate) fn set_runs(&self, server: &Server, runs: Vec<RunSummary>) {
        if let Some(connection) = &mut lock(&self.0).connection {
            connection.server = Some(server.clone());
            connection.runs = runs;
        }
    }

    /// Puts a new or changed run into the list, which has at most `limit` runs.
    pub(crate) fn set_run(&self, run: &RunSummary, limit: usize) {
        if let Some(connection) = &mut lock(&self.0).connection {
            let runs = &mut connection.runs;
            // Ids are in the order of start.
            match runs.binary_search_by(|known| run.run.cmp(&known.run)) {
                Ok(at) => {
                    if let Some(known) = runs.get_mut(at) {
                        run.clone_into(known);
                    }
                }
                Err(at) => runs.insert(at, run.clone()),
            }
            runs.truncate(limit);
        }
    }

    /// Takes a run from the list.
    pub(crate) fn remove_run(&self, run: &str) {
        if let Some(connection) = &mut lock(&self.0).connection {
            connection.runs.retain(|known| known.run != run);
        }
    }

    /// What is wrong from now on, `None` for nothing. Returns whether that is news.
    pub(crate) fn set_problem(&self, problem: Option<RemoteProblem>) -> bool {
        let mut state = lock(&self.0);
        let Some(connection) = &mut state.connection else {
            return false;
        };
        let is_news = connection.problem != problem;
        connection.problem = problem;
        is_news
    }

    /// What is wrong.
    pub(crate) fn problem(&self) -> Option<RemoteProblem> {
        lock(&self.0).connection.as_ref()?.problem.clone()
    }

    /// The name of the server, and its runs as they were last listed, newest first.
    pub(crate) fn list(&self) -> Option<(String, Vec<RunSummary>)> {
        let state = lock(&self.0);
        let connection = state.connection.as_ref()?;
        let name = connection.server.as_ref()?.address().name();
        Some((name, connection.runs.clone()))
    }

    /// A run of the server.
    pub(crate) fn find(&self, run: &str) -> Option<RemoteRun> {
        let state = lock(&self.0);
        let connection = state.connection.as_ref()?;
        let listed = connection.runs.iter().any(|listed| listed.run == run);
        let server = connection.server.clone().filter(|_| listed)?;
        Some(RemoteRun::new(server, run.to_owned()))
    }

    /// Keeps the text of the pipeline of a run.
    pub(crate) fn set_source(&self, run: &str, text: &Arc<str>) {
        if let Some(connection) = &mut lock(&self.0).connection {
            connection.sources.insert(run.to_owned(), Arc::clone(text));
        }
    }

    /// The text of the pipeline of a run that is followed.
    pub(crate) fn source(&self, run: &str) -> Option<Arc<str>> {
        lock(&self.0).connection.as_ref()?.sources.get(run).cloned()
    }

    /// A folder for documents of a run, which only the user reads.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn folder(&self, run: &str) -> io::Result<PathBuf> {
        let mut state = lock(&self.0);
        let connection = state.connection.as_mut();
        let connection = connection.ok_or_else(|| io::Error::other("the connection has ended"))?;
        let folder = if let Some(folder) = &connection.folder {
            folder
        } else {
            let made = tempfile::Builder::new().prefix("attractor-").tempdir()?;
            connection.folder.insert(made)
        };
        // An id from outside is a name, never a path.
        let run: attractor_run::RunId = run.parse().map_err(io::Error::other)?;
        let folder = folder.path().join(run.as_str());
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}
