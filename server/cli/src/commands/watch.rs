//! `attractor watch`: shows a run of another process.

use clap_complete::ArgValueCandidates;

use super::block_on;
use crate::error::Error;
use crate::exit::Exit;
use crate::follow::Verbosity;
use crate::follow::progress_printer::{FollowOptions, Format};
use crate::follow::watch::watch;
use crate::follow::watched_run::WatchedRun;
use crate::project::{RunFilter, find};
use crate::remote::{self, ServerOption};

/// Watch a run of another process, and answer its questions
///
/// Prints what has happened and what happens, until the run ends; the exit code is the run's. `q` or Ctrl-C leaves, and the
/// run continues.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor watch                                the newest active run
  attractor watch 01M84K                         a run by its id or a unique prefix
  attractor watch --server http://ci:7000        the newest active run of a server
  attractor watch 01M84K --format events | jq    its events as JSON Lines")]
pub struct Watch {
    /// A run: id, unique prefix or folder [default: the newest active run]
    #[arg(add = ArgValueCandidates::new(|| RunFilter::Any.complete()))]
    run: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: WatchFormat,
    #[command(flatten)]
    server: ServerOption,
}

/// The output format.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum WatchFormat {
    /// A line per node, and questions
    #[default]
    Human,
    /// Engine events as JSON Lines
    Events,
}

impl Watch {
    /// Watches until the run ends or the person leaves.
    pub fn run(self) -> Result<Exit, Error> {
        // A run that is named may have ended.
        let filter = if self.run.is_some() {
            RunFilter::Any
        } else {
            RunFilter::Active
        };
        let options = FollowOptions {
            format: match self.format {
                WatchFormat::Human => Format::Human,
                WatchFormat::Events => Format::Events,
            },
            detail: Verbosity::default(),
            ..FollowOptions::default()
        };
        block_on(async {
            let run = match self.server.open()? {
                Some(server) => {
                    let run = remote::find(&server, self.run.as_deref(), filter)
                        .await?
                        .run;
                    WatchedRun::Remote(server, run)
                }
                None => WatchedRun::Local(find(self.run.as_deref(), filter)?),
            };
            watch(run, options).await
        })
    }
}
