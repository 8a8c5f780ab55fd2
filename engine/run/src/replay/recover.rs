//! The state of a run when its process ended: its last checkpoint and the events of the journal after it.
//!
//! The journal is the truth. A checkpoint only spares reading the beginning of it, and is believed only if
//! the journal ends a line where the checkpoint says, with the seal it says; otherwise all is replayed.

use std::path::Path;

use attractor_machine::event::Event;
use attractor_machine::plan::Plan;
use attractor_machine::snapshot::RunSnapshot;
use attractor_machine::transition::State;

use crate::error::RunError;
use crate::store::{Layout, Loaded, Position, Record, Snapshot, load, load_after};

use crate::replay::steps::replay;

/// A run, recovered.
pub(crate) struct Recovered {
    /// Its state.
    pub(crate) state: State,
    /// How many events lie before those of `records`.
    pub(crate) base: u64,
    /// What a reader knew after those.
    pub(crate) view: RunSnapshot,
    /// What the journal has after them.
    records: Vec<Record>,
    /// Events that follow from the last step and did not get into the journal.
    pub(crate) missing: Vec<Record>,
    /// Bytes of intact lines in the journal.
    pub(crate) length: u64,
}

impl Recovered {
    /// All events after the first `base`.
    pub(crate) fn events(&self) -> Vec<Event> {
        let records = self.records.iter().chain(&self.missing);
        records.map(|record| record.event.clone()).collect()
    }

    /// Its state, once what is missing in the journal has been added there.
    pub(crate) fn snapshot(&self, layout: &Layout) -> Result<Snapshot, RunError> {
        let mut view = self.view.clone();
        let events = self.events();
        for event in &events {
            view.apply(event);
        }
        let end = Position::at_end(&layout.journal())?;
        Ok(Snapshot::of(&self.state, view, end))
    }
}

/// Recovers the run of which `plan` is what it walked.
pub(crate) fn recover(plan: &Plan, layout: &Layout) -> Result<Recovered, RunError> {
    let from_checkpoint = checkpoint(layout).and_then(|(snapshot, loaded)| {
        let base = snapshot.seq;
        Recovered::of(plan, layout, (snapshot.state, base), snapshot.view, loaded)
            .inspect_err(|error| tracing::warn!(%error, "the checkpoint is not used"))
            .ok()
    });
    if let Some(recovered) = from_checkpoint {
        return Ok(recovered);
    }
    if let Some((base, loaded)) = base(layout) {
        let seq = base.seq;
        return Recovered::of(plan, layout, (base.state, seq), base.view, loaded);
    }
    let loaded = load(&layout.journal())?;
    let beginning = (State::default(), 0);
    Recovered::of(plan, layout, beginning, RunSnapshot::default(), loaded)
}

/// The state when the pipeline of a run was last changed, if it was, and what the journal has after it.
pub(crate) fn base(layout: &Layout) -> Option<(Snapshot, Loaded)> {
    with_journal(layout, &layout.replay_base())
}

/// What a reader knows of the run.
pub(crate) fn view_of(layout: &Layout) -> Result<RunSnapshot, RunError> {
    let (mut view, loaded) = match checkpoint(layout) {
        Some((snapshot, loaded)) => (snapshot.view, loaded),
        None => (RunSnapshot::default(), load(&layout.journal())?),
    };
    for record in &loaded.records {
        view.apply(&record.event);
    }
    Ok(view)
}

/// A journal without its first event.
pub(crate) fn not_started(layout: &Layout) -> RunError {
    RunError::Incomplete {
        directory: layout.root().to_owned(),
        reason: "its journal does not record the start",
    }
}

/// The last checkpoint and what the journal has after it, if both fit together.
fn checkpoint(layout: &Layout) -> Option<(Snapshot, Loaded)> {
    with_journal(layout, &layout.checkpoint())
}

fn with_journal(layout: &Layout, snapshot: &Path) -> Option<(Snapshot, Loaded)> {
    let snapshot = Snapshot::load(snapshot).ok()?;
    let loaded = load_after(&layout.journal(), snapshot.seq, &snapshot.journal)?;
    Some((snapshot.recounted(), loaded))
}

impl Recovered {
    fn of(
        plan: &Plan,
        layout: &Layout,
        (state, base): (State, u64),
        view: RunSnapshot,
        loaded: Loaded,
    ) -> Result<Self, RunError> {
        let (state, missing) = replay(plan, (state, base), &loaded.records, &layout.journal())?;
        if state.run.is_empty() {
            return Err(not_started(layout));
        }
        Ok(Self {
            state,
            base,
            view,
            records: loaded.records,
            missing,
            length: loaded.length,
        })
    }
}
