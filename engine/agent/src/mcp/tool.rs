//! A tool of a server, as a tool of the session.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde_json::Value;

use super::connection::Connection;
use super::render;
use super::settings::McpServer;
use crate::tool::{Access, Tool, ToolCall, ToolContext, ToolResult};

/// Letters of a name.
const MAX_NAME: usize = 64;

/// Letters of a description: it is sent with every request.
const MAX_DESCRIPTION: usize = 4_000;

/// A tool of a server.
pub(super) struct McpTool {
    /// The name in the server.
    name: String,
    server: String,
    definition: ToolDefinition,
    call_timeout: Duration,
    connection: Arc<Connection>,
}

impl McpTool {
    /// Takes a tool of a server.
    ///
    /// # Errors
    /// Its name or its schema cannot be used; with the reason.
    pub(super) fn new(
        server: &McpServer,
        connection: &Arc<Connection>,
        tool: rmcp::model::Tool,
    ) -> Result<Self, String> {
        let name = full_name(&server.name, &tool.name)?;
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(format!(
                "the parameters of the tool `{}` are not an object",
                tool.name
            ));
        }
        let description = tool.description.unwrap_or_default();
        let description: String = description.chars().take(MAX_DESCRIPTION).collect();
        Ok(Self {
            name: tool.name.into_owned(),
            server: server.name.clone(),
            definition: ToolDefinition::new(name, description, schema),
            call_timeout: server.call_timeout,
            connection: Arc::clone(connection),
        })
    }
}

/// `SERVER__TOOL`, with the letters that all providers accept.
fn full_name(server: &str, tool: &str) -> Result<String, String> {
    let accepted = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let name: String = format!("{server}__{tool}")
        .chars()
        .map(|letter| if accepted(letter) { letter } else { '_' })
        .collect();
    if tool.is_empty()
        || name.len() > MAX_NAME
        || !name.starts_with(|first: char| first.is_ascii_alphabetic())
    {
        return Err(format!(
            "the tool `{tool}` is left out: `{name}` is not a name of a letter and at most {} further characters",
            MAX_NAME - 1
        ));
    }
    Ok(name)
}

#[async_trait]
impl Tool for McpTool {
    fn definition(&self) -> ToolDefinition {
        self.definition.clone()
    }

    fn access(&self, arguments: &Value) -> Access {
        Access::Other(arguments.to_string())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let arguments = match call.arguments {
            Value::Object(arguments) => arguments,
            _ => serde_json::Map::new(),
        };
        let called = tokio::select! {
            called = self.connection.call(&self.name, arguments, self.call_timeout) => called,
            () = context.cancel.cancelled() => Err("the session was cancelled".to_owned()),
        };
        match called {
            Ok(result) => {
                let (output, is_error) = render::result(&result);
                ToolResult {
                    output,
                    is_error,
                    ..ToolResult::default()
                }
            }
            Err(reason) => ToolResult::error(format!("MCP server {}: {reason}", self.server)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_letters_that_providers_accept() {
        let name = |server, tool| full_name(server, tool).unwrap_or_else(|reason| reason);
        assert_eq!(name("files", "read"), "files__read");
        assert_eq!(name("my.files", "a/b c"), "my_files__a_b_c");
        assert!(name("1", "a").starts_with("the tool `a` is left out"));
        assert!(name("files", "").starts_with("the tool `` is left out"));
        assert!(name("files", &"x".repeat(60)).contains("left out"));
    }
}
