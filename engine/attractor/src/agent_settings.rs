//! What the configuration says about agents.

use attractor_config::AgentPolicy;

use crate::mcp_servers::ConfiguredServer;

/// What the configuration says about agents.
#[derive(Debug)]
pub(crate) struct AgentSettings {
    /// What they may do.
    pub(crate) policy: AgentPolicy,
    /// The MCP servers that nodes may name.
    pub(crate) mcp_servers: Vec<ConfiguredServer>,
}
