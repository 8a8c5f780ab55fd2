//! The state of a run, with how real it is.

use attractor_run::{Reality, RunState};

/// `success (simulated)`
pub fn with_mark(state: RunState, reality: Reality) -> String {
    match reality.mark() {
        Some(mark) => format!("{} ({mark})", state.name()),
        None => state.name().to_owned(),
    }
}
