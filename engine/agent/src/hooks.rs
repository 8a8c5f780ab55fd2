//! Hooks: commands that run before and after tool calls. One that runs before a call can refuse it.
//!
//! They are those of the person, of a trusted project or of a pipeline, and so run outside of the sandbox of the agent.

mod execution;
mod subject;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use attractor_agent_events::HookTime;
use attractor_exec::{ExecutionEnvironment, LocalEnvironment};
use attractor_permissions::{Level, Rule, RuleError, Rules};

pub(crate) use execution::{CallOfHook, Ran, run};

/// A command that runs before or after tool calls.
#[derive(Debug, Clone)]
pub struct ToolHook {
    /// Its name, for events and messages.
    pub name: String,
    /// When it runs.
    pub when: HookTime,
    /// The calls it runs for.
    pub calls: HookedCalls,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
    /// Where it runs; the folder of the session if absent.
    pub directory: Option<PathBuf>,
    /// How long it may take.
    pub timeout: Duration,
}

/// The calls that a hook runs for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HookedCalls(Option<Rules>);

impl HookedCalls {
    /// The calls that match a rule such as `shell(git push*)`. One that cannot be understood is among them.
    ///
    /// # Errors
    /// The text is not one of a rule.
    pub fn matching(rule: &str) -> Result<Self, RuleError> {
        let rule = Rule::parse(rule, Level::Deny)?;
        Ok(Self(Some(std::iter::once(rule).collect())))
    }
}

/// The hooks of a session.
#[derive(Debug, Clone)]
pub struct ToolHooks {
    /// The node that the session works on.
    pub node: String,
    /// In the order in which they run.
    pub hooks: Vec<ToolHook>,
    /// Runs them.
    pub environment: Arc<dyn ExecutionEnvironment>,
}

impl Default for ToolHooks {
    fn default() -> Self {
        Self {
            node: String::new(),
            hooks: Vec::new(),
            environment: Arc::new(LocalEnvironment),
        }
    }
}
