//! `run --dry-run`: one way through the pipeline is walked, and every way it can take is listed with what decides.

use attractor_run::{DryRuns, Launch, start};
use attractor_scenario::{DryRunInputs, ways};

use crate::error::Error;
use crate::exit::Exit;
use crate::launch::LaunchOptions;
use crate::launch_error::LaunchError;
use crate::terminal_run::TerminalRun;

/// Walks the pipeline of a launch without any effect.
pub async fn run(launch: Launch, options: &LaunchOptions) -> Result<Exit, Error> {
    let dry_runs = match DryRuns::of(launch.clone()) {
        Ok(dry_runs) => dry_runs,
        Err(error) => return LaunchError::of_run(error, &launch).end(options.format),
    };
    let found = ways(&dry_runs, DryRunInputs::of(&launch)).await;
    let launch = match found.first() {
        Some(way) => way.launch(launch),
        None => launch,
    };
    let terminal = TerminalRun::of(&launch, options)?.with_ways(found);
    match start(launch.clone()).await {
        Ok(run) => terminal.follow(&run).await,
        Err(error) => LaunchError::of_run(error, &launch).end(options.format),
    }
}
