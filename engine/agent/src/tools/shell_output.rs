//! `shell_output`: what a command in the background has written since the last call, and how it is.

use std::time::Duration;

use async_trait::async_trait;
use attractor_exec::CapturedOutput;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use crate::background::CommandStatus;
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};

/// How long a call waits that names no time.
const WAITS: Duration = Duration::from_secs(5);

/// Reads the output of a command in the background.
#[derive(Debug, Clone, Copy)]
pub struct ShellOutput;

#[derive(Deserialize)]
struct Arguments {
    id: String,
    #[serde(default)]
    wait_ms: Option<u64>,
}

#[async_trait]
impl Tool for ShellOutput {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("id", "string", "The id that `shell` returned.")
            .optional(
                "wait_ms",
                "integer",
                "How long to wait for output or the end of the command, in milliseconds; 5000 by default, 0 for not at all.",
            )
            .define(
                "shell_output",
                "Returns what a command in the background has written since the last call, and whether it runs. It \
                 returns as soon as there is something new. Long output is cut in the middle.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("shell_id", "id"), ("timeout_ms", "wait_ms")]
    }

    fn access(&self, arguments: &Value) -> Access {
        let id = parse(self, arguments).map(|one: Arguments| one.id);
        Access::Started(id.unwrap_or_default())
    }

    fn is_poll(&self) -> bool {
        true
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let arguments: Arguments = match parse(self, &call.arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let command = match context.background.find(&arguments.id) {
            Ok(command) => command,
            Err(problem) => return ToolResult::error(problem),
        };
        let wait = arguments.wait_ms.map_or(WAITS, Duration::from_millis);
        let wait = wait.min(context.commands.max_timeout);
        let (output, status) = tokio::select! {
            output = command.output(wait) => output,
            () = context.cancel.cancelled() => {
                return ToolResult::error("stopped: the session was cancelled; the command runs on");
            }
        };
        ToolResult::ok(report(output, status))
    }
}

/// An output and how its command is.
pub(super) fn report(output: CapturedOutput, status: CommandStatus) -> String {
    let mut text = output.text;
    if text.is_empty() {
        text.push_str("[nothing new was written]\n");
    } else if !text.ends_with('\n') {
        text.push('\n');
    }
    let state = match status {
        CommandStatus::Running => "[the command runs]".to_owned(),
        CommandStatus::Exited(code) => format!("[exit code: {code}]"),
        CommandStatus::Stopped => "[the command was ended]".to_owned(),
    };
    text + &state
}
