//! `shell_stop`: ends a command in the background.

use std::time::Duration;

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use super::shell_output::report;
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};

/// Ends a command in the background.
#[derive(Debug, Clone, Copy)]
pub struct ShellStop;

#[derive(Deserialize)]
struct Arguments {
    id: String,
}

#[async_trait]
impl Tool for ShellStop {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("id", "string", "The id that `shell` returned.")
            .define(
                "shell_stop",
                "Ends a command in the background with everything it started, by TERM and two seconds later by KILL. \
                 Returns the rest of its output.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("shell_id", "id")]
    }

    fn access(&self, arguments: &Value) -> Access {
        let id = parse(self, arguments).map(|one: Arguments| one.id);
        Access::Started(id.unwrap_or_default())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let arguments: Arguments = match parse(self, &call.arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        match context.background.find(&arguments.id) {
            Ok(command) => {
                command.stop().await;
                let (rest, status) = command.output(Duration::ZERO).await;
                ToolResult::ok(report(rest, status))
            }
            Err(problem) => ToolResult::error(problem),
        }
    }
}
