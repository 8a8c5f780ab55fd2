//! Every run the server knows: those it started or resumed, those on the disk that can be resumed, and those of a server
//! elsewhere.

use std::path::Path;
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tokio_util::task::TaskTracker;

use super::projection::RunProjection;
use super::remote_runs::RemoteRuns;
use super::resumable_runs::ResumableRuns;
use super::run_record::RunRecord;
use super::run_source::RunSource;
use super::server_run::{SERVER_STOP, ServerRun};
use crate::errors::ServerError;
use attractor_proto::sync::lock;

/// Ended runs of this server that are kept for the editor to show.
const MAX_ENDED: usize = 100;

/// Every run the server knows.
#[derive(Default)]
pub(crate) struct RunRegistry {
    /// Runs that are or were followed by id, oldest first.
    runs: Mutex<IndexMap<String, Arc<ServerRun>>>,
    /// Runs on the disk that can be resumed.
    pub(crate) resumable: ResumableRuns,
    /// The server elsewhere, and its list of runs.
    pub(crate) remote: RemoteRuns,
    /// Runs the user has been offered to resume.
    offered: Mutex<FxHashSet<String>>,
    /// One task per run of this process that reads its events.
    pub(crate) followers: TaskTracker,
}

impl RunRegistry {
    /// Adds a run that was started or resumed.
    pub(crate) fn register(&self, run: Arc<ServerRun>) {
        let mut runs = lock(&self.runs);
        // The newest run is last, also when an older one was resumed.
        runs.shift_remove(&run.id);
        runs.insert(run.id.clone(), run);
        if let Some(oldest) = (runs.len() > MAX_ENDED)
            .then(|| runs.values().position(|run| !run.is_active()))
            .flatten()
        {
            runs.shift_remove_index(oldest);
        }
    }

    /// Removes the runs of the server elsewhere, which is another one from now on.
    pub(crate) fn remove_remote(&self) {
        lock(&self.runs).retain(|_, run| run.source.server().is_none());
    }

    /// Every run that is followed, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<ServerRun>> {
        lock(&self.runs).values().cloned().collect()
    }

    /// A run that is followed.
    pub(crate) fn get(&self, run: &str) -> Result<Arc<ServerRun>, ServerError> {
        let found = lock(&self.runs).get(run).cloned();
        found.ok_or_else(|| ServerError::UnknownRun {
            run: run.to_owned(),
        })
    }

    /// The runs of a document, newest first.
    pub(crate) fn records_of(&self, file: &Path) -> Vec<RunRecord> {
        let runs = self.all();
        let mine = runs.iter().rev().filter(|run| run.is_of(file));
        let mut records: Vec<_> = mine.map(|run| run.record()).collect();
        for resumable in self.resumable.of(file) {
            if !records
                .iter()
                .any(|record| record.id == resumable.record.id)
            {
                records.push(resumable.record.clone());
            }
        }
        records
    }

    /// What a run of this server did, or a resumable one.
    pub(crate) fn projection_of(&self, run: &str) -> Option<Arc<RunProjection>> {
        let projection = lock(&self.runs).get(run).map(|run| run.projection());
        projection.or_else(|| self.resumable.projection_of(run))
    }

    /// The active run of a graph on this machine.
    pub(crate) fn active_run_of(&self, file: &Path, graph: &str) -> Option<Arc<ServerRun>> {
        self.all().into_iter().find(|run| {
            let is_here = run.source.server().is_none();
            is_here && run.is_of(file) && run.graph == graph && run.is_active()
        })
    }

    /// The number of active runs.
    pub(crate) fn active_count(&self) -> usize {
        self.all().iter().filter(|run| run.is_active()).count()
    }

    /// Whether the user has not been offered to resume this run before. The next call answers `false`.
    pub(crate) fn offer_once(&self, run: &str) -> bool {
        lock(&self.offered).insert(run.to_owned())
    }

    /// The editor's cancel button.
    pub(crate) fn cancel_by_token(&self, token: &str, by: &str) {
        if let Some(run) = self
            .all()
            .into_iter()
            .find(|run| run.progress_token() == token)
            && let RunSource::Local(handle) = &run.source
        {
            handle.cancel(by);
        }
    }

    /// Stops every run of this process at a checkpoint, to be resumed later.
    pub(crate) fn interrupt_all(&self) {
        for run in self.all().into_iter().filter(|run| run.is_active()) {
            if let RunSource::Local(handle) = &run.source {
                handle.interrupt(SERVER_STOP);
            }
        }
    }

    /// Waits until every run has stopped.
    pub(crate) async fn stopped(&self) {
        self.followers.close();
        self.followers.wait().await;
    }
}
