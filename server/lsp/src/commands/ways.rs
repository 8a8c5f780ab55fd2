//! `attractor.ways`.

use std::sync::Arc;

use attractor_run::DryRuns;
use attractor_scenario::{DryRunInputs, ways};

use super::launch;
use crate::errors::ServerError;
use crate::ext::commands::{Way, WaysArgs, WaysResult};
use crate::runs::prepare::RunOptions;
use crate::session::Session;

/// Lists the ways a dry run of a pipeline can take. Nothing is executed, so no trust is needed.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: WaysArgs,
) -> Result<WaysResult, ServerError> {
    let prepared = launch::prepare_run(session, &args.uri, args.graph.as_deref()).await?;
    let launch = prepared.launch(RunOptions::of_dry_run(
        args.inputs,
        args.outcomes,
        args.answers,
    ));
    let given = DryRunInputs::of(&launch);
    let dry_runs = DryRuns::of(launch).map_err(|error| ServerError::from(&error))?;
    let found = ways(&dry_runs, given).await;
    Ok(WaysResult {
        ways: found.into_iter().map(Way::from).collect(),
    })
}

impl From<attractor_scenario::Way> for Way {
    fn from(way: attractor_scenario::Way) -> Self {
        let outcomes = way.given.outcomes.into_iter();
        let outcomes =
            outcomes.map(|(node, all)| (node, all.into_iter().map(Into::into).collect()));
        Self {
            decided_by: way.decided_by,
            outcomes: outcomes.collect(),
            answers: way.given.answers,
            inputs: way.given.inputs,
            path: way.path,
            repeats: way.repeats,
            state: way.state,
            reason: way.reason,
        }
    }
}
