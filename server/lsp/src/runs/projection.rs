//! What a run did so far, projected from its events.

use std::path::Path;

use attractor_run::{Event, EventKind, NodeAttempt, RunSnapshot, Stream, changed_files};
use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// How much of a node's output is kept for the diagnostic of its failure, in bytes.
const MAX_OUTPUT_BYTES: usize = 2_000;

/// The state that the events so far add up to.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunProjection {
    /// The engine's own summary.
    pub(crate) snapshot: RunSnapshot,
    /// The tail of each node's output.
    pub(crate) outputs: FxHashMap<String, String>,
    /// Edges that were taken, in the order of their first time.
    pub(crate) taken: IndexSet<(String, String)>,
    /// Nodes that changed files.
    pub(crate) changed: FxHashSet<String>,
}

impl RunProjection {
    /// The state after `events`, in order.
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut projection = Self::default();
        for event in events {
            projection.apply(event);
        }
        projection
    }

    /// The same for a run on the disk, which says what it changed. Reads files.
    pub(crate) fn of_run(events: &[Event], directory: &Path) -> Self {
        let mut projection = Self::of(events);
        let ended = events.iter().filter_map(|event| ended_attempt(&event.kind));
        let changing = ended.filter(|at| changed_files(directory, at));
        projection.changed = changing.map(|at| at.node.clone()).collect();
        projection
    }

    /// Applies the next event.
    pub(crate) fn apply(&mut self, event: &Event) {
        self.snapshot.apply(event);
        match &event.kind {
            EventKind::StageStarted { at, .. } => {
                self.outputs.remove(&at.node);
            }
            EventKind::StageOutput { at, text, stream } if *stream != Stream::Thinking => {
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

/// The attempt of a node of the pipeline itself that an event ends.
pub(crate) fn ended_attempt(kind: &EventKind) -> Option<&NodeAttempt> {
    match kind {
        EventKind::StageCompleted { at, .. } | EventKind::StageFailed { at, .. } => {
            Some(at).filter(|at| at.graph.is_none())
        }
        _ => None,
    }
}

fn keep_tail(text: &mut String) {
    if text.len() > 2 * MAX_OUTPUT_BYTES {
        let cut = text.len() - MAX_OUTPUT_BYTES;
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
        let mut text = "é".repeat(MAX_OUTPUT_BYTES + 1);
        keep_tail(&mut text);
        assert!(text.len() <= MAX_OUTPUT_BYTES && text.chars().all(|letter| letter == 'é'));
        let mut short = "short".to_owned();
        keep_tail(&mut short);
        assert_eq!(short, "short");
    }
}
