//! Work of tools that waits for the disk.

use serde::de::DeserializeOwned;

use crate::tool::{Tool, ToolCall, ToolContext, ToolResult, parse};
use crate::workspace::Workspace;

/// Reads the arguments of a call and does its work on a thread that may wait.
pub(super) async fn blocking<A: DeserializeOwned + Send + 'static>(
    tool: &dyn Tool,
    call: &ToolCall,
    context: &ToolContext,
    work: impl FnOnce(&Workspace, &A) -> Result<ToolResult, ToolResult> + Send + 'static,
) -> ToolResult {
    let arguments = match parse(tool, &call.arguments) {
        Ok(arguments) => arguments,
        Err(result) => return result,
    };
    let workspace = context.workspace.clone();
    match tokio::task::spawn_blocking(move || work(&workspace, &arguments)).await {
        Ok(Ok(result) | Err(result)) => result,
        Err(error) => ToolResult::error(format!("the tool failed: {error}")),
    }
}
