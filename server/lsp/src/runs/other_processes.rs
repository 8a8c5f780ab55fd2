//! Notices runs that other processes work on, and follows them like those of this server: gates can be answered and runs
//! cancelled in every window.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use attractor_run::{RunSummary, owner_of, summary};
use lsp_types::Uri;

use super::follower::Follower;
use super::run_record::statements_of;
use super::run_source::RunSource;
use super::server_run::{RunDocument, ServerRun};
use crate::paths;
use crate::session::Session;

/// How often the folders of runs are looked at.
const INTERVAL: Duration = Duration::from_secs(1);
/// The newest runs of a folder that are looked at: older ones that are resumed elsewhere are not noticed.
const MAX_LOOKED_AT: usize = 50;

/// Looks for runs of other processes for as long as the session lasts.
pub(crate) async fn notice_loop(session: Arc<Session>) {
    let mut interval = tokio::time::interval(INTERVAL);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        let this = Arc::clone(&session);
        let found = tokio::task::spawn_blocking(move || active_elsewhere(&this)).await;
        for run in found.unwrap_or_default() {
            follow(&session, run);
        }
    }
}

/// The active runs of other processes that are not followed. Reads the disk; a run costs more than a look at its lock only
/// when a process holds that.
fn active_elsewhere(session: &Session) -> Vec<RunSummary> {
    let workspace = &session.workspace;
    let open = session.documents.all();
    let files = open
        .iter()
        .filter_map(|snapshot| paths::path_of(&snapshot.uri));
    let folders = workspace.folders().into_iter().chain(files);
    let runs_dirs: HashSet<PathBuf> = folders.map(|path| workspace.runs_dir(&path)).collect();
    let newest = runs_dirs.iter().flat_map(|runs_dir| newest_runs(runs_dir));
    let unknown = newest.filter(|directory| {
        let id = directory.file_name().unwrap_or_default().to_string_lossy();
        !session.runs.get(&id).is_ok_and(|run| run.is_active())
    });
    // One of this process that is not followed yet is about to be.
    let own = std::process::id();
    let owned = unknown.filter(|directory| owner_of(directory).is_some_and(|owner| owner != own));
    let active = |run: &RunSummary| run.state.is_live();
    owned
        .filter_map(|directory| summary(&directory).ok())
        .filter(active)
        .collect()
}

/// The directories of the newest runs: their names are in the order of their start.
fn newest_runs(runs_dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(runs_dir).into_iter().flatten();
    let mut names: Vec<_> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.parse::<attractor_run::RunId>().is_ok())
        .collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    names.truncate(MAX_LOOKED_AT);
    names.into_iter().map(|name| runs_dir.join(name)).collect()
}

fn follow(session: &Arc<Session>, run: RunSummary) {
    let Some(uri) = Uri::from_file_path(&run.path) else {
        return;
    };
    let open = session.documents.at(&run.path);
    let document = RunDocument {
        uri: open.map_or(uri, |snapshot| snapshot.uri.clone()),
        file: run.path.clone(),
    };
    let text = paths::read_small(&attractor_run::source_file(&run.directory));
    let statements = statements_of(&text.unwrap_or_default(), &run.pipeline);
    let graph = run.pipeline.clone();
    let run = ServerRun::new(document, graph, statements, RunSource::Stored(run));
    let follower = Follower {
        notifier: Arc::clone(&session.notifier),
        runs: Arc::clone(&session.runs),
        documents: Arc::clone(&session.documents),
        workspace: Arc::clone(&session.workspace),
        run: Arc::new(run),
    };
    follower.spawn_remote(session.notifier.tasks.stop_token());
}
