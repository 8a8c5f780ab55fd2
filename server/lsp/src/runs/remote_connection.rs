//! Keeps up with the server elsewhere: its list of runs, and a follower for each that is active.
//!
//! A server that cannot be reached is one warning in the status, whatever it takes until it is back; a server that
//! refuses is asked again when the setting or the token changes.

use std::sync::Arc;
use std::time::Duration;

use attractor_client::{ClientError, RunChange, RunChanges, Server};
use attractor_run::RunSummary;
use lsp_types::{MessageType, Uri};
use tokio::time::sleep;

use super::follower::Follower;
use super::remote_documents::{is_same, with_text, write_copy};
use super::remote_run::RemoteRun;
use super::remote_runs::{Change, NewConnection, RemoteProblem};
use super::run_record::statements_of;
use super::run_source::RunSource;
use super::server_run::{RunDocument, ServerRun};
use super::{gates, status};
use crate::errors::sentence;
use crate::ext::notifications::Health;
use crate::paths;
use crate::refresh_queue::RefreshKind;
use crate::session::Session;

/// The pauses before a server that cannot be reached is asked again, in seconds; the last one is repeated.
const PAUSES: [u64; 5] = [1, 2, 5, 10, 30];

/// The newest runs that are listed.
const MAX_LISTED: usize = 200;

/// The newest active runs that are followed.
const MAX_FOLLOWED: usize = 64;

/// What a person does about a token, in the editors that have it.
const TOKEN_ADVICE: &str = "Enter the token that `attractor serve` prints there (VS Code: `Attractor: Connect to Server…`; Neovim: option `server.token`; other editors: `ATTRACTOR_TOKEN` in the environment of the language server).";

/// Connects to the server of the setting, or ends the connection, if that is a change.
pub(crate) fn update(session: &Arc<Session>) {
    let settings = session.workspace.settings();
    let waits_for_token = session.notifier.features().server_token;
    let remote = &session.runs.remote;
    match remote.connect_to(settings.server.remote.trim(), waits_for_token) {
        Change::None => {}
        Change::Disconnected => {
            let this = Arc::clone(session);
            session
                .notifier
                .tasks
                .spawn(async move { forget_runs(&this).await });
        }
        Change::Connect(connection) => {
            let this = Arc::clone(session);
            session.notifier.tasks.spawn(async move {
                forget_runs(&this).await;
                tokio::select! {
                    () = connection.stop.cancelled() => {}
                    () = keep_up(&this, &connection) => {}
                }
            });
        }
    }
}

/// Shows active runs of the server elsewhere in a document that has just been opened, if it has the text that they began
/// with.
pub(crate) fn attach(session: &Arc<Session>, uri: &Uri) {
    let (Some(snapshot), Some(file)) = (session.documents.get(uri), paths::path_of(uri)) else {
        return;
    };
    let runs = session.runs.all().into_iter();
    let elsewhere: Vec<_> = runs
        .filter(|run| run.source.server().is_some() && !run.is_of(&file))
        .collect();
    if elsewhere.is_empty() {
        return;
    }
    let text = snapshot.rope.to_string();
    for run in elsewhere {
        let source = session.runs.remote.source(&run.id);
        if !source.is_some_and(|source| is_same(&source, &text)) {
            continue;
        }
        let before = run.document();
        run.move_to(RunDocument {
            uri: uri.clone(),
            file: file.clone(),
        });
        session.notifier.diagnostics.enqueue(before.uri.clone());
        session.notifier.refresh.enqueue([RefreshKind::CodeLens]);
        let follower = follower(session, run);
        session
            .notifier
            .tasks
            .spawn(async move { follower.show().await });
    }
}

/// Takes the runs of the server before off the screen.
async fn forget_runs(session: &Arc<Session>) {
    let runs = session.runs.all().into_iter();
    let elsewhere: Vec<_> = runs.filter(|run| run.source.server().is_some()).collect();
    session.runs.remove_remote();
    let notifier = &session.notifier;
    for run in elsewhere {
        gates::forget(notifier, &run).await;
        notifier.diagnostics.enqueue(run.document().uri.clone());
    }
    notifier
        .refresh
        .enqueue([RefreshKind::CodeLens, RefreshKind::Diagnostic]);
    status::send(notifier, &session.runs).await;
}

/// Reads the list of runs and its changes. Ends when the server refuses.
async fn keep_up(session: &Arc<Session>, connection: &NewConnection) {
    let server = match Server::connect(&connection.address, connection.token.clone()) {
        Ok(server) => server,
        Err(error) => return refuse(session, &error).await,
    };
    let mut failures = 0;
    let mut is_announced = false;
    loop {
        let error = match server.run_changes(MAX_LISTED).await {
            Ok(changes) => {
                failures = 0;
                read_changes(session, connection, &server, changes).await
            }
            Err(error) => error,
        };
        if !error.is_temporary() {
            return refuse(session, &error).await;
        }
        let message = format!("{} Trying again.", sentence(&error.to_string()));
        // The first reason stays: one interruption is one warning.
        if session.runs.remote.problem().is_none() {
            let problem = RemoteProblem {
                health: Health::Warning,
                message: message.clone(),
            };
            set_problem(session, Some(problem)).await;
        }
        // Clients that draw the status have it there; others get one message.
        if !is_announced && !session.notifier.features().run_state {
            let notifier = &session.notifier;
            notifier.show_message(MessageType::WARNING, message).await;
        }
        is_announced = true;
        let pause = PAUSES.get(failures).or(PAUSES.last());
        failures += 1;
        sleep(Duration::from_secs(pause.copied().unwrap_or_default())).await;
    }
}

/// Takes over the changes of the list until the connection fails.
async fn read_changes(
    session: &Arc<Session>,
    connection: &NewConnection,
    server: &Server,
    mut changes: RunChanges,
) -> ClientError {
    let remote = &session.runs.remote;
    loop {
        let runs = match changes.next().await {
            Ok(RunChange::Snapshot(runs)) => {
                let is_first = remote.status().is_none();
                remote.set_runs(server, runs.clone());
                if remote.set_problem(None) || is_first {
                    status::send(&session.notifier, &session.runs).await;
                }
                runs
            }
            Ok(RunChange::Changed(run)) => {
                remote.set_run(&run, MAX_LISTED);
                vec![*run]
            }
            Ok(RunChange::Removed(run)) => {
                remote.remove_run(&run);
                continue;
            }
            Err(error) => return error,
        };
        follow_new(session, connection, server, &runs).await;
    }
}

/// The server is not asked again before something is changed here.
async fn refuse(session: &Arc<Session>, error: &ClientError) {
    let message = match error {
        ClientError::WrongToken { server } => {
            format!("{server} does not accept the token. {TOKEN_ADVICE}")
        }
        ClientError::NoToken { server } => {
            format!("The token of {server} is not known. {TOKEN_ADVICE}")
        }
        ClientError::InvalidAddress { .. } | ClientError::Insecure { .. } => {
            format!("Setting attractor.server.remote: {error}.")
        }
        other => sentence(&other.to_string()),
    };
    let problem = RemoteProblem {
        health: Health::Error,
        message: message.clone(),
    };
    set_problem(session, Some(problem)).await;
    session
        .notifier
        .show_message(MessageType::ERROR, message)
        .await;
}

async fn set_problem(session: &Arc<Session>, problem: Option<RemoteProblem>) {
    if session.runs.remote.set_problem(problem) {
        status::send(&session.notifier, &session.runs).await;
    }
}

/// Follows the runs that are active and not followed.
async fn follow_new(
    session: &Arc<Session>,
    connection: &NewConnection,
    server: &Server,
    runs: &[RunSummary],
) {
    let is_active = |run: &&RunSummary| run.state.is_live();
    for run in runs.iter().filter(is_active).take(MAX_FOLLOWED) {
        let is_followed = session.runs.get(&run.run).is_ok_and(|run| run.is_active());
        if is_followed {
            continue;
        }
        match prepare(session, server, run).await {
            Ok(run) => follower(session, run).spawn_remote(connection.stop.clone()),
            Err(reason) => tracing::warn!(run = run.run, reason, "a run cannot be followed"),
        }
    }
}

fn follower(session: &Session, run: Arc<ServerRun>) -> Follower {
    Follower {
        notifier: Arc::clone(&session.notifier),
        runs: Arc::clone(&session.runs),
        documents: Arc::clone(&session.documents),
        workspace: Arc::clone(&session.workspace),
        run,
    }
}

/// A run of the server, in the document that has its text, or in a copy.
async fn prepare(
    session: &Arc<Session>,
    server: &Server,
    run: &RunSummary,
) -> Result<Arc<ServerRun>, String> {
    let text = server.source(&run.run).await;
    let text: Arc<str> = text.map_err(|error| error.to_string())?.into();
    session.runs.remote.set_source(&run.run, &text);
    let (this, source) = (Arc::clone(session), Arc::clone(&text));
    let (id, pipeline) = (run.run.clone(), run.pipeline.clone());
    let place = move || {
        let found = with_text(&this.documents, &this.workspace, &source);
        let copy = || {
            let folder = this.runs.remote.folder(&id)?;
            write_copy(&folder, &pipeline, &source)
        };
        found.map_or_else(copy, Ok)
    };
    let document = tokio::task::spawn_blocking(place).await;
    let document = document.map_err(|error| error.to_string())?;
    let document = document.map_err(|error| error.to_string())?;
    let statements = statements_of(&text, &run.pipeline);
    let source = RunSource::Remote(RemoteRun::new(server.clone(), run.run.clone()));
    let run = ServerRun::new(document, run.pipeline.clone(), statements, source);
    Ok(Arc::new(run))
}
