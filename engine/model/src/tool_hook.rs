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

use serde::{Deserialize, Serialize};

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

/// When a hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HookTime {
    /// Before a call, which it can refuse.
    Before,
    /// After a call.
    After,
}

impl HookTime {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// The word of the configuration file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    /// The time of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|time| time.name() == name)
    }
}
