//! One run of this server: its handle, and what it did so far.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use attractor_run::{Event, RunHandle, RunState};
use lsp_types::Uri;

use super::projection::RunProjection;
use super::run_record::{RunRecord, Statements};
use crate::sync::lock;

/// Who interrupts runs when the server stops, in the journal.
pub(crate) const SERVER_STOP: &str = "the editor's end";

/// A run this server started or resumed; kept after its end, for the editor to show.
pub(crate) struct ServerRun {
    /// Its id.
    pub(crate) id: String,
    /// Its document, as the client writes the URI.
    pub(crate) uri: Uri,
    /// The path of the document.
    pub(crate) file: PathBuf,
    /// The name of its graph.
    pub(crate) graph: String,
    /// The engine's handle.
    pub(crate) handle: RunHandle,
    statements: Arc<Statements>,
    projection: Mutex<Arc<RunProjection>>,
}

impl ServerRun {
    /// A run without events so far.
    pub(crate) fn new(
        uri: Uri,
        file: PathBuf,
        graph: String,
        statements: Statements,
        handle: RunHandle,
    ) -> Self {
        Self {
            id: handle.id().to_string(),
            uri,
            file,
            graph,
            statements: Arc::new(statements),
            handle,
            projection: Mutex::default(),
        }
    }

    /// Applies the next event. The state is copied only while a reader still holds the version before.
    pub(crate) fn apply(&self, event: &Event) {
        Arc::make_mut(&mut lock(&self.projection)).apply(event);
    }

    /// Records that a node changed files.
    pub(crate) fn record_changes(&self, node: String) {
        Arc::make_mut(&mut lock(&self.projection))
            .changed
            .insert(node);
    }

    /// What it did so far, shared with every other reader of the same version.
    pub(crate) fn projection(&self) -> Arc<RunProjection> {
        Arc::clone(&lock(&self.projection))
    }

    /// Its state.
    pub(crate) fn state(&self) -> RunState {
        lock(&self.projection).snapshot.state
    }

    /// Whether it has not ended.
    pub(crate) fn is_active(&self) -> bool {
        matches!(self.state(), RunState::Running | RunState::Waiting)
    }

    /// The token of its work-done progress.
    pub(crate) fn progress_token(&self) -> String {
        format!("attractor/run/{}", self.id)
    }

    /// The run at this moment.
    pub(crate) fn record(&self) -> RunRecord {
        RunRecord {
            id: self.id.clone(),
            graph: self.graph.clone(),
            statements: Arc::clone(&self.statements),
            projection: self.projection(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_of_one_version_share_it_and_keep_it() {
        let shared: Mutex<Arc<RunProjection>> = Mutex::default();
        let reader = Arc::clone(&lock(&shared));
        assert!(Arc::ptr_eq(&reader, &lock(&shared)));
        Arc::make_mut(&mut lock(&shared)).snapshot.done = 1;
        assert_eq!((reader.snapshot.done, lock(&shared).snapshot.done), (0, 1));
        drop(reader);
        let before = Arc::as_ptr(&lock(&shared));
        Arc::make_mut(&mut lock(&shared)).snapshot.done = 2;
        assert_eq!(before, Arc::as_ptr(&lock(&shared)), "nobody else holds it");
    }
}
