//! The bridge between the editor and the engine.
//!
//! A command starts a run and answers with its id; a task of its own ([`follow`]) reads the run's events
//! and tells the client. What the editor shows (lenses, diagnostics, actions) is computed when it asks, from
//! [`views`]. No handler ever waits for a run.

pub(crate) mod commands;
mod ended;
mod follow;
pub(crate) mod gates;
pub(crate) mod launch;
mod live;
mod offer;
pub(crate) mod past;
mod progress;
pub(crate) mod show;
mod status;
pub(crate) mod views;

use std::path::Path;
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use tokio_util::task::TaskTracker;

pub(crate) use self::live::Live;
use self::live::Now;
use self::past::Past;
use crate::errors::Refusal;
use crate::session::Session;
use crate::sync::lock;

/// Ended runs of this server that are kept for the editor to show.
const KEPT: usize = 100;

/// Every run the server knows.
#[derive(Default)]
pub(crate) struct Runs {
    /// Runs of this server by id, oldest first.
    known: Mutex<IndexMap<String, Arc<Live>>>,
    /// Runs on the disk that can be resumed.
    pub(crate) past: Past,
    /// Runs the person has been asked about going on with.
    offered: Mutex<FxHashSet<String>>,
    /// Trust questions that wait for an answer.
    pub(crate) asking: launch::Asking,
    followers: TaskTracker,
}

impl Runs {
    /// Takes a run under its wings: from now on the client is told what happens.
    pub(crate) fn adopt(&self, session: &Arc<Session>, live: Arc<Live>) {
        {
            let mut known = lock(&self.known);
            // The newest run is last, also when an older one goes on.
            known.shift_remove(&live.id);
            known.insert(live.id.clone(), Arc::clone(&live));
            if let Some(oldest) = (known.len() > KEPT)
                .then(|| known.values().position(|live| !live.is_live()))
                .flatten()
            {
                known.shift_remove_index(oldest);
            }
        }
        self.followers
            .spawn(follow::follow(Arc::clone(session), live));
    }

    /// Every run of this server, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Live>> {
        lock(&self.known).values().cloned().collect()
    }

    /// A run of this server.
    pub(crate) fn get(&self, run: &str) -> Result<Arc<Live>, Refusal> {
        let found = lock(&self.known).get(run).cloned();
        found.ok_or_else(|| Refusal::UnknownRun {
            run: run.to_owned(),
        })
    }

    /// What a run did, of this server or, newest of its graph, of the past.
    pub(crate) fn now_of(&self, run: &str) -> Option<Arc<Now>> {
        let live = lock(&self.known).get(run).map(|live| live.now());
        live.or_else(|| self.past.now_of(run))
    }

    /// The live run of a graph.
    pub(crate) fn live_of(&self, file: &Path, graph: &str) -> Option<Arc<Live>> {
        self.all()
            .into_iter()
            .find(|live| live.file == file && live.graph == graph && live.is_live())
    }

    /// Runs at work.
    pub(crate) fn live_count(&self) -> usize {
        self.all().iter().filter(|live| live.is_live()).count()
    }

    /// The editor's cancel button.
    pub(crate) fn cancel_by_token(&self, token: &str) {
        if let Some(live) = self.all().into_iter().find(|live| live.token() == token) {
            live.handle.cancel(gates::EDITOR);
        }
    }

    /// Tells every run to stop at a checkpoint, to be resumed later.
    pub(crate) fn stop_all(&self) {
        for live in self.all().into_iter().filter(|live| live.is_live()) {
            live.handle.interrupt(gates::FAREWELL);
        }
    }

    /// Waits until every run has stopped.
    pub(crate) async fn stopped(&self) {
        self.followers.close();
        self.followers.wait().await;
    }
}
