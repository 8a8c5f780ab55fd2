//! `attractor.resume`.

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_run::{
    Changes, ForeignRuns, Resume, ResumeFrom, RunError, RunSummary, check_secrets,
};
use lsp_types::{MessageType, Uri};
use serde_json::Value;

use super::find_run::find;
use super::foreign_run::ask_if_foreign;
use super::launch;
use crate::errors::ServerError;
use crate::ext::commands::{OnChanges, ResumeArgs, RunMode, RunResult};
use crate::runs::prepare::{PreparedRun, RunOptions};
use crate::runs::run_source::RunSource;
use crate::runs::runs_on_disk;
use crate::runs::trust_prompt::Admission;
use crate::session::Session;
use attractor_proto::RequestError;

/// The button that resumes with a changed pipeline.
const RESUME: &str = "Resume with changes";
/// The button that does not.
const CANCEL: &str = "Cancel";

/// Resumes an interrupted run. Trust is checked as for a new run, for its file may have changed.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ResumeArgs,
) -> Result<RunResult, ServerError> {
    if let RunSource::Remote(run) = find(session, &args.run).await? {
        // What it runs was allowed where it runs.
        run.resume().await?;
        return Ok(RunResult::started(args.run));
    }
    let summary = runs_on_disk::find(&session.workspace, &session.documents, &args.run).await?;
    let uri = document_of(session, &summary)?;
    let prepared = launch::prepare_run(session, &uri, Some(&summary.pipeline)).await?;
    // Before the question about trust: what is missing is entered first.
    check_secrets(&summary.directory, &args.inputs).map_err(|error| ServerError::from(&error))?;
    let request = ResumeRequest {
        prepared,
        summary,
        inputs: args.inputs,
        changes: args.changes,
        foreign: ForeignRuns::Refuse,
    };
    let (later, same) = (Arc::clone(session), request.clone());
    let on_yes = async move { resume_asking(&later, same).await.map(|_| ()) };
    if launch::check_trust(session, &request.prepared, on_yes)? == Admission::Asked {
        return Ok(RunResult::asked());
    }
    resume_asking(session, request).await
}

/// Resumes; asks whether a run of somebody else may be.
async fn resume_asking(
    session: &Arc<Session>,
    request: ResumeRequest,
) -> Result<RunResult, ServerError> {
    let resumed = resume(session, &request).await;
    let accepted = ResumeRequest {
        foreign: ForeignRuns::Accept,
        ..request
    };
    let later = Arc::clone(session);
    ask_if_foreign(
        session,
        resumed,
        async move { resume(&later, &accepted).await },
    )
}

/// A run to resume.
#[derive(Clone)]
struct ResumeRequest {
    prepared: PreparedRun,
    summary: RunSummary,
    inputs: BTreeMap<String, Value>,
    changes: OnChanges,
    /// Whether the run may be one of somebody else.
    foreign: ForeignRuns,
}

async fn resume(session: &Arc<Session>, request: &ResumeRequest) -> Result<RunResult, ServerError> {
    match request.changes {
        OnChanges::Accept => resume_with(session, request, Changes::Accept).await,
        OnChanges::Refuse => resume_with(session, request, Changes::Refuse).await,
        OnChanges::Ask => match resume_with(session, request, Changes::Refuse).await {
            Err(ServerError::Changed { run, diff }) => {
                let question = format!(
                    "The pipeline has changed since run {run} started. Resume anyway?\n{diff}"
                );
                let ask = ask(Arc::clone(session), request.clone(), question);
                session.notifier.tasks.spawn(ask);
                Ok(RunResult::asked())
            }
            other => other,
        },
    }
}

/// Shows the user what changed, and resumes on a yes.
async fn ask(session: Arc<Session>, request: ResumeRequest, question: String) {
    let notifier = &session.notifier;
    let answer = notifier.show_message_request(MessageType::WARNING, question, [RESUME, CANCEL]);
    if answer.await.as_deref() == Some(RESUME)
        && let Err(error) = resume_with(&session, &request, Changes::Accept).await
    {
        notifier.show_message(MessageType::ERROR, error).await;
    }
}

async fn resume_with(
    session: &Session,
    request: &ResumeRequest,
    changes: Changes,
) -> Result<RunResult, ServerError> {
    let ResumeRequest {
        prepared, summary, ..
    } = request;
    prepared.check_not_running(&session.runs)?;
    let resume = Resume {
        launch: prepared.launch(RunOptions {
            inputs: request.inputs.clone(),
            ..RunOptions::default()
        }),
        changes,
        foreign: request.foreign,
    };
    let resumed = attractor_run::resume(ResumeFrom::Run(summary.directory.clone()), resume).await;
    let handle = resumed.map_err(|error| match error {
        RunError::Changed { diff } => ServerError::Changed {
            run: summary.run.clone(),
            diff,
        },
        other => ServerError::from(&other),
    })?;
    Ok(launch::follow(session, prepared, handle, RunMode::Run))
}

/// The document of a run on the disk: as the client has it open, else by its path.
pub(super) fn document_of(session: &Session, summary: &RunSummary) -> Result<Uri, ServerError> {
    if let Some(snapshot) = session.documents.at(&summary.path) {
        return Ok(snapshot.uri.clone());
    }
    let uri = Uri::from_file_path(&summary.path).ok_or_else(|| RequestError::Unreadable {
        uri: summary.path.display().to_string(),
        reason: "the file does not exist".to_owned(),
    });
    Ok(uri?)
}
