//! Hooks the configuration declares: `[hooks.NAME]` with a command that runs before or after tool calls of agents.
//!
//! ```toml
//! [hooks.no-push]
//! when = "before"
//! tool = "shell(git push*)"
//! command = ["python3", ".attractor/check-push.py"]
//! timeout = "10s"
//! ```

use std::time::Duration;

use attractor_agent_events::HookTime;

/// A command that runs before or after tool calls of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolHook {
    /// Its name.
    pub name: String,
    /// When it runs.
    pub when: HookTime,
    /// The calls it runs for, as the text of a permission rule such as `shell(git push*)`; all of them without one.
    pub tool: Option<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// The folder it runs in: that of the project that declares it. `None` is the folder of the agent.
    pub folder: Option<String>,
}
