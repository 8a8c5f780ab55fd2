//! `attractor runs prune`: deletes old runs, after a question.

use attractor::RunStatistics;
use attractor_run::{UnreadableRuns, prunable, prune};

use crate::console;
use crate::error::Error;
use crate::project;
use crate::render::counted;

/// How many runs a question or a dry run lists.
const LISTED_RUNS: usize = 10;

/// Delete old runs that have ended
///
/// The newest runs stay, and those that run, wait, are paused or were interrupted. Asks at a terminal. Without one, `--yes` is required.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor runs prune --dry-run          list what would be deleted
  attractor runs prune --keep 5 --yes     keep five, without a question")]
pub struct Prune {
    /// Number of runs to keep
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    keep: usize,
    /// Also delete runs whose records cannot be read
    #[arg(long)]
    unreadable: bool,
    /// Delete nothing; list what would be deleted
    #[arg(long)]
    dry_run: bool,
    /// Delete without a question
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,
}

impl Prune {
    pub(super) fn run(&self) -> Result<(), Error> {
        let folder = project::runs_here();
        let unreadable = if self.unreadable {
            UnreadableRuns::Prune
        } else {
            UnreadableRuns::Keep
        };
        let runs = prunable(&folder, self.keep, unreadable);
        let count = counted(runs.len(), "run");
        if self.dry_run {
            for run in &runs {
                console::line(&console::plain(&project::shown(run)))?;
            }
            return console::line(&format!("{count} would be deleted"));
        }
        if !runs.is_empty() && !self.yes {
            if !console::can_ask() {
                return Err(Error::NotConfirmed {
                    what: format!("delete {count}"),
                });
            }
            for run in runs.iter().take(LISTED_RUNS) {
                console::remark(&format!("  {}", console::plain(&project::shown(run))));
            }
            if runs.len() > LISTED_RUNS {
                console::remark(&format!("  and {} more", runs.len() - LISTED_RUNS));
            }
            if !console::confirmed(&format!("Delete {count}? [y/N] "))? {
                return console::line("nothing was deleted");
            }
        }
        // What runs took outlives them. A file that cannot be written does not keep runs from being deleted.
        if let Err(error) = RunStatistics::update(&folder) {
            console::remark(&format!("statistics of runs are not kept: {error}"));
        }
        let gone = prune(&folder, self.keep, unreadable)?;
        console::line(&format!("{} deleted", counted(gone.len(), "run")))
    }
}
