//! What is due at a time of day: delays before another attempt, wait nodes. The time is in the state and in the
//! journal, so that a process that resumes the run waits only for what is left.

use serde::{Deserialize, Serialize};

/// A delay under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timer {
    /// The whole delay, milliseconds.
    pub delay: u64,
    /// When it is over, milliseconds since 1970.
    #[serde(default)]
    pub(super) until: i64,
}

impl Timer {
    /// A delay that begins at `now`.
    pub(super) fn new(delay: u64, now: i64) -> Self {
        let until = now.saturating_add_unsigned(delay);
        Self { delay, until }
    }

    /// Moves its end by milliseconds.
    pub(super) fn postpone(&mut self, millis: i64) {
        self.until = self.until.saturating_add(millis);
    }

    /// What is left of it at `now`; never more than the whole, whatever happened to the clock.
    pub(super) fn left(self, now: i64) -> u64 {
        let left = self.until.saturating_sub(now);
        u64::try_from(left).unwrap_or_default().min(self.delay)
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
