//! `attractor.run`.

use std::sync::Arc;

use crate::errors::Refusal;
use crate::ext::commands::{RunArgs, RunMode, RunResult};
use crate::runs::launch::{self, Admission, Prepared, Wishes};
use crate::session::Session;

/// Starts a run and answers with its id. About a pipeline that may not run yet the person is asked, and a yes starts it.
pub(crate) async fn handle(session: &Arc<Session>, args: RunArgs) -> Result<RunResult, Refusal> {
    let prepared = launch::prepare(session, &args.uri, args.graph.as_deref()).await?;
    let wishes = Wishes::from(args);
    prepared.must_not_run_already(session)?;
    if wishes.mode != RunMode::DryRun {
        let (later, order) = (Arc::clone(session), (prepared.clone(), wishes.clone()));
        let then = async move { start(&later, &order.0, order.1).await.map(|_| ()) };
        if launch::admit(session, &prepared, then)? == Admission::Asked {
            return Ok(RunResult::asked());
        }
    }
    start(session, &prepared, wishes).await
}

async fn start(
    session: &Arc<Session>,
    prepared: &Prepared,
    wishes: Wishes,
) -> Result<RunResult, Refusal> {
    prepared.must_not_run_already(session)?;
    let launched = attractor_run::start(prepared.launch(wishes)).await;
    let live = prepared.live(launched.map_err(|error| launch::refused(&error))?);
    let run = live.id.clone();
    session.runs.adopt(session, live);
    Ok(RunResult::started(run))
}
