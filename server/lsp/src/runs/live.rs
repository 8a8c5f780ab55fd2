//! One run of this server: its handle, and what its events so far say.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use attractor_run::{Event, EventKind, RunHandle, RunSnapshot, RunState};
use lsp_types::Uri;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::sync::lock;

/// How much of a node's output is kept for the diagnostic of its failure, in bytes.
const TAIL: usize = 2_000;

/// A run this server started or resumed; kept after its end, for the editor to show.
pub(crate) struct Live {
    /// Its id.
    pub(crate) id: String,
    /// Its document, as the client writes the URI.
    pub(crate) uri: Uri,
    /// The path of the document.
    pub(crate) file: PathBuf,
    /// The name of its graph.
    pub(crate) graph: String,
    /// How each node was written when the run began, by id: a failure is no longer about a node that has
    /// been edited since.
    pub(crate) statements: FxHashMap<String, String>,
    /// The way to the engine.
    pub(crate) handle: RunHandle,
    now: Mutex<Arc<Now>>,
}

/// What the events so far say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Now {
    /// The engine's own summary.
    pub(crate) snapshot: RunSnapshot,
    /// The end of what each node wrote.
    pub(crate) outputs: FxHashMap<String, String>,
    /// Edges that were taken.
    pub(crate) taken: FxHashSet<(String, String)>,
}

impl Live {
    /// A run nothing is known of yet.
    pub(crate) fn new(
        uri: Uri,
        file: PathBuf,
        graph: String,
        statements: FxHashMap<String, String>,
        handle: RunHandle,
    ) -> Self {
        Self {
            id: handle.id().to_string(),
            uri,
            file,
            graph,
            statements,
            handle,
            now: Mutex::default(),
        }
    }

    /// Takes in the next event. The state is copied only while a reader still holds the version before.
    pub(crate) fn apply(&self, event: &Event) {
        Arc::make_mut(&mut lock(&self.now)).apply(event);
    }

    /// What is known now, shared with every other reader of the same version.
    pub(crate) fn now(&self) -> Arc<Now> {
        Arc::clone(&lock(&self.now))
    }

    /// Where it stands.
    pub(crate) fn state(&self) -> RunState {
        lock(&self.now).snapshot.state
    }

    /// Whether it is at work.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.state(), RunState::Running | RunState::Waiting)
    }

    /// The token of its progress.
    pub(crate) fn token(&self) -> String {
        format!("attractor/run/{}", self.id)
    }
}

impl Now {
    /// The state after all of `events`, which are in order.
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut now = Self::default();
        for event in events {
            now.apply(event);
        }
        now
    }

    /// Takes in the next event.
    fn apply(&mut self, event: &Event) {
        self.snapshot.apply(event);
        match &event.kind {
            EventKind::StageStarted { at, .. } => {
                self.outputs.remove(&at.node);
            }
            EventKind::StageOutput { at, text, .. } => {
                let output = self.outputs.entry(at.node.clone()).or_default();
                output.push_str(text);
                keep_tail(output);
            }
            EventKind::EdgeSelected {
                from,
                to,
                graph: None,
                ..
            } => {
                self.taken.insert((from.clone(), to.clone()));
            }
            _ => {}
        }
    }
}

fn keep_tail(text: &mut String) {
    if text.len() > 2 * TAIL {
        let cut = text.len() - TAIL;
        let cut = (cut..text.len())
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(text.len());
        text.drain(..cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_of_one_version_share_it_and_keep_it() {
        let shared: Mutex<Arc<Now>> = Mutex::default();
        let reader = Arc::clone(&lock(&shared));
        assert!(Arc::ptr_eq(&reader, &lock(&shared)));
        Arc::make_mut(&mut lock(&shared)).snapshot.done = 1;
        assert_eq!((reader.snapshot.done, lock(&shared).snapshot.done), (0, 1));
        drop(reader);
        let before = Arc::as_ptr(&lock(&shared));
        Arc::make_mut(&mut lock(&shared)).snapshot.done = 2;
        assert_eq!(before, Arc::as_ptr(&lock(&shared)), "nobody else holds it");
    }

    #[test]
    fn the_tail_of_an_output_is_kept_and_characters_stay_whole() {
        let mut text = "é".repeat(TAIL + 1);
        keep_tail(&mut text);
        assert!(text.len() <= TAIL && text.chars().all(|letter| letter == 'é'));
        let mut short = "short".to_owned();
        keep_tail(&mut short);
        assert_eq!(short, "short");
    }
}
