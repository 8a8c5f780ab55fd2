//! `attractor fork`: a new run from the beginning of a visit of another one.

use std::path::PathBuf;

use attractor_run::{Fork as ForkPoint, ForkFiles, fork};
use clap_complete::ArgValueCandidates;

use super::block_on;
use super::resume::load_run;
use super::runs::changes::visit;
use crate::accept_options::AcceptOptions;
use crate::error::Error;
use crate::exit::Exit;
use crate::launch::{LaunchOptions, refuse_simulation};
use crate::option_values::{inputs, pair};
use crate::project::{RunFilter, find, is_run};
use crate::terminal_run::TerminalRun;

/// Start a new run from a node of another run
///
/// The new run has the journal, the context and the files of the moment at which the node was entered. The other run
/// stays as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor fork review                     begin the newest run again at `review`
  attractor fork 01KA fix@2 --set depth=3   from the second visit of `fix`, with another value
  attractor fork fix --into ../try-again    in a folder of its own, with the files of that moment")]
pub struct Fork {
    /// A run: id, unique prefix or folder [default: the newest]
    #[arg(add = ArgValueCandidates::new(|| RunFilter::Any.complete()))]
    run: Option<String>,
    /// A node the run has visited, or one of its visits: NODE@VISIT [default: the last visit]
    #[arg(value_name = "NODE[@VISIT]")]
    node: Option<String>,
    /// Set a context value; `true`, `no`, `8` and JSON are parsed
    #[arg(long, visible_alias = "input", value_name = "KEY=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
    /// Use the files as they are, not as they were
    #[arg(long, conflicts_with_all = ["restore_files", "into"])]
    keep_files: bool,
    /// Restore the files as they were then; undo with `attractor runs revert` of the new run
    #[arg(long, conflicts_with = "into")]
    restore_files: bool,
    /// Write the files of that moment into this new folder, and run there
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// The pipeline file, when it has moved
    #[arg(long, value_name = "FILE")]
    pipeline_dot: Option<PathBuf>,
    #[command(flatten)]
    accept: AcceptOptions,
    #[command(flatten)]
    common: LaunchOptions,
}

impl Fork {
    /// Runs the new run to its end.
    pub fn run(self) -> Result<Exit, Error> {
        // A single name that is not a run is a node of the newest one.
        let (run, node) = match (self.run.as_deref(), self.node.as_deref()) {
            (Some(node), None) if !is_run(node)? => (None, Some(node)),
            (run, node) => (run, node),
        };
        let node = node.ok_or(Error::NoForkNode)?;
        let directory = find(run, RunFilter::Any)?;
        let mut launch = match load_run(&directory, self.pipeline_dot.as_deref(), &self.common) {
            Ok(launch) => launch,
            Err(refused) => return refused.end(self.common.format),
        };
        launch.inputs = inputs(None, &self.set, &[])?;
        let (node, visit) = visit(node);
        let point = ForkPoint {
            run: directory,
            node: node.to_owned(),
            visit,
            files: match self.into {
                Some(folder) => ForkFiles::Into(folder),
                None if self.keep_files => ForkFiles::Keep,
                None if self.restore_files => ForkFiles::Restore,
                None => ForkFiles::Refuse,
            },
        };
        block_on(async {
            refuse_simulation(&launch, "a new run with `run --simulate`,")?;
            let terminal = TerminalRun::of(&launch, &self.common)?;
            let run = fork(point, self.accept.resume(launch)).await?;
            terminal.follow(&run).await
        })
    }
}
