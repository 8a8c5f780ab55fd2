//! Time and chance of a run, behind traits: the executor reads neither directly.
//!
//! Waits, delays before another attempt, the time to answer, limits of time and the times in events are a run's
//! clock. What only paces the process itself is real time whatever the clock: how often output is shown, how often the
//! inbox is read, how long commands and models have before they are stopped.

use std::collections::BTreeMap;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

use attractor_model::catalogue::Date;
use futures::future::BoxFuture;
use tokio::time::Instant;

/// The day on the machine's calendar, for what depends on dates: models that are retired.
pub fn today() -> Option<Date> {
    let today = jiff::Zoned::now().date();
    let part = |number: i8| u8::try_from(number).ok();
    Date::new(
        u16::try_from(today.year()).ok()?,
        part(today.month())?,
        part(today.day())?,
    )
}

/// The time of a run.
pub trait Clock: Send + Sync {
    /// The wall clock.
    fn now(&self) -> SystemTime;

    /// Time since some fixed moment; never goes back.
    fn elapsed(&self) -> Duration;

    /// Resolves after a while.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// Work begins that takes real time; it ends when the guard is dropped. A clock that jumps waits for it.
    fn work(&self) -> WorkGuard {
        WorkGuard::default()
    }
}

/// Work that takes real time.
#[derive(Default)]
pub struct WorkGuard {
    clock: Option<Arc<Mutex<Time>>>,
}

/// The clock of the machine.
#[derive(Debug, Clone)]
pub struct SystemClock {
    origin: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self {
            origin: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn elapsed(&self) -> Duration {
        self.origin.elapsed()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// A clock for tests: when no handler works, it jumps to the next moment somebody waits for, so that a pipeline that
/// waits an hour runs at once. Clones share the time.
#[derive(Clone)]
pub struct TestClock {
    start: SystemTime,
    time: Arc<Mutex<Time>>,
}

/// The time of a [`TestClock`], and who waits.
#[derive(Default)]
struct Time {
    now: Duration,
    working: usize,
    next: u64,
    sleepers: BTreeMap<(Duration, u64), Waker>,
}

/// Turns of the runtime that a sleeper leaves to others before the clock jumps.
const PATIENCE: u32 = 32;

impl TestClock {
    /// A clock that begins at this time.
    pub fn new(start: SystemTime) -> Self {
        Self {
            start,
            time: Arc::default(),
        }
    }
}

impl Clock for TestClock {
    fn now(&self) -> SystemTime {
        self.start + lock(&self.time).now
    }

    fn elapsed(&self) -> Duration {
        lock(&self.time).now
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let mut time = lock(&self.time);
        time.next += 1;
        let key = (time.now.saturating_add(duration), time.next);
        // The clock does not jump beyond this moment, even before anybody waits for it.
        time.sleepers.insert(key, Waker::noop().clone());
        Box::pin(Sleep {
            key,
            time: self.time.clone(),
            turns: 0,
        })
    }

    fn work(&self) -> WorkGuard {
        lock(&self.time).working += 1;
        WorkGuard {
            clock: Some(self.time.clone()),
        }
    }
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        if let Some(clock) = &self.clock {
            let mut time = lock(clock);
            time.working = time.working.saturating_sub(1);
            time.wake();
        }
    }
}

impl Time {
    fn wake(&self) {
        for waker in self.sleepers.values() {
            waker.wake_by_ref();
        }
    }
}

struct Sleep {
    key: (Duration, u64),
    time: Arc<Mutex<Time>>,
    /// How often others had their turn since the clock could have jumped to this moment.
    turns: u32,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let shared = self.time.clone();
        let mut time = lock(&shared);
        if time.now >= self.key.0 {
            return Poll::Ready(());
        }
        time.sleepers.insert(self.key, context.waker().clone());
        let is_next = time.sleepers.keys().next() == Some(&self.key);
        if time.working > 0 || !is_next {
            self.turns = 0;
        } else if self.turns < PATIENCE {
            self.turns += 1;
            context.waker().wake_by_ref();
        } else {
            time.now = self.key.0;
            time.wake();
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        let mut time = lock(&self.time);
        time.sleepers.remove(&self.key);
        if let Some(waker) = time.sleepers.values().next() {
            waker.wake_by_ref();
        }
    }
}

fn lock(time: &Mutex<Time>) -> MutexGuard<'_, Time> {
    time.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Chance of a run: by how much delays are stretched.
pub trait Rng: Send + Sync {
    /// The next number.
    fn next(&self) -> u64;
}

/// Numbers that nobody can predict.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRng;

impl Rng for SystemRng {
    fn next(&self) -> u64 {
        RandomState::new().hash_one(())
    }
}

/// The same numbers for the same seed.
#[derive(Debug)]
pub struct SeededRng(Mutex<u64>);

impl SeededRng {
    /// Begins with a seed.
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(seed))
    }
}

impl Rng for SeededRng {
    /// The generator `SplitMix64`.
    fn next(&self) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_test_clock_jumps_from_one_sleep_to_the_next() {
        let clock = TestClock::new(SystemTime::UNIX_EPOCH);
        let hours = |hours: u64| Duration::from_secs(hours * 3600);
        let late = tokio::spawn(clock.sleep(hours(5)));
        clock.sleep(hours(1)).await;
        assert_eq!(clock.elapsed(), hours(1));
        // A sleep that is given up does not hold the clock.
        drop(clock.sleep(hours(2)));
        late.await.unwrap();
        assert_eq!(clock.now(), SystemTime::UNIX_EPOCH + hours(5));
    }

    #[tokio::test]
    async fn a_test_clock_waits_for_work() {
        let clock = TestClock::new(SystemTime::UNIX_EPOCH);
        let guard = clock.work();
        let sleep = tokio::spawn(clock.sleep(Duration::from_mins(1)));
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        assert_eq!(clock.elapsed(), Duration::ZERO);
        drop(guard);
        sleep.await.unwrap();
        assert_eq!(clock.elapsed(), Duration::from_mins(1));
    }

    #[test]
    fn a_seed_gives_the_same_numbers() {
        let (one, two) = (SeededRng::new(7), SeededRng::new(7));
        let numbers = [one.next(), one.next()];
        assert_eq!(numbers, [two.next(), two.next()]);
        assert_ne!(numbers[0], numbers[1]);
    }
}
