//! `attractor pause`: pauses a run in another process, or lets it continue.

use std::path::Path;

use attractor_run::{ControlRequest, PauseRequest, RunState, post, summary};
use clap_complete::ArgValueCandidates;

use super::answer::REPLY_TIMEOUT;
use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::project::{RunFilter, check_live, find, name_of_run};
use crate::remote::{self, ServerOption};

/// Pause a run in another process: steps at work end, nothing new starts until `attractor resume`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor pause             the newest active run
  attractor pause 01M84K      a run by its id or a unique prefix
  attractor resume 01M84K     let it continue")]
pub struct Pause {
    /// A run: id, unique prefix or folder [default: the newest active run]
    #[arg(add = ArgValueCandidates::new(|| RunFilter::Active.complete()))]
    run: Option<String>,
    #[command(flatten)]
    server: ServerOption,
}

impl Pause {
    /// Asks the process of the run to pause it.
    pub fn run(self) -> Result<Exit, Error> {
        if let Some(server) = self.server.open()? {
            return block_on(async {
                let run = remote::find(&server, self.run.as_deref(), RunFilter::Active)
                    .await?
                    .run;
                server.pause(&run).await?;
                paused(&run)
            });
        }
        let directory = find(self.run.as_deref(), RunFilter::Active)?;
        check_live(&directory)?;
        let by = attractor_run::person_at_terminal();
        send(&directory, PauseRequest::Pause { by })?;
        paused(&name_of_run(&directory))
    }
}

fn paused(run: &str) -> Result<Exit, Error> {
    console::line(&format!("paused {run}; `attractor resume {run}` continues"))?;
    Ok(Exit::Success)
}

/// Lets a run continue that is paused in another process; says whether it is such a run.
///
/// # Errors
/// The process refuses, or does not reply.
pub fn continue_paused(directory: &Path) -> Result<bool, Error> {
    if summary(directory)?.state != RunState::Paused {
        return Ok(false);
    }
    let by = attractor_run::person_at_terminal();
    send(directory, PauseRequest::Continue { step: None, by })?;
    let run = name_of_run(directory);
    console::line(&format!("{run} continues in its process"))?;
    Ok(true)
}

fn send(directory: &Path, request: PauseRequest) -> Result<(), Error> {
    let answered = post(directory, &ControlRequest::Pausing(request), REPLY_TIMEOUT)?;
    match answered.reason {
        Some(reason) if !answered.accepted => Err(Error::PauseRejected { reason }),
        _ => Ok(()),
    }
}
