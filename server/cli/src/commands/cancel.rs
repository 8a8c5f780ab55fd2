//! `attractor cancel`: stops a run that another process owns.

use attractor_run::{Post, post};
use clap_complete::ArgValueCandidates;

use super::answer::PATIENCE;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::project::{Fits, find};

/// Stop a run that runs elsewhere; it can be resumed
#[derive(Debug, clap::Args)]
pub struct Cancel {
    /// A run's id or the beginning of it, or its folder; the newest that is under way otherwise
    #[arg(add = ArgValueCandidates::new(|| Fits::Live.complete()))]
    run: Option<String>,
}

impl Cancel {
    /// Asks its owner to stop it.
    pub fn run(self) -> Result<Exit, Error> {
        let directory = find(self.run.as_deref(), Fits::Live)?;
        let answered = post(
            &directory,
            &Post::Cancel {
                by: attractor_run::person_at_terminal(),
            },
            PATIENCE,
        )?;
        if !answered.accepted {
            let reason = answered
                .reason
                .unwrap_or_else(|| "the run is over".to_owned());
            return Err(Error::NotAccepted { reason });
        }
        let run = directory.file_name().unwrap_or_default().to_string_lossy();
        console::line(&format!("{run} is being cancelled"))?;
        Ok(Exit::Success)
    }
}
