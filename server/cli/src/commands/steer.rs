//! `attractor steer`: sends a message to a node of a run in another process.

use attractor_run::{ControlRequest, post};
use clap_complete::ArgValueCandidates;

use super::answer::REPLY_TIMEOUT;
use super::block_on;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::project::{RunFilter, check_live, find};
use crate::remote::{self, ServerOption};

/// Send a message to a node of a run: to its agent at work, else with its next prompt
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  attractor steer 01KA fix \"Do not touch the tests\"")]
pub struct Steer {
    /// A run: id, unique prefix or folder
    #[arg(add = ArgValueCandidates::new(|| RunFilter::Active.complete()))]
    run: String,
    /// A node that calls a model; `GRAPH/NODE` in a sub-pipeline
    node: String,
    /// Message for the model
    message: String,
    #[command(flatten)]
    server: ServerOption,
}

impl Steer {
    /// Asks the process of the run to keep the message.
    pub fn run(self) -> Result<Exit, Error> {
        if let Some(server) = self.server.open()? {
            let run = Some(self.run.as_str());
            block_on(async {
                let run = remote::find(&server, run, RunFilter::Active).await?.run;
                Ok::<_, Error>(server.steer(&run, &self.node, &self.message).await?)
            })?;
            return self.accepted();
        }
        let directory = find(Some(&self.run), RunFilter::Active)?;
        check_live(&directory)?;
        let order = ControlRequest::Steer {
            node: self.node.clone(),
            message: self.message.clone(),
            by: attractor_run::person_at_terminal(),
        };
        let answered = post(&directory, &order, REPLY_TIMEOUT)?;
        if let Some(reason) = answered.reason.filter(|_| !answered.accepted) {
            return Err(Error::SteeringRejected { reason });
        }
        self.accepted()
    }

    fn accepted(&self) -> Result<Exit, Error> {
        console::line(&format!(
            "message for {} accepted: its agent reads it before its next call, else its next prompt contains it",
            console::plain(&self.node)
        ))?;
        Ok(Exit::Success)
    }
}
