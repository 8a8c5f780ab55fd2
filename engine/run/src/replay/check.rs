//! Whether the journal of a run leads to the state that is stored of it.
//!
//! The journal is the truth only if nothing else ever changed the state. So every input goes through the machine again:
//! the events must be those of the journal, and the state and the view at the last checkpoint must be the stored ones,
//! byte for byte.

use std::path::Path;

use attractor_machine::snapshot::RunSnapshot;
use attractor_machine::transition::State;
use serde::Serialize;
use serde_json::Value;

use super::changes::plan_of;
use super::recover::base;
use crate::error::RunError;
use crate::replay::steps::replay;
use crate::store::{Layout, Manifest, Snapshot, load};

/// What a replay of a run has shown. That an event does not follow from those before it is an error.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReplayCheck {
    /// The events that were replayed. Those before an accepted change of the pipeline are not.
    pub events: u64,
    /// The event after which the state was compared; none when no state is stored.
    pub compared_at: Option<u64>,
    /// The first difference.
    pub difference: Option<ReplayDifference>,
}

/// A value that is stored otherwise than the journal says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReplayDifference {
    /// Where it is in the stored checkpoint: a JSON pointer.
    pub pointer: String,
    /// What the journal leads to; null for nothing.
    pub replayed: Value,
    /// What is stored; null for nothing.
    pub stored: Value,
}

/// Replays the journal of the run in `directory` and compares the state with the stored one. Nothing is changed.
///
/// # Errors
/// It is not a run, its journal is damaged, or an event does not follow from those before it.
pub fn check_replay(directory: &Path) -> Result<ReplayCheck, RunError> {
    let layout = Layout::new(directory.to_owned());
    let manifest = Manifest::load(&layout)?;
    let plan = plan_of(&manifest, &layout)?;
    let (mut state, mut view, begin, loaded) = match base(&layout) {
        Some((base, loaded)) => (base.state, base.view, base.seq, loaded),
        None => (
            State::default(),
            RunSnapshot::default(),
            0,
            load(&layout.journal())?,
        ),
    };
    let records = loaded.records;
    let end = begin + records.len() as u64;
    let stored = match layout.checkpoint() {
        path if path.exists() => Some(Snapshot::load(&path)?).filter(|stored| stored.seq >= begin),
        _ => None,
    };
    let compared_at = stored.as_ref().map(|stored| stored.seq);
    let count = compared_at.unwrap_or(end).saturating_sub(begin);
    let split = usize::try_from(count).unwrap_or(usize::MAX);
    let split = split.min(records.len());
    let (before, after) = records.split_at(split);
    let journal = layout.journal();
    let missing;
    (state, missing) = replay(&plan, (state, begin), before, &journal)?;
    for record in before {
        view.apply(&record.event);
    }
    let mut difference = None;
    if let Some(stored) = &stored {
        let replayed_to = begin + (split + missing.len()) as u64;
        difference = differs("/seq", &replayed_to, &stored.seq)
            .or_else(|| differs("/state", &state, &stored.state))
            .or_else(|| differs("/view", &view, &stored.view));
    }
    if difference.is_none() {
        let from = begin + split as u64;
        replay(&plan, (state, from), after, &journal)?;
    }
    Ok(ReplayCheck {
        events: end - begin,
        compared_at,
        difference,
    })
}

/// The first difference of what is stored from what was replayed. The bytes decide.
fn differs<T: Serialize>(pointer: &str, replayed: &T, stored: &T) -> Option<ReplayDifference> {
    let bytes = |value: &T| serde_json::to_vec(value).unwrap_or_default();
    if bytes(replayed) == bytes(stored) {
        return None;
    }
    let value = |value: &T| serde_json::to_value(value).unwrap_or_default();
    let (replayed, stored) = (value(replayed), value(stored));
    let (pointer, replayed, stored) = first_difference(pointer.to_owned(), &replayed, &stored);
    Some(ReplayDifference {
        pointer,
        replayed: replayed.clone(),
        stored: stored.clone(),
    })
}

fn first_difference<'v>(
    mut pointer: String,
    mut replayed: &'v Value,
    mut stored: &'v Value,
) -> (String, &'v Value, &'v Value) {
    const NOTHING: &Value = &Value::Null;
    loop {
        let (key, left, right) = match (replayed, stored) {
            (Value::Object(left), Value::Object(right)) => {
                let mut keys = left.keys().chain(right.keys());
                match keys.find(|key| left.get(*key) != right.get(*key)) {
                    Some(key) => (key.clone(), left.get(key), right.get(key)),
                    // The order of the keys.
                    None => return (pointer, replayed, stored),
                }
            }
            (Value::Array(left), Value::Array(right)) => {
                let mut indexes = 0..left.len().max(right.len());
                match indexes.find(|index| left.get(*index) != right.get(*index)) {
                    Some(index) => (index.to_string(), left.get(index), right.get(index)),
                    None => return (pointer, replayed, stored),
                }
            }
            _ => return (pointer, replayed, stored),
        };
        pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        (replayed, stored) = (left.unwrap_or(NOTHING), right.unwrap_or(NOTHING));
    }
}
