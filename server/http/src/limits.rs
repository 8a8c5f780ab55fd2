//! How much the server takes at once. What is too much is refused with 429 and the time to wait.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;

/// How many requests may come at once, in seconds of the rate.
const BURST: f64 = 2.0;

/// Requests without a token or with a wrong one, per second.
const REFUSED_PER_SECOND: u32 = 20;

/// How much a server takes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServeLimits {
    /// Connections that are open at once.
    pub connections: usize,
    /// Streams of events that are open at once.
    pub streams: usize,
    /// Requests in a second.
    pub requests_per_second: u32,
    /// Runs of this server that have not ended.
    pub runs: usize,
}

impl Default for ServeLimits {
    fn default() -> Self {
        Self {
            connections: 4096,
            streams: 2048,
            requests_per_second: 200,
            runs: 2048,
        }
    }
}

/// What is counted against the limits.
#[derive(Debug, Clone)]
pub(crate) struct Limiter {
    accepted: Arc<Bucket>,
    refused: Arc<Bucket>,
    streams: Arc<Semaphore>,
}

impl Limiter {
    pub(crate) fn new(limits: ServeLimits) -> Self {
        Self {
            accepted: Arc::new(Bucket::new(limits.requests_per_second)),
            refused: Arc::new(Bucket::new(REFUSED_PER_SECOND)),
            streams: Arc::new(Semaphore::new(limits.streams)),
        }
    }

    /// Counts a request of someone who may ask.
    pub(crate) fn accept(&self) -> Result<(), ApiError> {
        self.accepted.take(Instant::now())
    }

    /// Counts a request of someone who may not, so that guessing is slow; others are not slowed down by it.
    pub(crate) fn refuse(&self, error: ApiError) -> ApiError {
        match self.refused.take(Instant::now()) {
            Ok(()) => error,
            Err(too_many) => too_many,
        }
    }

    /// A stream of events, open until the permit is dropped.
    pub(crate) fn stream(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let permit = self.streams.clone().try_acquire_owned();
        permit.map_err(|_| too_many("too many streams of events are open", 5))
    }
}

/// A refusal that names the seconds to wait.
pub(crate) fn too_many(message: &str, seconds: u64) -> ApiError {
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message).retry_after(seconds)
}

/// Fills at a steady rate, up to a burst.
#[derive(Debug)]
struct Bucket {
    per_second: f64,
    level: Mutex<(f64, Option<Instant>)>,
}

impl Bucket {
    fn new(per_second: u32) -> Self {
        let per_second = f64::from(per_second);
        Self {
            per_second,
            level: Mutex::new((per_second * BURST, None)),
        }
    }

    fn take(&self, now: Instant) -> Result<(), ApiError> {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = level
            .1
            .map_or(0.0, |last| now.duration_since(last).as_secs_f64());
        let filled = (level.0 + passed * self.per_second).min(self.per_second * BURST);
        let is_enough = filled >= 1.0;
        *level = (if is_enough { filled - 1.0 } else { filled }, Some(now));
        if is_enough {
            return Ok(());
        }
        Err(too_many("too many requests", 1))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_allows_a_burst_and_then_its_rate() {
        let bucket = Bucket::new(2);
        let now = Instant::now();
        let allowed = |at: Instant| (0..10).filter(|_| bucket.take(at).is_ok()).count();
        assert_eq!(allowed(now), 4);
        assert_eq!(allowed(now + Duration::from_secs(1)), 2);
        assert_eq!(allowed(now + Duration::from_hours(1)), 4);
    }

    #[test]
    fn requests_that_are_refused_do_not_use_up_the_others() {
        let limiter = Limiter::new(ServeLimits {
            requests_per_second: 1,
            ..ServeLimits::default()
        });
        let refused = (0..1000).map(|_| limiter.refuse(ApiError::bad_request("x")).status());
        assert!(
            refused
                .into_iter()
                .any(|status| status == StatusCode::TOO_MANY_REQUESTS)
        );
        assert!(limiter.accept().is_ok());
    }
}
