//! `attractor.resume`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use attractor_run::{Changes, Resume, ResumeFrom, RunError, RunSummary};
use lsp_types::{MessageActionItem, MessageType, Uri};
use serde_json::Value;

use crate::errors::Refusal;
use crate::ext::commands::{OnChanges, ResumeArgs, RunResult};
use crate::runs::launch::{self, Admission, Prepared, Wishes};
use crate::runs::past;
use crate::session::Session;

/// What a person says who wants to go on with a changed pipeline.
const GO_ON: &str = "Resume with the changes";
/// What they say otherwise.
const LEAVE: &str = "Cancel";

/// Goes on with a run that was interrupted. It is asked about like a new one, for its file may have changed.
pub(crate) async fn handle(session: &Arc<Session>, args: ResumeArgs) -> Result<RunResult, Refusal> {
    let summary = past::find(session, &args.run).await?;
    let uri = document_of(session, &summary)?;
    let prepared = launch::prepare(session, &uri, Some(&summary.pipeline)).await?;
    let order = Order {
        prepared,
        summary,
        inputs: args.inputs,
        changes: args.changes,
    };
    let (later, same) = (Arc::clone(session), order.clone());
    let then = async move { go_on(&later, &same).await.map(|_| ()) };
    if launch::admit(session, &order.prepared, then)? == Admission::Asked {
        return Ok(RunResult::asked());
    }
    go_on(session, &order).await
}

/// A run that is to go on.
#[derive(Clone)]
struct Order {
    prepared: Prepared,
    summary: RunSummary,
    inputs: BTreeMap<String, Value>,
    changes: OnChanges,
}

async fn go_on(session: &Arc<Session>, order: &Order) -> Result<RunResult, Refusal> {
    match order.changes {
        OnChanges::Accept => resume(session, order, Changes::Accept).await,
        OnChanges::Refuse => resume(session, order, Changes::Refuse).await,
        OnChanges::Ask => match resume(session, order, Changes::Refuse).await {
            Err(Refusal::Changed { run, diff }) => {
                let question = format!(
                    "Resume with the changed pipeline? Since run {run} began, this has changed:\n{diff}"
                );
                session.spawn(ask(Arc::clone(session), order.clone(), question));
                Ok(RunResult::asked())
            }
            other => other,
        },
    }
}

/// Shows the person what changed, and goes on with it on a yes.
async fn ask(session: Arc<Session>, order: Order, question: String) {
    let buttons = [GO_ON, LEAVE].map(|title| MessageActionItem {
        title: title.to_owned(),
        properties: HashMap::new(),
    });
    let client = &session.client;
    let answer = client.show_message_request(MessageType::WARNING, question, Some(buttons.into()));
    let chosen = answer.await.ok().flatten();
    if chosen.is_some_and(|chosen| chosen.title == GO_ON)
        && let Err(refusal) = resume(&session, &order, Changes::Accept).await
    {
        client.show_message(MessageType::ERROR, refusal).await;
    }
}

async fn resume(
    session: &Arc<Session>,
    order: &Order,
    changes: Changes,
) -> Result<RunResult, Refusal> {
    let Order {
        prepared, summary, ..
    } = order;
    prepared.must_not_run_already(session)?;
    let resume = Resume {
        launch: prepared.launch(Wishes {
            inputs: order.inputs.clone(),
            ..Wishes::default()
        }),
        changes,
    };
    let resumed = attractor_run::resume(ResumeFrom::Run(summary.directory.clone()), resume).await;
    let resumed = resumed.map_err(|error| match error {
        RunError::Changed { diff } => Refusal::Changed {
            run: summary.run.clone(),
            diff,
        },
        other => launch::refused(&other),
    })?;
    let live = prepared.live(resumed);
    let run = live.id.clone();
    session.runs.adopt(session, live);
    Ok(RunResult::started(run))
}

/// The document of a run of the past: as the client has it open, else by its path.
fn document_of(session: &Session, summary: &RunSummary) -> Result<Uri, Refusal> {
    if let Some(snapshot) = session.documents.at(&summary.path) {
        return Ok(snapshot.uri.clone());
    }
    Uri::from_file_path(&summary.path).ok_or_else(|| Refusal::Unreadable {
        uri: summary.path.display().to_string(),
        reason: "there is no such file".to_owned(),
    })
}
