//! When a failed call is tried again, and after how long.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, ErrorKind};

/// How often a failed call is tried again, and after how long. The defaults are those of the documents; see
/// [`persistent`](Self::persistent) for work that takes long.
#[derive(Clone)]
pub struct RetryPolicy {
    /// Most tries after the first one; 0 switches retries off.
    pub max_retries: u32,
    /// The delay before the first retry.
    pub base_delay: Duration,
    /// What each further delay is multiplied by.
    pub multiplier: f64,
    /// The longest delay.
    pub max_delay: Duration,
    /// The longest delay that a provider may ask for; `max_delay` where absent. If it asks for a longer one, the error is
    /// returned at once.
    pub max_wait: Option<Duration>,
    /// Whether a stream that fails after its first content begins again. Its events say so: see
    /// [`StreamEvent::Retry`](crate::StreamEvent::Retry).
    pub after_content: bool,
    /// What to do when a provider limits the rate of requests.
    pub on_rate_limit: OnRateLimit,
    /// What spreads the retries of many clients: a source of numbers from 0 up to 1, of which each delay becomes 50
    /// to 150 percent of itself; none for exact delays.
    pub jitter: Option<Arc<dyn Fn() -> f64 + Send + Sync>>,
}

/// What to do when a provider limits the rate of requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnRateLimit {
    /// Try again as after any failure that may pass.
    #[default]
    Retry,
    /// Wait until the time the provider names, however long that is; it counts as no retry.
    Wait,
    /// Fail at once.
    Fail,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 2,
            base_delay: Duration::from_secs(1),
            multiplier: 2.0,
            max_delay: Duration::from_mins(1),
            max_wait: None,
            after_content: false,
            on_rate_limit: OnRateLimit::Retry,
            jitter: Some(Arc::new(random)),
        }
    }
}

impl std::fmt::Debug for RetryPolicy {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("RetryPolicy")
            .field("max_retries", &self.max_retries)
            .field("base_delay", &self.base_delay)
            .field("multiplier", &self.multiplier)
            .field("max_delay", &self.max_delay)
            .field("max_wait", &self.max_wait)
            .field("after_content", &self.after_content)
            .field("on_rate_limit", &self.on_rate_limit)
            .field("jitter", &self.jitter.is_some())
            .finish()
    }
}

impl RetryPolicy {
    /// For work that takes long and should outlive an overloaded provider: six retries over about a minute, also after
    /// the first content, and up to ten minutes of waiting where the provider asks for it.
    pub fn persistent() -> Self {
        Self {
            max_retries: 6,
            max_wait: Some(Duration::from_mins(10)),
            after_content: true,
            ..Self::default()
        }
    }

    /// No retries.
    pub fn none() -> Self {
        Self {
            max_retries: 0,
            ..Self::default()
        }
    }

    /// The delay before the retry of that number, counted from 0, without jitter:
    /// `min(base_delay * multiplier ^ attempt, max_delay)`.
    pub fn delay_for_attempt(&self, attempt: u32) -> Duration {
        let exponent = i32::try_from(attempt).unwrap_or(i32::MAX);
        let seconds = self.base_delay.as_secs_f64() * self.multiplier.powi(exponent);
        let max = self.max_delay.as_secs_f64();
        Duration::from_secs_f64(if seconds.is_finite() {
            seconds.clamp(0.0, max)
        } else {
            max
        })
    }

    /// How long to wait before trying again; `None` if the error is final. `attempt` counts the retries before.
    pub fn wait(&self, attempt: u32, error: &Error) -> Option<Duration> {
        let is_limit = matches!(error.kind(), ErrorKind::RateLimit | ErrorKind::Overloaded);
        let asked = error.retry_after();
        if !error.is_retryable() || self.max_retries == 0 {
            return None;
        }
        match self.on_rate_limit {
            OnRateLimit::Fail if is_limit => return None,
            OnRateLimit::Wait if is_limit && asked.is_some() => return asked,
            OnRateLimit::Retry | OnRateLimit::Wait | OnRateLimit::Fail => {}
        }
        if attempt >= self.max_retries {
            return None;
        }
        match asked {
            Some(wait) if wait > self.max_wait.unwrap_or(self.max_delay) => None,
            Some(wait) => Some(wait),
            None => Some(self.spread(self.delay_for_attempt(attempt))),
        }
    }

    /// The same policy with at most so many retries, where a number is given.
    #[must_use]
    pub fn at_most(&self, max_retries: Option<u32>) -> Self {
        Self {
            max_retries: max_retries.unwrap_or(self.max_retries),
            ..self.clone()
        }
    }

    fn spread(&self, delay: Duration) -> Duration {
        match &self.jitter {
            Some(source) => delay
                .mul_f64(0.5 + source().clamp(0.0, 1.0))
                .min(self.max_delay),
            None => delay,
        }
    }
}

/// A number from 0 up to 1, from the keys of the standard library's hash maps.
fn random() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 11;
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    let value = bits as f64 / (1_u64 << 53) as f64;
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(policy: &RetryPolicy, attempt: u32) -> f64 {
        policy.delay_for_attempt(attempt).as_secs_f64()
    }

    #[test]
    fn delays_double_from_one_second_to_a_minute() {
        let policy = RetryPolicy::default();
        let delays: Vec<f64> = (0..8).map(|attempt| seconds(&policy, attempt)).collect();
        assert_eq!(delays, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]);
        assert_eq!(seconds(&policy, u32::MAX), 60.0);
    }

    #[test]
    fn jitter_spreads_a_delay_by_half_of_it() {
        let with = |value: f64| RetryPolicy {
            jitter: Some(Arc::new(move || value)),
            ..RetryPolicy::default()
        };
        let error = Error::new(ErrorKind::Server, "failed");
        assert_eq!(with(0.0).wait(1, &error), Some(Duration::from_secs(1)));
        assert_eq!(with(1.0).wait(1, &error), Some(Duration::from_secs(3)));
        let value = random();
        assert!((0.0..1.0).contains(&value));
    }

    #[test]
    fn the_providers_delay_is_exact_and_a_longer_one_than_allowed_is_final() {
        let policy = RetryPolicy::default();
        let after = |seconds| {
            let mut error = Error::new(ErrorKind::RateLimit, "slow down");
            error.data_mut().retry_after = Some(Duration::from_secs(seconds));
            error
        };
        assert_eq!(policy.wait(0, &after(7)), Some(Duration::from_secs(7)));
        assert_eq!(policy.wait(0, &after(61)), None);
        assert_eq!(policy.wait(2, &after(7)), None);
        assert_eq!(
            policy.wait(0, &Error::new(ErrorKind::Authentication, "no")),
            None
        );
        assert_eq!(RetryPolicy::none().wait(0, &after(7)), None);
    }

    #[test]
    fn a_persistent_policy_waits_longer_where_the_provider_asks_for_it() {
        let mut error = Error::new(ErrorKind::Overloaded, "busy");
        let ask = |error: &mut Error, minutes| {
            error.data_mut().retry_after = Some(Duration::from_mins(minutes));
        };
        let policy = RetryPolicy::persistent();
        assert!(policy.wait(5, &error).is_some() && policy.wait(6, &error).is_none());
        ask(&mut error, 10);
        assert_eq!(policy.wait(0, &error), error.retry_after());
        ask(&mut error, 11);
        assert_eq!(policy.wait(0, &error), None);
        let with = |on_rate_limit| RetryPolicy {
            on_rate_limit,
            ..RetryPolicy::persistent()
        };
        assert_eq!(with(OnRateLimit::Wait).wait(6, &error), error.retry_after());
        ask(&mut error, 1);
        assert_eq!(with(OnRateLimit::Fail).wait(0, &error), None);
    }
}
