//! One run of this server: its handle, and what is known of it beyond the engine's own snapshot.

use std::path::PathBuf;
use std::sync::Mutex;

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
    now: Mutex<Now>,
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

    /// Takes in the next event.
    pub(crate) fn apply(&self, event: &Event) {
        let mut now = lock(&self.now);
        now.snapshot.apply(event);
        match &event.kind {
            EventKind::StageStarted { at, .. } => {
                now.outputs.remove(&at.node);
            }
            EventKind::StageOutput { at, text, .. } => {
                let output = now.outputs.entry(at.node.clone()).or_default();
                output.push_str(text);
                keep_tail(output);
            }
            EventKind::EdgeSelected {
                from,
                to,
                graph: None,
                ..
            } => {
                now.taken.insert((from.clone(), to.clone()));
            }
            _ => {}
        }
    }

    /// What is known now.
    pub(crate) fn now(&self) -> Now {
        lock(&self.now).clone()
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
    fn the_tail_of_an_output_is_kept_and_characters_stay_whole() {
        let mut text = "é".repeat(TAIL + 1);
        keep_tail(&mut text);
        assert!(text.len() <= TAIL && text.chars().all(|letter| letter == 'é'));
        let mut short = "short".to_owned();
        keep_tail(&mut short);
        assert_eq!(short, "short");
    }
}
