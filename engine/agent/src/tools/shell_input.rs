//! `shell_input`: writes to the standard input of a command in the background. To a shell that is a command: the rules on
//! commands decide about it.

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, parse};

/// Writes to a command in the background.
#[derive(Debug, Clone, Copy)]
pub struct ShellInput;

#[derive(Deserialize)]
struct Arguments {
    id: String,
    text: String,
    #[serde(default)]
    close: bool,
}

#[async_trait]
impl Tool for ShellInput {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required("id", "string", "The id that `shell` returned.")
            .required("text", "string", "What it reads, with `\\n` at the end of each line.")
            .optional(
                "close",
                "boolean",
                "Whether the input ends there; the command gets no further input.",
            )
            .define(
                "shell_input",
                "Writes to the standard input of a command in the background. The input is a pipe, no terminal: keys such as \
                 Ctrl-C have no effect. `shell_output` reads what the command answers.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[("shell_id", "id"), ("input", "text")]
    }

    fn access(&self, arguments: &Value) -> Access {
        let text = parse(self, arguments).map(|one: Arguments| one.text);
        Access::Execute(text.unwrap_or_default())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        let arguments: Arguments = match parse(self, &call.arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        ToolResult {
            is_open: true,
            ..write(&arguments, context).await
        }
    }
}

/// Whether a text is whole lines: what is written is decided about as a command, and a part of one says nothing.
fn is_whole(arguments: &Arguments) -> bool {
    let text = &arguments.text;
    let continues = text.trim_end_matches(['\n', '\r']).ends_with('\\');
    arguments.close || text.is_empty() || (text.ends_with('\n') && !continues)
}

async fn write(arguments: &Arguments, context: &ToolContext) -> ToolResult {
    if !is_whole(arguments) {
        return ToolResult::error(
            "the text is not of whole lines: it has to end with a line end, and not with a backslash before it; or `close` \
             the input",
        );
    }
    let command = match context.background.find(&arguments.id) {
        Ok(command) => command,
        Err(problem) => return ToolResult::error(problem),
    };
    let written = tokio::select! {
        written = command.input(&arguments.text) => written,
        () = context.cancel.cancelled() => Err("stopped: the session was cancelled".to_owned()),
    };
    if let Err(problem) = written {
        return ToolResult::error(problem);
    }
    if arguments.close {
        command.close_input().await;
        return ToolResult::ok("written; the input of the command is closed");
    }
    ToolResult::ok("written")
}
