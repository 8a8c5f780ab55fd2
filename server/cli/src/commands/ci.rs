//! `attractor ci`: pipelines in continuous integration.

mod init;

use clap::Subcommand;

use crate::error::Error;
use crate::exit::Exit;

/// Set up continuous integration for the pipelines of a repository
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor ci init --dry-run   list what would be written
  attractor ci init             write workflow, hooks and scenarios")]
pub struct Ci {
    #[command(subcommand)]
    command: CiCommand,
}

#[derive(Debug, Subcommand)]
enum CiCommand {
    Init(init::Init),
}

impl Ci {
    /// Runs the subcommand.
    pub fn run(self) -> Result<Exit, Error> {
        match self.command {
            CiCommand::Init(command) => command.run(),
        }
    }
}
