//! The times of a run's clock, and how they are written.

use jiff::Timestamp;

use crate::clock::Clock;

/// The wall clock; a time that no calendar has is the beginning of 1970.
pub(super) fn timestamp(clock: &dyn Clock) -> Timestamp {
    Timestamp::try_from(clock.now()).unwrap_or_default()
}

/// RFC 3339 with milliseconds.
pub(super) fn time_text(time: Timestamp) -> String {
    format!("{time:.3}")
}
