//! Runs on the disk that can be resumed, for the lens `⟲ Resume from …`.
//!
//! The disk is looked at in the background when a document is opened and when a run ends; what the editor
//! shows comes from here, so that no lens waits for the disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use attractor_ide::runs::RunView;
use attractor_run::RunSummary;
use rustc_hash::FxHashMap;

use super::{offer, views};
use crate::errors::Refusal;
use crate::refresh::Kind;
use crate::session::Session;
use crate::sync::lock;
use crate::workspace;

/// What was found, by document.
#[derive(Default)]
pub(crate) struct Past {
    found: Mutex<FxHashMap<PathBuf, Vec<RunView>>>,
}

impl Past {
    /// The runs of a document that can be resumed, newest first.
    pub(crate) fn of(&self, file: &Path) -> Vec<RunView> {
        lock(&self.found).get(file).cloned().unwrap_or_default()
    }

    /// Looks at the disk, in the background.
    pub(crate) fn look_again(session: &Arc<Session>, file: &Path) {
        let (this, file) = (Arc::clone(session), file.to_owned());
        session.spawn(async move { look(&this, file).await });
    }

    /// Looks at the disk for a document that has just been opened, and offers to go on with what an earlier
    /// server had to leave.
    pub(crate) fn look_first(session: &Arc<Session>, file: &Path) {
        let (this, file) = (Arc::clone(session), file.to_owned());
        session.spawn(async move {
            look(&this, file.clone()).await;
            offer::make(&this, &this.runs.past.of(&file)).await;
        });
    }
}

async fn look(session: &Arc<Session>, file: PathBuf) {
    let (looking, path) = (Arc::clone(session), file.clone());
    let found = tokio::task::spawn_blocking(move || resumable(&looking, &path))
        .await
        .unwrap_or_default();
    let before = lock(&session.runs.past.found).insert(file, found.clone());
    if before.unwrap_or_default() != found {
        session.refresh.ask([Kind::Lenses]);
    }
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
    folders
        .flat_map(|folder| attractor_run::list_runs(&session.runs_dir_of(&folder)))
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

fn resumable(session: &Session, file: &Path) -> Vec<RunView> {
    let runs = all(session, file).into_iter();
    let views = runs.map(|run| RunView {
        state: views::state(run.state),
        run: run.run,
        graph: run.pipeline,
        current: run.node,
        done: run.done as usize,
        total: run.nodes as usize,
        nodes: Vec::new(),
        questions: Vec::new(),
    });
    views.filter(|view| view.state.is_resumable()).collect()
}
