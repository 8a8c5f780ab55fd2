//! `write_file`: a whole file.

use async_trait::async_trait;
use attractor_llm::ToolDefinition;
use serde::Deserialize;
use serde_json::Value;

use super::blocking::blocking;
use crate::text::TextFormat;
use crate::tool::{Access, Parameters, Tool, ToolCall, ToolContext, ToolResult, path_argument};
use crate::workspace::{FileError, Workspace};

/// Creates or overwrites a file.
#[derive(Debug, Clone, Copy)]
pub struct WriteFile;

#[derive(Deserialize)]
struct Arguments {
    path: String,
    content: String,
}

#[async_trait]
impl Tool for WriteFile {
    fn definition(&self) -> ToolDefinition {
        Parameters::new()
            .required(
                "path",
                "string",
                "The file: relative to the working folder, or absolute inside it.",
            )
            .required("content", "string", "The whole new content of the file.")
            .define(
                "write_file",
                "Creates a file, or replaces the whole content of one. Folders on the way are made. Line ends and byte \
                 order mark of a file that exists are kept: write `\\n`. To change a part of a file, use the editing \
                 tool instead. Files in `.git` and `.attractor` cannot be written.",
            )
    }

    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("file_path", "path"),
            ("filename", "path"),
            ("contents", "content"),
        ]
    }

    fn access(&self, arguments: &Value) -> Access {
        Access::Write(path_argument(self, arguments).into_iter().collect())
    }

    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult {
        blocking(self, &call, context, write).await
    }
}

fn write(workspace: &Workspace, arguments: &Arguments) -> Result<ToolResult, ToolResult> {
    let below = workspace.resolve_for_change(arguments.path.as_ref())?;
    let before = match workspace.read_if_exists(&below) {
        Err(FileError::TooLarge(_)) => {
            return Err(ToolResult::error(format!(
                "`{}` is too large to be replaced, as it could not be restored; remove it with the shell first",
                arguments.path
            )));
        }
        read => read?,
    };
    let format = before.content.as_deref().map(TextFormat::of);
    let others = before
        .version
        .is_some_and(|version| workspace.saw(&below, version));
    let after = format.unwrap_or_default().encode(&arguments.content);
    let change = workspace.change(&below, before, Some(after))?;
    let mut output = format!("Successfully wrote to {}", arguments.path);
    if others {
        output.push_str(
            "\nNote: the file was modified by another program since it was last read here; that change is \
             overwritten.",
        );
    }
    Ok(ToolResult {
        changes: vec![change],
        ..ToolResult::ok(output)
    })
}
