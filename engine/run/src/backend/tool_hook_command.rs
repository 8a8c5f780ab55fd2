//! A hook of tool calls as a backend runs it.

use std::path::PathBuf;
use std::time::Duration;

use attractor_model::{HookTime, ToolHook};

/// How long a hook may take that does not say it.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// A command that runs before or after tool calls of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolHookCommand {
    /// Its name in the configuration, or the attribute.
    pub name: String,
    /// When it runs.
    pub when: HookTime,
    /// The calls it runs for, as the text of a permission rule; all of them without one.
    pub tool: Option<String>,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
    /// Where it runs; the folder of the agent if absent.
    pub directory: Option<PathBuf>,
    /// How long it may take.
    pub timeout: Duration,
}

impl From<&ToolHook> for ToolHookCommand {
    fn from(hook: &ToolHook) -> Self {
        Self {
            name: hook.name.clone(),
            when: hook.when,
            tool: hook.tool.clone(),
            argv: hook.command.clone(),
            environment: Vec::new(),
            directory: hook.folder.clone().map(PathBuf::from),
            timeout: hook.timeout.unwrap_or(TIMEOUT),
        }
    }
}
