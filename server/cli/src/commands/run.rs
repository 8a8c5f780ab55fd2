//! `attractor run`: runs a pipeline, here and now, and tells what it does.

use std::path::PathBuf;

use attractor_run::{Mode, start};
use clap_complete::ArgValueCandidates;

use super::block_on;
use crate::complete;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::terminal::follow;
use crate::input::Source;
use crate::launching::{Common, inputs, not_started, pair, script};

/// Run a pipeline
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor run release.dot                        ask at the terminal where a person has to decide
  attractor run release.dot --dry-run              say what each step would do
  attractor run release.dot --input branch=main    give a value
  attractor run release.dot --auto-approve -q      in a script
  attractor run release.dot --format github --report junit=report.xml")]
pub struct Run {
    /// A pipeline file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which pipeline of the file; the first one otherwise
    #[arg(long, value_name = "NAME")]
    graph: Option<String>,
    /// A first value of the context; `true`, `no`, `8` and JSON are what they name
    #[arg(long, visible_alias = "set", value_name = "KEY=VALUE", value_parser = pair)]
    input: Vec<(String, String)>,
    /// A first value of the context that stays text, whatever it looks like
    #[arg(long, value_name = "KEY=TEXT", value_parser = pair)]
    input_text: Vec<(String, String)>,
    /// First values of the context, as JSON or TOML
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Begin at this node instead of the start node
    #[arg(long, value_name = "NODE", add = ArgValueCandidates::new(complete::nodes))]
    from: Option<String>,
    /// Simulate models; everything else is real
    #[arg(long)]
    simulate: bool,
    /// Walk the pipeline without doing anything: no process, no model, no waiting
    #[arg(long = "dry-run", id = "dry_run", conflicts_with = "simulate")]
    dry: bool,
    /// What a node comes to in a dry run, in the order of its visits; the last one repeats
    #[arg(long, value_name = "NODE=STATUS,…", value_parser = pair, requires = "dry_run")]
    outcome: Vec<(String, String)>,
    #[command(flatten)]
    common: Common,
}

impl Run {
    /// Runs it to its end.
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
                Ok(run) => follow(&run, self.common.telling(&launch)).await,
                Err(error) => not_started(error, &launch).end(self.common.format),
            }
        })
    }
}
