//! What the commands that start and resume runs have in common.

use std::sync::Arc;

use attractor_run::RunHandle;
use lsp_types::Uri;

use crate::context;
use crate::errors::ServerError;
use crate::ext::commands::{RunMode, RunResult};
use crate::runs::follower::Follower;
use crate::runs::prepare::{self, PreparedRun};
use crate::runs::trust_prompt::{self, Admission};
use crate::session::Session;
use attractor_proto::RequestError;

/// Prepares a pipeline of a document, the first one without a name. Reads files on a blocking thread.
pub(super) async fn prepare_run(
    session: &Arc<Session>,
    uri: &Uri,
    graph: Option<&str>,
) -> Result<PreparedRun, ServerError> {
    let context = context::load(session, uri).await?;
    let (workspace, graph) = (Arc::clone(&session.workspace), graph.map(str::to_owned));
    let keys = session.api_keys.get();
    let prepare = move || prepare::prepare(&context, &workspace, &keys, graph.as_deref());
    let prepared = tokio::task::spawn_blocking(prepare).await;
    prepared.unwrap_or(Err(RequestError::Internal.into()))
}

/// Decides whether a pipeline may run; see [`trust_prompt::check_trust`].
pub(super) fn check_trust(
    session: &Session,
    prepared: &PreparedRun,
    on_yes: impl Future<Output = Result<(), ServerError>> + Send + 'static,
) -> Result<Admission, ServerError> {
    let settings = session.workspace.settings();
    let (notifier, trust) = (&session.notifier, &session.trust);
    trust_prompt::check_trust(notifier, trust, &settings, prepared, on_yes)
}

/// Follows a run that the engine has just started or resumed. Nobody is notified of a dry run.
pub(super) fn follow(
    session: &Session,
    prepared: &PreparedRun,
    handle: RunHandle,
    mode: RunMode,
) -> RunResult {
    if mode != RunMode::DryRun
        && let Err(reason) = prepared.notify(&handle)
    {
        let warning = format!("Notifications are off for this run: {reason}.");
        session.notifier.show_warnings(vec![warning]);
    }
    if let Some(observer) = &session.observer {
        observer.started(&handle);
    }
    let run = prepared.server_run(handle);
    let id = run.id.clone();
    let follower = Follower {
        notifier: Arc::clone(&session.notifier),
        runs: Arc::clone(&session.runs),
        documents: Arc::clone(&session.documents),
        workspace: Arc::clone(&session.workspace),
        run,
    };
    follower.spawn();
    RunResult::started(id)
}
