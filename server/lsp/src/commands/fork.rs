//! `attractor.fork`.

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_run::{ForeignRuns, Fork, ForkFiles, Resume, RunError, check_secrets};
use lsp_types::MessageType;
use serde_json::Value;

use super::find_run::find;
use super::foreign_run::ask_if_foreign;
use super::launch;
use super::resume::document_of;
use crate::errors::ServerError;
use crate::ext::commands::{FilesOfFork, ForkArgs, RunMode, RunResult};
use crate::runs::prepare::{PreparedRun, RunOptions};
use crate::runs::run_source::RunSource;
use crate::runs::runs_on_disk;
use crate::runs::trust_prompt::Admission;
use crate::session::Session;

/// Starts a new run where another one entered a node. Trust is checked as for a new run.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ForkArgs,
) -> Result<RunResult, ServerError> {
    let summary = match find(session, &args.run).await? {
        RunSource::Remote(run) => {
            return Err(ServerError::NotHere {
                run: args.run,
                server: run.server_name(),
                what: "attractor.fork",
            });
        }
        _ => runs_on_disk::find(&session.workspace, &session.documents, &args.run).await?,
    };
    let uri = document_of(session, &summary)?;
    let prepared = launch::prepare_run(session, &uri, Some(&summary.pipeline)).await?;
    // Before the question about trust: what is missing is entered first.
    check_secrets(&summary.directory, &args.set).map_err(|error| ServerError::from(&error))?;
    let request = ForkRequest {
        prepared,
        fork: Fork {
            run: summary.directory,
            node: args.node,
            visit: args.visit,
            files: match args.files {
                FilesOfFork::Ask | FilesOfFork::Refuse => ForkFiles::Refuse,
                FilesOfFork::Keep => ForkFiles::Keep,
                FilesOfFork::Restore => ForkFiles::Restore,
            },
        },
        asks: args.files == FilesOfFork::Ask,
        foreign: ForeignRuns::Refuse,
        run: args.run,
        set: args.set,
    };
    let (later, same) = (Arc::clone(session), request.clone());
    let on_yes = async move { fork_asking(&later, same).await.map(|_| ()) };
    if launch::check_trust(session, &request.prepared, on_yes)? == Admission::Asked {
        return Ok(RunResult::asked());
    }
    fork_asking(session, request).await
}

/// Forks; asks whether a run of somebody else may be.
async fn fork_asking(
    session: &Arc<Session>,
    request: ForkRequest,
) -> Result<RunResult, ServerError> {
    let forked = fork(session, &request).await;
    let accepted = ForkRequest {
        foreign: ForeignRuns::Accept,
        ..request
    };
    let later = Arc::clone(session);
    ask_if_foreign(
        session,
        forked,
        async move { fork(&later, &accepted).await },
    )
}

/// A run to begin.
#[derive(Clone)]
struct ForkRequest {
    prepared: PreparedRun,
    fork: Fork,
    /// Whether the user is asked about files that are not as they were.
    asks: bool,
    run: String,
    set: BTreeMap<String, Value>,
    /// Whether the run may be one of somebody else.
    foreign: ForeignRuns,
}

/// What the user can choose for files that are not as they were.
const RESTORE: &str = "Restore Files of That Moment";
const KEEP: &str = "Use Files as They Are";
const CANCEL: &str = "Cancel";

async fn fork(session: &Arc<Session>, request: &ForkRequest) -> Result<RunResult, ServerError> {
    match start(session, request).await {
        Err(ServerError::FilesDiffer { detail, recorded }) if request.asks => {
            let question = format!("Fork the run with which files? {detail}");
            let ask = ask(Arc::clone(session), request.clone(), question, recorded);
            session.notifier.tasks.spawn(ask);
            Ok(RunResult::asked())
        }
        other => other,
    }
}

/// Asks what to do about the files, and forks.
async fn ask(session: Arc<Session>, request: ForkRequest, question: String, recorded: bool) {
    let notifier = &session.notifier;
    // The first button is what some editors press for Enter: it never loses anything, because a restoration stores the
    // present files.
    let buttons = [RESTORE, KEEP, CANCEL].into_iter();
    let buttons = buttons.filter(|button| recorded || *button != RESTORE);
    let answer = notifier.show_message_request(MessageType::WARNING, question, buttons);
    let files = match answer.await.as_deref() {
        Some(RESTORE) => ForkFiles::Restore,
        Some(KEEP) => ForkFiles::Keep,
        _ => return,
    };
    let chosen = ForkRequest {
        fork: Fork {
            files,
            ..request.fork
        },
        ..request
    };
    if let Err(error) = start(&session, &chosen).await {
        notifier.show_message(MessageType::ERROR, error).await;
    }
}

async fn start(session: &Session, request: &ForkRequest) -> Result<RunResult, ServerError> {
    let prepared = &request.prepared;
    prepared.check_not_running(&session.runs)?;
    let launch = prepared.launch(RunOptions {
        inputs: request.set.clone(),
        ..RunOptions::default()
    });
    let how = Resume {
        foreign: request.foreign,
        ..Resume::new(launch)
    };
    let forked = attractor_run::fork(request.fork.clone(), how).await;
    let handle = forked.map_err(|error| match error {
        RunError::Changed { diff } => ServerError::Changed {
            run: request.run.clone(),
            diff,
        },
        other => ServerError::from(&other),
    })?;
    Ok(launch::follow(session, prepared, handle, RunMode::Run))
}
