//! `attractor cancel`: stops a run that another process owns.

use std::path::Path;

use attractor_run::{Post, find_run, post, runs_dir};

use super::answer::PATIENCE;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;

/// Stop a run that runs elsewhere; it can be resumed
#[derive(Debug, clap::Args)]
pub struct Cancel {
    /// A run's id or the beginning of it, or its folder
    run: String,
}

impl Cancel {
    /// Asks its owner to stop it.
    pub fn run(self) -> Result<Exit, Error> {
        let directory = find_run(&runs_dir(Path::new(".")), &self.run)?;
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
        console::line(&format!("{} is being cancelled", self.run))?;
        Ok(Exit::Success)
    }
}
