//! What submitted pipelines may do: which handlers they may use, and which engine runs them.

use std::path::{Path, PathBuf};

use attractor::Engine;
use attractor_model::NodeKind;
use attractor_run::{Consent, ConsentStep};

use crate::error::ApiError;

/// How submitted pipelines are run.
#[derive(Clone)]
pub struct Submissions {
    /// Runs them; its commands see what they may see of the environment.
    pub engine: Engine,
    /// The folder that gets a folder for each.
    pub folder: PathBuf,
    /// The handlers that they may use.
    pub handlers: AllowedHandlers,
}

/// Handlers that submitted pipelines may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedHandlers {
    /// All of them.
    All,
    /// Those that start no programs: neither commands nor agents.
    WithoutPrograms,
    /// These, and those that neither start programs nor ask models.
    Only(Vec<String>),
}

impl Submissions {
    /// Whether a run that works in `folder` is one of a submitted pipeline.
    pub(crate) fn has(&self, folder: &Path) -> bool {
        let absolute = |path| std::path::absolute(path).unwrap_or_default();
        absolute(folder).starts_with(absolute(&self.folder))
    }
}

impl AllowedHandlers {
    /// Refuses a run that does more than is allowed.
    pub(crate) fn check(&self, consent: &Consent) -> Result<(), ApiError> {
        let mut steps = consent.steps();
        match self {
            Self::All => Ok(()),
            Self::WithoutPrograms => match steps.find(|step| starts_programs(step)) {
                None => Ok(()),
                Some(step) => Err(ApiError::invalid(format!(
                    "the node `{}` runs commands, which this server does not allow; start it with `--allow-commands`",
                    step.node
                ))),
            },
            Self::Only(names) => steps.try_for_each(|step| check_step(names, step)),
        }
    }
}

/// Commands, hooks, handlers of the configuration, and agents with their tools.
fn starts_programs(step: &ConsentStep) -> bool {
    let is_agent = step.handler == NodeKind::Codergen.name() && step.simulated.is_none();
    !step.commands.is_empty() || is_agent
}

fn check_step(allowed: &[String], step: &ConsentStep) -> Result<(), ApiError> {
    let tool = NodeKind::Tool.name();
    // A hook of the configuration is the server's own.
    let commands = step
        .commands
        .iter()
        .filter(|command| command.hook.is_none());
    let of_commands = commands.map(|command| command.handler.as_deref().unwrap_or(tool));
    let asks = [NodeKind::Codergen, NodeKind::Prompt].map(NodeKind::name);
    let of_model = step.model.then(|| {
        let named = asks.into_iter().find(|name| *name == step.handler);
        named.unwrap_or(NodeKind::Prompt.name())
    });
    let mut needed = of_commands.chain(of_model);
    match needed.find(|needed| !allowed.iter().any(|name| name == needed)) {
        None => Ok(()),
        Some(needed) => Err(ApiError::invalid(format!(
            "the node `{}` needs the handler `{needed}`, which this server does not allow; its configuration lists those it allows in `serve.allow`",
            step.node
        ))),
    }
}
