//! Where a run can go: paths from the start, loops, and which context keys are set on arrival.
//!
//! Worklists over nodes and edges; each file states its bound in time and memory. No path is ever enumerated, and
//! everything is computed lazily.

mod branches;
mod dominators;
mod failure;
mod keys;
mod loops;
mod paths;

pub use dominators::Dominators;
pub use failure::{OnFailure, may_take_failure, retry_target, stops_on_failure};
pub use keys::{Arriving, Keys};
pub use loops::{Loop, Loops};
pub use paths::{Jump, Paths};
