//! Runs of other processes and of earlier servers, read from the disk, so that what they did is still shown after
//! the editor was closed: node states, failures, the lens `⟲ Resume from …`.
//!
//! The disk is read in the background when a document is opened and when a run ends; what the editor shows comes from
//! here, so that no lens waits for the disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_ide::model::Pipeline;
use attractor_run::{RunSnapshot, RunState, RunSummary};
use rustc_hash::{FxHashMap, FxHashSet};

use super::live::Now;
use super::{offer, views};
use crate::errors::Refusal;
use crate::refresh::Kind;
use crate::session::Session;
use crate::sync::lock;
use crate::workspace;

/// The newest run of each graph, by document.
#[derive(Default)]
pub(crate) struct Past {
    found: Mutex<FxHashMap<PathBuf, Vec<Arc<PastRun>>>>,
}

/// The newest run of a graph on the disk.
#[derive(Debug)]
pub(crate) struct PastRun {
    /// Its id.
    pub(crate) id: String,
    /// Its folder.
    pub(crate) directory: PathBuf,
    /// The name of its graph.
    pub(crate) graph: String,
    /// How each node was written when the run began, by id.
    pub(crate) statements: FxHashMap<String, String>,
    /// What its journal says.
    pub(crate) now: Arc<Now>,
}

impl Past {
    /// The newest run of each graph of a document, newest first.
    pub(crate) fn of(&self, file: &Path) -> Vec<Arc<PastRun>> {
        lock(&self.found).get(file).cloned().unwrap_or_default()
    }

    /// What a run did, if it is one of those that are kept.
    pub(crate) fn now_of(&self, run: &str) -> Option<Arc<Now>> {
        let found = lock(&self.found);
        let mut runs = found.values().flatten();
        runs.find(|past| past.id == run)
            .map(|past| Arc::clone(&past.now))
    }

    /// Reads the disk, in the background.
    pub(crate) fn look_again(session: &Arc<Session>, file: &Path) {
        let (this, file) = (Arc::clone(session), file.to_owned());
        session.spawn(async move { look(&this, file).await });
    }

    /// Reads the disk for a document that has just been opened, and offers to resume what an earlier server had to
    /// leave.
    pub(crate) fn look_first(session: &Arc<Session>, file: &Path) {
        let (this, file) = (Arc::clone(session), file.to_owned());
        session.spawn(async move {
            look(&this, file.clone()).await;
            let runs = this.runs.past.of(&file);
            offer::make(&this, &runs).await;
        });
    }
}

async fn look(session: &Arc<Session>, file: PathBuf) {
    let (looking, path) = (Arc::clone(session), file.clone());
    let found = tokio::task::spawn_blocking(move || newest(&looking, &path))
        .await
        .unwrap_or_default();
    let version = |runs: &[Arc<PastRun>]| -> Vec<(String, u64, RunState)> {
        let runs = runs.iter().map(|past| (past, &past.now.snapshot));
        runs.map(|(past, snapshot)| (past.id.clone(), snapshot.last, snapshot.state))
            .collect()
    };
    let now = version(&found);
    let before = lock(&session.runs.past.found).insert(file.clone(), found);
    if before.map(|before| version(&before)).unwrap_or_default() != now {
        session
            .refresh
            .ask([Kind::Lenses, Kind::Hints, Kind::Diagnostics]);
        if let Some(open) = session.documents.at(&file) {
            session.diagnostics.mark(open.uri.clone());
        }
    }
}

/// The newest run of each graph of a document, newest first. Reads the disk.
fn newest(session: &Session, file: &Path) -> Vec<Arc<PastRun>> {
    let mut graphs = FxHashSet::default();
    let runs = all(session, file).into_iter();
    // What another process has at work is not for this server to show or cancel.
    let over = runs.filter(|run| !views::state(run.state).is_live());
    let newest = over.filter(|run| graphs.insert(run.pipeline.clone()));
    newest
        .filter_map(|summary| read(summary).map(Arc::new))
        .collect()
}

fn read(summary: RunSummary) -> Option<PastRun> {
    let mut now = Now::of(&attractor_run::load_events(&summary.directory).ok()?);
    // A journal does not say that its process is gone.
    now.snapshot = RunSnapshot {
        state: summary.state,
        questions: Vec::new(),
        ..now.snapshot
    };
    let text = workspace::read_small(&attractor_run::source_file(&summary.directory));
    let text = text.unwrap_or_default();
    let (pipelines, _) = Pipeline::from_text(&text);
    let same = pipelines
        .iter()
        .find(|pipeline| pipeline.name == summary.pipeline);
    Some(PastRun {
        id: summary.run,
        directory: summary.directory,
        statements: same
            .map(|pipeline| views::statements(pipeline, &text))
            .unwrap_or_default(),
        graph: summary.pipeline,
        now: Arc::new(now),
    })
}

/// Every run of a document, newest first. Reads the disk.
pub(crate) fn all(session: &Session, file: &Path) -> Vec<RunSummary> {
    let mut runs = attractor_run::list_runs(&session.runs_dir(file));
    runs.retain(|run| views::same_file(&run.path, file));
    runs
}

/// Every run of every folder of the workspace. Reads the disk.
pub(crate) fn everywhere(session: &Session) -> Vec<RunSummary> {
    let folders = session.workspace.folders().into_iter();
    // Several folders may belong to one project.
    let places: BTreeSet<_> = folders.map(|folder| session.runs_dir(&folder)).collect();
    places
        .iter()
        .flat_map(|place| attractor_run::list_runs(place))
        .collect()
}

/// A run by its id, of any folder of the workspace or of an open document. Reads the disk off the server's
/// own task.
pub(crate) async fn find(session: &Arc<Session>, run: &str) -> Result<RunSummary, Refusal> {
    let (this, wanted) = (Arc::clone(session), run.to_owned());
    let look = move || {
        let documents = this.documents.all().into_iter();
        let beside = documents
            .filter_map(|snapshot| Some(all(&this, &workspace::path_of(&snapshot.uri)?)))
            .flatten();
        everywhere(&this)
            .into_iter()
            .chain(beside)
            .find(|summary| summary.run == wanted)
    };
    let found = tokio::task::spawn_blocking(look)
        .await
        .map_err(|_| Refusal::Broken)?;
    found.ok_or_else(|| Refusal::UnknownRun {
        run: run.to_owned(),
    })
}
