//! What the work of a node may use while it runs.

use std::sync::Arc;

use attractor_exec::ExecutionEnvironment;
use tokio_util::sync::CancellationToken;

use super::inbox::Inbox;
use crate::event::Stream;

/// What the work of a node may use while it runs. Cheap to clone.
#[derive(Clone)]
pub struct HandlerEnv {
    /// Cancelled when the work is to end.
    pub(crate) stop: CancellationToken,
    /// Where its output goes.
    pub(crate) output: Arc<dyn Output>,
    /// What people and supervisors say to it.
    pub(crate) inbox: Inbox,
    /// Runs commands.
    pub(crate) execution: Arc<dyn ExecutionEnvironment>,
}

impl HandlerEnv {
    /// Resolves when the work is to end: the run was cancelled, or another branch has decided.
    pub async fn cancelled(&self) {
        self.stop.cancelled().await;
    }

    /// Whether the work is to end.
    pub fn is_cancelled(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// The next message to the node (`Run::steer`), when there is one. Messages to a node that never asks for them are
    /// refused.
    pub async fn message(&self) -> String {
        self.inbox.next().await
    }

    /// Writes to the output of the node, which people see while it runs (event `stage_output`). Secrets of the run
    /// are masked; of a long output the beginning is shown.
    pub fn write(&self, text: &str) {
        self.output.write(Stream::Stdout, text.as_bytes());
    }

    /// Writes a remark about the work, apart from its output.
    pub fn note(&self, text: &str) {
        self.output
            .write(Stream::Note, format!("{text}\n").as_bytes());
    }
}

/// Where a task's output goes, for people to see while it runs.
pub(crate) trait Output: Send + Sync {
    /// A piece of text.
    fn write(&self, stream: Stream, bytes: &[u8]);
}
