//! Work of tools that waits for the disk.

use crate::tool::ToolResult;

/// Does the work on a thread that may wait.
pub(super) async fn blocking(
    work: impl FnOnce() -> Result<ToolResult, ToolResult> + Send + 'static,
) -> ToolResult {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(result) | Err(result)) => result,
        Err(error) => ToolResult::error(format!("the tool failed: {error}")),
    }
}
