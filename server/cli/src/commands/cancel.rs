//! `attractor cancel`: cancels a run in another process.

use attractor_run::{ControlRequest, post};
use clap_complete::ArgValueCandidates;

use super::answer::REPLY_TIMEOUT;
use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::project::{RunFilter, check_live, find};
use crate::remote::{self, ServerOption};

/// Cancel a run in another process (resumable)
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor cancel            the newest active run
  attractor cancel 01M84K     a run by its id or a unique prefix")]
pub struct Cancel {
    /// A run: id, unique prefix or folder [default: the newest active run]
    #[arg(add = ArgValueCandidates::new(|| RunFilter::Active.complete()))]
    run: Option<String>,
    #[command(flatten)]
    server: ServerOption,
}

impl Cancel {
    /// Asks the process of the run to cancel it.
    pub fn run(self) -> Result<Exit, Error> {
        if let Some(server) = self.server.open()? {
            return block_on(async {
                let run = remote::find(&server, self.run.as_deref(), RunFilter::Active)
                    .await?
                    .run;
                server.cancel(&run).await?;
                console::line(&format!("cancelling {run}"))?;
                Ok(Exit::Success)
            });
        }
        let directory = find(self.run.as_deref(), RunFilter::Active)?;
        check_live(&directory)?;
        let answered = post(
            &directory,
            &ControlRequest::Cancel {
                by: attractor_run::person_at_terminal(),
            },
            REPLY_TIMEOUT,
        )?;
        if !answered.accepted {
            let reason = answered
                .reason
                .unwrap_or_else(|| "the run has already finished".to_owned());
            return Err(Error::AnswerRejected { reason });
        }
        let run = directory.file_name().unwrap_or_default().to_string_lossy();
        console::line(&format!("cancelling {run}"))?;
        Ok(Exit::Success)
    }
}
