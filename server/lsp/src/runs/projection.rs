//! What a run did so far, projected from its events.

use attractor_run::{Event, EventKind, RunSnapshot};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;

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

    /// Applies the next event.
    pub(crate) fn apply(&mut self, event: &Event) {
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
