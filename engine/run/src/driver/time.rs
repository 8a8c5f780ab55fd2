//! How a time is written.

use jiff::Timestamp;

/// RFC 3339 with milliseconds.
pub(super) fn time_text(time: Timestamp) -> String {
    format!("{time:.3}")
}
