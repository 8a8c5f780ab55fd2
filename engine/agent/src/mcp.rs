//! Tools of servers that speak the Model Context Protocol.
//!
//! The servers are started together ([`McpServers::connect`]); their tools are listed once, named `SERVER__TOOL` and
//! sorted, so that they stay the same for the whole session. A server that cannot be started, hangs or ends is a
//! problem with a reason, and never holds a session up.

mod connection;
mod render;
mod settings;
mod tool;

use std::collections::HashSet;
use std::sync::Arc;

use futures::future::join_all;

use self::connection::Connection;
use self::tool::McpTool;
use crate::tool::{Tool, ToolRegistry};

pub use settings::{McpProcess, McpServer, McpTransport};

/// Tools of one server.
const MAX_TOOLS: usize = 200;

/// A server or a tool that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("MCP server {server}: {reason}")]
pub struct McpProblem {
    /// The server.
    pub server: String,
    /// Why.
    pub reason: String,
    /// Whether the whole server cannot be used, not only a tool.
    pub is_server: bool,
}

/// The servers of a session, connected. They are ended when it and the tools are dropped.
pub struct McpServers {
    tools: Vec<Arc<dyn Tool>>,
    /// What cannot be used.
    pub problems: Vec<McpProblem>,
}

impl McpServers {
    /// Connects to all servers at once.
    pub async fn connect(servers: &[McpServer], process: &McpProcess) -> Self {
        let connecting = servers.iter().map(|server| tools_of(server, process));
        let mut connected = Self {
            tools: Vec::new(),
            problems: Vec::new(),
        };
        for found in join_all(connecting).await {
            connected.tools.extend(found.tools);
            connected.problems.extend(found.problems);
        }
        connected.tools.sort_by_key(|tool| tool.definition().name);
        connected
    }

    /// Adds the tools, in the order of their names.
    pub fn register(&self, tools: &mut ToolRegistry) {
        for tool in &self.tools {
            tools.register(Arc::clone(tool));
        }
    }
}

/// What one server offers.
async fn tools_of(server: &McpServer, process: &McpProcess) -> McpServers {
    let listed = match Connection::open(server, process).await {
        Ok(connection) => listed(server, connection).await,
        Err(reason) => Err(reason),
    };
    listed.unwrap_or_else(|reason| McpServers {
        tools: Vec::new(),
        problems: vec![McpProblem {
            server: server.name.clone(),
            reason,
            is_server: true,
        }],
    })
}

/// The tools of a connected server.
async fn listed(server: &McpServer, connection: Connection) -> Result<McpServers, String> {
    let connection = Arc::new(connection);
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    let mut problems = Vec::new();
    let mut names = HashSet::new();
    for one in connection.list_tools(MAX_TOOLS).await? {
        let reason = match McpTool::new(server, &connection, one) {
            Ok(tool) if names.insert(tool.definition().name) => {
                tools.push(Arc::new(tool));
                continue;
            }
            Ok(tool) => format!(
                "it has two tools with the name `{}`",
                tool.definition().name
            ),
            Err(reason) => reason,
        };
        problems.push(McpProblem {
            server: server.name.clone(),
            reason,
            is_server: false,
        });
    }
    Ok(McpServers { tools, problems })
}

#[cfg(test)]
mod tests;
