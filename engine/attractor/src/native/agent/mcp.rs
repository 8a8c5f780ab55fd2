//! The MCP servers of a node: those of the user's configuration that its attribute `mcp` names.

use std::sync::Arc;

use attractor_agent::mcp::{McpProcess, McpServer, McpServers};
use attractor_exec::Redactor;
use attractor_run::CodergenRequest;

use crate::mcp_servers::{ConfiguredServer, unknown};
use crate::native::request;

/// Connects to the servers that a node names, and to further ones.
///
/// # Errors
/// One is not configured or cannot be started: the node was written for its tools.
pub(super) async fn connect(
    input: &CodergenRequest,
    (configured, further): (&[ConfiguredServer], &[McpServer]),
    redactor: Arc<Redactor>,
    step: &str,
) -> Result<McpServers, String> {
    let mut servers = further.to_vec();
    for name in request::list(input.option("mcp").unwrap_or_default()) {
        let found = configured.iter().find(|(known, _)| *known == name);
        let (_, server) = found.ok_or_else(|| unknown(&name, configured))?;
        servers.push(server.clone()?);
    }
    let process = McpProcess {
        directory: input.working_dir.clone(),
        run: input.run.clone(),
        step: step.to_owned(),
        redactor,
    };
    let connected = McpServers::connect(&servers, &process).await;
    match connected.problems.iter().find(|problem| problem.is_server) {
        Some(problem) => Err(problem.to_string()),
        None => Ok(connected),
    }
}

#[cfg(test)]
mod tests {
    use attractor_agent::ToolRegistry;
    use attractor_agent::mcp::McpTransport;

    use super::*;

    /// Answers the handshake and lists one tool.
    const SCRIPT: &str = r#"
while read -r line; do
  id=${line##*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"read","inputSchema":{"type":"object"}}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

    fn server(name: &str, script: &str) -> ConfiguredServer {
        let transport = McpTransport::Stdio {
            command: ["sh", "-c", script].map(str::to_owned).to_vec(),
            environment: Vec::new(),
        };
        (name.to_owned(), Ok(McpServer::new(name, transport)))
    }

    /// The tools of a node with this attribute, or why there are none.
    async fn tools(mcp: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let input = CodergenRequest {
            working_dir: folder.path().to_owned(),
            options: [("mcp".to_owned(), mcp.to_owned())].into(),
            ..CodergenRequest::default()
        };
        let missing = (
            "token".to_owned(),
            Err("the variable TOKEN is not set".to_owned()),
        );
        let servers = [server("files", SCRIPT), server("broken", "exit 1"), missing];
        match connect(&input, (&servers, &[]), Arc::default(), "n/1-1").await {
            Ok(connected) => {
                let mut tools = ToolRegistry::default();
                connected.register(&mut tools);
                tools.tool_names().join(", ")
            }
            Err(reason) => reason,
        }
    }

    #[tokio::test]
    async fn a_node_has_the_tools_of_the_servers_it_names() {
        assert_eq!(tools("files").await, "files__read");
        assert_eq!(tools("").await, "");
    }

    #[tokio::test]
    async fn a_server_that_cannot_be_used_fails_the_node() {
        assert_eq!(
            tools("files, broken").await,
            "MCP server broken: the handshake failed: it ended"
        );
        assert_eq!(tools("token").await, "the variable TOKEN is not set");
        assert_eq!(
            tools("flies").await,
            "unknown MCP server `flies`: configured are files, broken, token; add [mcp.flies] to the user's \
             configuration file"
        );
    }
}
