//! What is due at a time of day: delays before another attempt, wait nodes. The time is in the state and in the
//! journal, so that a process that resumes the run waits only for what is left.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Transition;

/// A delay under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Timer {
    /// The whole delay, milliseconds.
    pub(crate) delay: u64,
    /// When it is over, milliseconds since 1970.
    #[serde(default)]
    until: i64,
}

impl Timer {
    /// A delay that begins at `now`.
    fn new(delay: u64, now: i64) -> Self {
        let until = now.saturating_add_unsigned(delay);
        Self { delay, until }
    }

    /// What is left of it at `now`; never more than the whole, whatever happened to the clock.
    fn left(self, now: i64) -> u64 {
        let left = self.until.saturating_sub(now);
        u64::try_from(left).unwrap_or_default().min(self.delay)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_never_more_than_the_whole() {
        let timer = Timer::new(6000, 100_000);
        for (now, left) in [
            (100_000, 6000),
            (102_000, 4000),
            (106_000, 0),
            (900_000, 0),
            (50_000, 6000),
        ] {
            assert_eq!(timer.left(now), left, "at {now}");
        }
        assert_eq!(
            Timer::new(u64::MAX, i64::MAX).left(0),
            i64::MAX.unsigned_abs()
        );
    }
}
