//! Runs of other processes and of earlier servers, read from the disk, so that what they did is still shown after the
//! editor was closed: node states, failures, the lens `⟲ Resume from …`.
//!
//! The disk is read in the background when a document is opened and when a run ends. What the editor shows comes from
//! this cache, so that no lens waits for the disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_run::{RunState, RunSummary};
use rustc_hash::{FxHashMap, FxHashSet};

use super::projection::RunProjection;
use super::run_record::{RunRecord, statements_of};
use super::run_state::{self, ShownRun};
use super::runs_on_disk;
use crate::documents::Documents;
use crate::notifier::Notifier;
use crate::paths;
use crate::refresh_queue::RefreshKind;
use crate::workspace::Workspace;
use attractor_proto::sync::lock;

/// The newest run of each graph, by document.
#[derive(Default)]
pub(crate) struct ResumableRuns {
    by_file: Mutex<FxHashMap<PathBuf, Vec<Arc<ResumableRun>>>>,
}

/// The newest run of a graph on the disk.
#[derive(Debug)]
pub(crate) struct ResumableRun {
    /// Its folder.
    pub(crate) directory: PathBuf,
    /// The run.
    pub(crate) record: RunRecord,
}

impl ResumableRuns {
    /// The newest run of each graph of a document, newest first.
    pub(crate) fn of(&self, file: &Path) -> Vec<Arc<ResumableRun>> {
        lock(&self.by_file).get(file).cloned().unwrap_or_default()
    }

    /// What a run did, if it is one of these.
    pub(crate) fn projection_of(&self, run: &str) -> Option<Arc<RunProjection>> {
        let by_file = lock(&self.by_file);
        let mut runs = by_file.values().flatten();
        runs.find(|resumable| resumable.record.id == run)
            .map(|resumable| Arc::clone(&resumable.record.projection))
    }

    /// Reads the runs of a document from the disk, and updates the editor when they changed.
    pub(crate) async fn refresh(
        &self,
        notifier: &Notifier,
        documents: &Documents,
        workspace: &Arc<Workspace>,
        file: &Path,
        is_registered: impl Fn(&str) -> bool + Send + Sync,
    ) {
        let (reader, path) = (Arc::clone(workspace), file.to_owned());
        let found = tokio::task::spawn_blocking(move || newest(&reader, &path))
            .await
            .unwrap_or_default();
        let version = |runs: &[Arc<ResumableRun>]| -> Vec<(String, u64, RunState)> {
            let records = runs.iter().map(|run| &run.record);
            records
                .map(|record| (record.id.clone(), &record.projection.snapshot))
                .map(|(id, snapshot)| (id, snapshot.last, snapshot.state))
                .collect()
        };
        let after = version(&found);
        let before = lock(&self.by_file).insert(file.to_owned(), found.clone());
        if before.map(|before| version(&before)).unwrap_or_default() == after {
            return;
        }
        notifier.refresh.enqueue([
            RefreshKind::CodeLens,
            RefreshKind::InlayHint,
            RefreshKind::Diagnostic,
        ]);
        if let Some(open) = documents.at(file) {
            notifier.diagnostics.enqueue(open.uri.clone());
            // The follower reports runs of this server. The newest run is sent last.
            let records = found.iter().rev().map(|run| &run.record);
            for record in records.filter(|record| !is_registered(&record.id)) {
                let shown = ShownRun {
                    uri: &open.uri,
                    run: &record.id,
                    graph: &record.graph,
                    server: None,
                };
                run_state::send(notifier, &shown, &record.projection).await;
            }
        }
    }
}

/// The newest run of each graph of a document, newest first. Reads the disk.
fn newest(workspace: &Workspace, file: &Path) -> Vec<Arc<ResumableRun>> {
    let mut graphs = FxHashSet::default();
    let runs = runs_on_disk::of_file(workspace, file).into_iter();
    // An active run of another process is not for this server to show or cancel.
    let ended = runs.filter(|run| !run.state.is_live());
    let newest = ended.filter(|run| graphs.insert(run.pipeline.clone()));
    newest
        .filter_map(|summary| read(summary).map(Arc::new))
        .collect()
}

fn read(summary: RunSummary) -> Option<ResumableRun> {
    let events = attractor_run::load_events(&summary.directory).ok()?;
    let mut projection = RunProjection::of_run(&events, &summary.directory);
    // A journal does not contain that its process died.
    if summary.state == RunState::Interrupted {
        projection.snapshot.interrupt();
    }
    let text = paths::read_small(&attractor_run::source_file(&summary.directory));
    let statements = statements_of(&text.unwrap_or_default(), &summary.pipeline);
    Some(ResumableRun {
        directory: summary.directory,
        record: RunRecord {
            id: summary.run,
            graph: summary.pipeline,
            statements: Arc::new(statements),
            projection: Arc::new(projection),
        },
    })
}
