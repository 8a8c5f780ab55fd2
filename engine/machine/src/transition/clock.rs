//! Delays and times of day, counted from the time of the input under way.

use jiff::Timestamp;

use super::Transition;
use super::timer::Timer;

impl Transition<'_> {
    /// A delay that begins now.
    pub(super) fn timer(&self, delay: u64) -> Timer {
        Timer::new(delay, self.state.now)
    }

    /// Milliseconds that are left of a delay.
    pub(super) fn left(&self, timer: Timer) -> u64 {
        timer.left(self.state.now)
    }

    /// The time of day after a delay that begins now, RFC 3339.
    pub(super) fn time_after(&self, delay: u64) -> Option<String> {
        let until = Timestamp::from_millisecond(self.timer(delay).until).ok()?;
        Some(format!("{until:.3}"))
    }
}
