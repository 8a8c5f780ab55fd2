//! A run with everything it uses, read once: what a person or a policy looked at is what starts.

use std::path::PathBuf;
use std::sync::Arc;

use attractor_config::Configuration;
use attractor_run::{
    Changes, Consent, ForeignRuns, Launch, Resume, ResumeFrom, check_launch, fork, resume, start,
};

use crate::approvals::{ApprovalKey, approved_launch};
use crate::consent::consent;
use crate::error::Error;
use crate::run::Run;
use crate::run_observer::RunObserver;
use crate::run_start::Start;

/// A run that has been read and not started.
#[must_use = "a run begins with `start`"]
pub struct PreparedRun {
    pub(crate) launch: Launch,
    pub(crate) start: Start,
    pub(crate) checkpoint: Option<PathBuf>,
    pub(crate) changes: Changes,
    pub(crate) foreign: ForeignRuns,
    pub(crate) observer: Option<Arc<dyn RunObserver>>,
}

impl PreparedRun {
    /// Everything the run can do, for a person or a policy to look at before it starts. Reads files.
    pub fn consent(&self) -> Consent {
        consent_of(&self.launch)
    }

    /// What the approval of a person has to be about. Reads files.
    pub fn approval_key(&self) -> ApprovalKey {
        let launch = approved_launch(&self.launch);
        ApprovalKey::new(&launch, &consent_of(&launch), None)
    }

    /// Refuses what [`Self::start`] would refuse of the pipeline and its inputs.
    ///
    /// # Errors
    /// The pipeline has errors, or inputs are missing.
    pub fn check(&self) -> Result<(), Error> {
        Ok(check_launch(&self.launch)?)
    }

    /// Starts the run. It continues when its handle is dropped, as long as the runtime does.
    ///
    /// # Errors
    /// The pipeline has errors, inputs are missing, or the run's directory cannot be made.
    pub async fn start(self) -> Result<Run, Error> {
        let Self {
            launch,
            changes,
            foreign,
            ..
        } = self;
        let continued = |launch| Resume {
            launch,
            changes,
            foreign,
        };
        let handle = match (self.start, self.checkpoint) {
            (Start::Fork(point), _) => fork(point, continued(launch)).await?,
            (Start::Run(directory), _) => {
                resume(ResumeFrom::Run(directory), continued(launch)).await?
            }
            (_, Some(path)) => resume(ResumeFrom::File(path), continued(launch)).await?,
            _ => start(launch).await?,
        };
        if let Some(observer) = self.observer {
            observer.started(&handle);
        }
        Ok(Run::new(handle))
    }
}

/// The consent document of a launch with the configuration of its project as it is now.
fn consent_of(launch: &Launch) -> Consent {
    let path = std::path::absolute(&launch.source.path);
    let path = path.unwrap_or_else(|_| launch.source.path.clone());
    consent(launch, &Configuration::read(&path, None))
}
