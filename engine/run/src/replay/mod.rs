//! What the records of a run say: its state, its history, and what has changed in its pipeline since it began.

pub(crate) mod changes;
pub(crate) mod check;
pub(crate) mod history;
pub(crate) mod recover;
pub(crate) mod steps;
pub(crate) mod stored_checkpoint;
pub(crate) mod time;
