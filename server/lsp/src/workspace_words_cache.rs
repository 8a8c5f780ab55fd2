//! The words of the workspace's pipelines, as they were last collected.

use std::sync::{Arc, Mutex};

use attractor_ide::workspace_words::WorkspaceWords;
use tokio::sync::Notify;

use attractor_proto::sync::lock;

/// The words as they were collected last.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceWordsCache {
    current: Mutex<Arc<WorkspaceWords>>,
    stale: Notify,
}

impl WorkspaceWordsCache {
    /// The words collected so far.
    pub(crate) fn current(&self) -> Arc<WorkspaceWords> {
        Arc::clone(&lock(&self.current))
    }

    /// Files may have changed: the words are collected again soon.
    pub(crate) fn invalidate(&self) {
        self.stale.notify_one();
    }

    /// Stores what was collected.
    pub(crate) fn store(&self, words: WorkspaceWords) {
        *lock(&self.current) = Arc::new(words);
    }

    /// Waits until files may have changed.
    pub(crate) async fn invalidated(&self) {
        self.stale.notified().await;
    }
}
