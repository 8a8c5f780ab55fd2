//! `attractor.run`.

use std::sync::Arc;

use attractor_run::{DryRuns, Launch};
use attractor_scenario::{DryRunInputs, ways};

use super::launch;
use crate::errors::ServerError;
use crate::ext::commands::{RunArgs, RunMode, RunResult};
use crate::runs::prepare::{PreparedRun, RunOptions};
use crate::runs::trust_prompt::Admission;
use crate::session::Session;

/// Starts a run and answers with its id. The user is asked about a pipeline that may not run yet, and a yes starts it.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: RunArgs,
) -> Result<RunResult, ServerError> {
    let prepared = launch::prepare_run(session, &args.uri, args.graph.as_deref()).await?;
    let options = RunOptions::from(args);
    prepared.check_not_running(&session.runs)?;
    if options.mode != RunMode::DryRun {
        // Before the question about trust: what is missing is entered first.
        prepared.check_inputs(&options)?;
        let (later, same) = (Arc::clone(session), (prepared.clone(), options.clone()));
        let on_yes = async move { start(&later, &same.0, same.1).await.map(|_| ()) };
        if launch::check_trust(session, &prepared, on_yes)? == Admission::Asked {
            return Ok(RunResult::asked());
        }
    }
    start(session, &prepared, options).await
}

async fn start(
    session: &Session,
    prepared: &PreparedRun,
    options: RunOptions,
) -> Result<RunResult, ServerError> {
    prepared.check_not_running(&session.runs)?;
    let mode = options.mode;
    let mut launch = prepared.launch(options);
    if mode == RunMode::DryRun {
        launch = reaching_an_end(launch).await;
    }
    let started = attractor_run::start(launch).await;
    let handle = started.map_err(|error| ServerError::from(&error))?;
    Ok(launch::follow(session, prepared, handle, mode))
}

/// The dry run on the first way that reaches an end, where what is given leaves one open.
async fn reaching_an_end(launch: Launch) -> Launch {
    let Ok(dry_runs) = DryRuns::of(launch.clone()) else {
        // Starting it says why.
        return launch;
    };
    let found = ways(&dry_runs, DryRunInputs::of(&launch)).await;
    match found.first() {
        Some(way) => way.launch(launch),
        None => launch,
    }
}
