//! A run that has been read, and that the policy of the server allows.

use attractor::{Error, Launcher, PreparedRun};
use attractor_run::RunError;

use crate::error::ApiError;
use crate::pipeline_source::PipelineFile;
use crate::refused_pipeline::refused;
use crate::runs::{Started, blocking};
use crate::submission_policy::AllowedHandlers;

/// A run that has been read, and may be started as far as the policy of the server goes.
pub(crate) struct AllowedRun {
    pub(crate) run: PreparedRun,
    pub(crate) file: PipelineFile,
    /// Whether nothing of it is real.
    pub(crate) is_dry: bool,
}

impl AllowedRun {
    /// Reads the run of `file`, and refuses one that does more than `handlers` allow.
    pub(crate) async fn read(
        launcher: Launcher,
        file: PipelineFile,
        handlers: &AllowedHandlers,
        is_dry: bool,
    ) -> Result<Self, ApiError> {
        let handlers = handlers.clone();
        blocking(move || {
            let run = launcher.prepare().map_err(|error| refused(&error, &file))?;
            if handlers != AllowedHandlers::All {
                handlers.check(&run.consent())?;
            }
            Ok(Self { run, file, is_dry })
        })
        .await
    }

    /// Refuses a run that could not start, before anybody is asked about it. Reads files.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let checked = self.run.check();
        checked.map_err(|error| refused(&error, &self.file))
    }

    /// Starts it.
    pub(crate) async fn start(self) -> Result<Started, ApiError> {
        let Self { run, file, is_dry } = self;
        match run.start().await {
            Ok(run) => Ok(Started {
                run,
                dry: is_dry.then_some(file.path),
            }),
            Err(Error::Run(error @ RunError::Io { .. })) => Err(ApiError::from(error)),
            Err(error) => Err(refused(&error, &file)),
        }
    }
}
