//! Where a run can go: paths from the start, loops, and which context keys are set on arrival.
//!
//! Worklists over nodes and edges; each file states its bound in time and memory. No path is ever enumerated, and
//! everything is computed lazily.

mod branches;
mod dominators;
mod failure;
mod key_setters;
mod keys;
mod loops;
mod paths;
mod values;

pub use branches::Branches;
pub use dominators::Dominators;
pub use failure::{
    FailureRoute, OnFailure, failure_route, may_take_failure, retry_target, shadowed_by,
    stops_on_failure,
};
pub use key_setters::{KeySetters, known_values};
pub use keys::{Arriving, Keys};
pub use loops::{Loop, Loops};
pub use paths::{Jump, Paths};
pub use values::{FAILURE_CLASSES, KnownValue, ValueSource, ValueType, value_type};
