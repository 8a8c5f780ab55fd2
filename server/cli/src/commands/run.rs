//! `attractor run`: runs a pipeline and prints its progress.

use std::path::PathBuf;

use attractor_run::{Mode, start};
use clap_complete::ArgValueCandidates;

use super::block_on;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::terminal::follow;
use crate::input::Source;
use crate::launch::{LaunchOptions, inputs, not_started, pair, script};
use crate::shell_completion;

/// Run a pipeline
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor run release.dot                        ask at the terminal at human gates
  attractor run release.dot --dry-run              show what each step would do
  attractor run release.dot --input branch=main    set an input
  attractor run release.dot --auto-approve -q      run in a script
  attractor run release.dot --format github --report junit=report.xml")]
pub struct Run {
    /// A pipeline file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The pipeline to run, when the file has several [default: the first]
    #[arg(long, value_name = "NAME")]
    graph: Option<String>,
    /// Set an initial context value; `true`, `no`, `8` and JSON are parsed
    #[arg(long, visible_alias = "set", value_name = "KEY=VALUE", value_parser = pair)]
    input: Vec<(String, String)>,
    /// Set an initial context value as text, without parsing it
    #[arg(long, value_name = "KEY=TEXT", value_parser = pair)]
    input_text: Vec<(String, String)>,
    /// Initial context values, as JSON or TOML
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Start at this node instead of the start node
    #[arg(long, value_name = "NODE", add = ArgValueCandidates::new(shell_completion::nodes))]
    from: Option<String>,
    /// Simulate models; run everything else
    #[arg(long)]
    simulate: bool,
    /// Traverse the pipeline without side effects: no processes, models or timers
    #[arg(long = "dry-run", id = "dry_run", conflicts_with = "simulate")]
    dry: bool,
    /// Scripted outcomes of a node in a dry run, one per visit; the last repeats
    #[arg(long, value_name = "NODE=STATUS,…", value_parser = pair, requires = "dry_run")]
    outcome: Vec<(String, String)>,
    #[command(flatten)]
    common: LaunchOptions,
}

impl Run {
    /// Runs the pipeline to its end.
    pub fn run(self) -> Result<Exit, Error> {
        let source = Source::read(&self.file)?;
        let mut launch = match self.common.load(source, self.graph.as_deref()) {
            Ok(launch) => launch,
            Err(refused) => return refused.end(self.common.format),
        };
        launch.inputs = inputs(self.inputs.as_deref(), &self.input, &self.input_text)?;
        launch.from = self.from;
        if self.dry {
            launch.mode = Mode::DryRun(script(&self.outcome));
        }
        block_on(async {
            match start(launch.clone()).await {
                Ok(run) => follow(&run, self.common.follow_options(&launch)).await,
                Err(error) => not_started(error, &launch).end(self.common.format),
            }
        })
    }
}
