//! Dry runs of one pipeline, which is validated once for all of them.

use std::collections::BTreeMap;

use attractor_machine::outcome::Limits;
use serde_json::Value;

use super::handle::RunHandle;
use super::start::start_valid;
use super::validate::check_valid;
use crate::backend::BackendRegistry;
use crate::error::RunError;
use crate::handlers::script::Script;
use crate::launch::{Launch, Mode};
use crate::questions::answer_policy::AnswerPolicy;

/// A pipeline without errors, ready for any number of dry runs.
#[derive(Clone)]
pub struct DryRuns {
    launch: Launch,
}

/// What one dry run is given.
#[derive(Clone, Default)]
pub struct DryRun {
    /// The outcomes of its nodes.
    pub script: Script,
    /// The answers of its gates.
    pub answers: AnswerPolicy,
    /// First values of the context.
    pub inputs: BTreeMap<String, Value>,
    /// Limits from outside the pipeline.
    pub limits: Limits,
    /// What answers prompts, where the script says that backends do.
    pub backends: BackendRegistry,
}

impl DryRuns {
    /// Validates the pipeline of a launch.
    ///
    /// # Errors
    /// The pipeline has errors.
    pub fn of(launch: Launch) -> Result<Self, RunError> {
        check_valid(&launch)?;
        Ok(Self { launch })
    }

    /// The pipeline, and what is around it.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Starts a dry run.
    ///
    /// # Errors
    /// The pipeline has no start node, or an input is wrong.
    pub fn start(&self, run: DryRun) -> Result<RunHandle, RunError> {
        start_valid(Launch {
            mode: Mode::DryRun(run.script),
            answers: run.answers,
            inputs: run.inputs,
            limits: run.limits,
            backends: run.backends,
            ..self.launch.clone()
        })
    }
}
