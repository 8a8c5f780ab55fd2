//! The MCP servers that a client names for a session.

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::McpServer as Offered;
use attractor_agent::mcp::{McpServer, McpTransport};

use crate::error::invalid;

/// The servers as the agent connects to them.
pub(crate) fn servers(offered: Vec<Offered>) -> Result<Vec<McpServer>, Error> {
    offered.into_iter().map(server).collect()
}

fn server(offered: Offered) -> Result<McpServer, Error> {
    match offered {
        Offered::Stdio(stdio) => {
            let program = stdio.command.display().to_string();
            let transport = McpTransport::Stdio {
                command: std::iter::once(program).chain(stdio.args).collect(),
                environment: stdio
                    .env
                    .into_iter()
                    .map(|variable| (variable.name, variable.value))
                    .collect(),
            };
            Ok(McpServer::new(&stdio.name, transport))
        }
        Offered::Http(http) => {
            let transport = McpTransport::Http {
                url: http.url,
                headers: http
                    .headers
                    .into_iter()
                    .map(|header| (header.name, header.value))
                    .collect(),
            };
            Ok(McpServer::new(&http.name, transport))
        }
        _ => Err(invalid(
            "an MCP server is reached in a way that is not supported; expected a command or HTTP",
        )),
    }
}
