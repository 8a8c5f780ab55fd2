//! The topics of changes, in the order in which a reviewer wants them: what a pipeline may do comes first.

use attractor_model::catalogue::{AttrType, AttributeRow};
use serde::Serialize;

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Commands, with their environment, and pipelines that are run.
    Commands,
    /// What agents may use, read and write, and what runs them.
    Permissions,
    /// Budgets and limits: cost, tokens, time, steps, attempts.
    Limits,
    /// Which models answer, and how.
    Models,
    /// Nodes, and their prompts and other attributes.
    Nodes,
    /// Edges, and where a run begins and ends.
    Routes,
    /// Other attributes of the graph.
    Graph,
}

/// A heading over topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// What the pipeline may do, and what it may cost.
    Effects,
    /// Its nodes.
    Nodes,
    /// Its routes.
    Routes,
    /// Its graph attributes.
    Graph,
}

impl Section {
    /// The heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Effects => "What it may do",
            Self::Nodes => "Nodes",
            Self::Routes => "Routes",
            Self::Graph => "Graph",
        }
    }
}

const COMMANDS: &[&str] = &[
    "command",
    "pre_hook",
    "post_hook",
    "tool_hooks.pre",
    "tool_hooks.post",
    "shell",
    "language",
    "stdin",
    "stdin_source",
    "tool_env",
    "working_dir",
    "stack.child_workdir",
    "sub_pipeline",
    "stack.child_dotfile",
];

const PERMISSIONS: &[&str] = &[
    "permissions",
    "allowed_tools",
    "allowed_paths",
    "mcp",
    "backend",
    "agent_tool",
    "acp_agent",
    "agent_mode",
    "isolation",
    "simulation",
];

const LIMITS: &[&str] = &[
    "max_cost",
    "max_tokens_total",
    "max_tokens",
    "max_steps",
    "max_node_visits",
    "max_visits",
    "max_pipeline_duration",
    "max_turns",
    "max_parallel",
    "max_iterations",
    "max_goal_gate_redirects",
    "stall_timeout",
    "stale_after_turns",
    "timeout",
    "default_command_timeout_ms",
    "max_command_timeout_ms",
    "max_retries",
    "default_max_retries",
    "retry_policy",
    "retry_delay",
    "output_retries",
    "loop_max",
];

const MODELS: &[&str] = &[
    "model",
    "provider",
    "reasoning_effort",
    "speed",
    "temperature",
    "top_p",
    "fallback_models",
    "escalation_models",
    "retries_before_escalation",
    "on_rate_limit",
];

impl Topic {
    /// The heading it is under.
    pub const fn section(self) -> Section {
        match self {
            Self::Commands | Self::Permissions | Self::Limits | Self::Models => Section::Effects,
            Self::Nodes => Section::Nodes,
            Self::Routes => Section::Routes,
            Self::Graph => Section::Graph,
        }
    }

    /// The topic of an attribute; `other` if it is none of those that say what a pipeline may do.
    pub(crate) fn of(name: &str, row: Option<&AttributeRow>, other: Self) -> Self {
        let is_command = row.is_some_and(|row| row.ty == AttrType::Command);
        if is_command || COMMANDS.contains(&name) || name.starts_with("env.") {
            Self::Commands
        } else if PERMISSIONS.contains(&name) {
            Self::Permissions
        } else if LIMITS.contains(&name) {
            Self::Limits
        } else if MODELS.contains(&name) {
            Self::Models
        } else if name == "terminal" {
            Self::Routes
        } else {
            other
        }
    }
}

#[cfg(test)]
mod tests {
    use attractor_model::catalogue::ATTRIBUTES;

    use super::{COMMANDS, LIMITS, MODELS, PERMISSIONS};

    #[test]
    fn the_topics_name_attributes_of_the_catalogue() {
        for name in [COMMANDS, PERMISSIONS, LIMITS, MODELS].concat() {
            assert!(ATTRIBUTES.iter().any(|row| row.name == name), "{name}");
        }
    }
}
