//! From a journal back to the state it describes.
//!
//! Every input goes through the machine again, and what the machine says must be what the journal says;
//! a journal that disagrees is refused rather than guessed at. Events of the last step that a crash cut
//! off are made again.

use std::path::Path;

use attractor_machine::event::{Event, EventKind};
use attractor_machine::plan::Plan;
use attractor_machine::transition::{Effect, State, next};
use jiff::Timestamp;

use super::time::time_text;
use crate::error::RunError;
use crate::store::Record;

/// The state after `records`, which follow `base` events that led to `state`, and the events that are
/// missing at their end.
pub(crate) fn replay(
    plan: &Plan,
    (mut state, base): (State, u64),
    records: &[Record],
    journal: &Path,
) -> Result<(State, Vec<Record>), RunError> {
    let mut expected: std::vec::IntoIter<EventKind> = Vec::new().into_iter();
    for record in records {
        if let Some(input) = &record.input {
            if let Some(missing) = expected.next() {
                return Err(mismatch(journal, record, Some(&missing)));
            }
            let (after, commands) = next(plan, state, input.clone());
            state = after;
            expected = events(commands).into_iter();
        }
        // The driver wrote these, not the machine.
        let own = EventKind::is_from_driver;
        if own(&record.event.kind) {
            continue;
        }
        match expected.next() {
            Some(kind) if kind == record.event.kind => {}
            // The file of `--checkpoint-dir`, written by the driver when everything else was.
            None if matches!(record.event.kind, EventKind::CheckpointSaved { .. }) => {}
            other => return Err(mismatch(journal, record, other.as_ref())),
        }
    }
    let missing = expected
        .zip(base + records.len() as u64 + 1..)
        .map(|(kind, seq)| Record {
            event: Event {
                run: state.run.clone(),
                seq,
                time: time_text(Timestamp::now()),
                // Of a run whose models are all simulated, the first event says so.
                simulated: kind.is_simulated()
                    || records.first().is_some_and(|record| record.event.simulated),
                workflow: kind.workflow(),
                kind,
            },
            input: None,
        })
        .collect();
    Ok((state, missing))
}

fn events(commands: Vec<Effect>) -> Vec<EventKind> {
    commands
        .into_iter()
        .filter_map(|command| match command {
            Effect::Emit(kind) => Some(*kind),
            _ => None,
        })
        .collect()
}

pub(crate) fn mismatch(journal: &Path, record: &Record, expected: Option<&EventKind>) -> RunError {
    let name = |kind: &EventKind| {
        serde_json::to_value(kind)
            .ok()
            .and_then(|value| Some(value.get("type")?.as_str()?.to_owned()))
            .unwrap_or_default()
    };
    let found = name(&record.event.kind);
    RunError::Replay {
        path: journal.to_owned(),
        seq: record.event.seq,
        reason: match expected {
            Some(kind) if name(kind) == found => format!("the details of `{found}` differ"),
            Some(kind) => format!("expected `{}`, found `{found}`", name(kind)),
            None => format!("`{found}` does not follow from what was before"),
        },
    }
}
