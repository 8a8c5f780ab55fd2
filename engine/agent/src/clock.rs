//! The time of day, given to a session so that tests and replays decide it.

use std::fmt::Debug;
use std::time::{SystemTime, UNIX_EPOCH};

/// The time of day.
pub trait Clock: Debug + Send + Sync {
    /// Seconds since the Unix epoch.
    fn now(&self) -> f64;
}

/// The clock of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> f64 {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
        elapsed.map_or(0.0, |elapsed| elapsed.as_secs_f64())
    }
}

/// A clock that always shows the same time.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedClock(pub f64);

impl Clock for FixedClock {
    fn now(&self) -> f64 {
        self.0
    }
}
