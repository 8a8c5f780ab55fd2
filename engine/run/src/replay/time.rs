//! The times of a run's clock, and how they are written.

use jiff::Timestamp;

use crate::clock::Clock;

/// The wall clock; a time that no calendar has is the beginning of 1970.
pub(crate) fn timestamp(clock: &dyn Clock) -> Timestamp {
    Timestamp::try_from(clock.now()).unwrap_or_default()
}

/// RFC 3339 with milliseconds.
pub(crate) fn time_text(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// Seconds since 1970, as checkpoint files have them.
#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds since 1970 fit for a while"
)]
pub(crate) fn seconds(time: Timestamp) -> f64 {
    time.as_millisecond() as f64 / 1000.0
}
