//! One run that is followed: where it is, and what it did so far.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_run::{Event, Question, RunState};
use lsp_types::Uri;

use super::projection::RunProjection;
use super::run_record::{RunRecord, Statements};
use super::run_source::RunSource;
use attractor_proto::sync::lock;

/// Who interrupts runs when the server stops, in the journal.
pub(crate) const SERVER_STOP: &str = "the editor's end";

/// The document that a run is shown in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunDocument {
    /// Its URI, as the client writes it.
    pub(crate) uri: Uri,
    /// Its path.
    pub(crate) file: PathBuf,
}

/// A run this server started or resumed, or one of a server elsewhere; kept after its end, for the editor to show.
pub(crate) struct ServerRun {
    /// Its id.
    pub(crate) id: String,
    /// The name of its graph.
    pub(crate) graph: String,
    /// Where it is.
    pub(crate) source: RunSource,
    document: Mutex<Arc<RunDocument>>,
    statements: Arc<Statements>,
    projection: Mutex<Arc<RunProjection>>,
}

impl ServerRun {
    /// A run without events so far.
    pub(crate) fn new(
        document: RunDocument,
        graph: String,
        statements: Statements,
        source: RunSource,
    ) -> Self {
        Self {
            id: source.id().to_owned(),
            graph,
            source,
            document: Mutex::new(Arc::new(document)),
            statements: Arc::new(statements),
            projection: Mutex::default(),
        }
    }

    /// The document it is shown in.
    pub(crate) fn document(&self) -> Arc<RunDocument> {
        Arc::clone(&lock(&self.document))
    }

    /// Shows it in another document.
    pub(crate) fn move_to(&self, document: RunDocument) {
        *lock(&self.document) = Arc::new(document);
    }

    /// Whether it is shown in the document at a path.
    pub(crate) fn is_of(&self, file: &Path) -> bool {
        lock(&self.document).file == file
    }

    /// Begins again without events.
    pub(crate) fn reset(&self) {
        *lock(&self.projection) = Arc::default();
    }

    /// Records that nothing works on it any more.
    pub(crate) fn interrupt(&self) {
        Arc::make_mut(&mut lock(&self.projection))
            .snapshot
            .interrupt();
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

    /// Its open questions.
    pub(crate) fn questions(&self) -> Vec<Question> {
        match &self.source {
            // What has been asked is known to the engine before it is to followers.
            RunSource::Local(handle) => handle.questions(),
            RunSource::Stored(_) | RunSource::Remote(_) => {
                self.projection().snapshot.questions.clone()
            }
        }
    }

    /// Its state.
    pub(crate) fn state(&self) -> RunState {
        lock(&self.projection).snapshot.state
    }

    /// Whether it has not ended.
    pub(crate) fn is_active(&self) -> bool {
        self.state().is_live()
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
