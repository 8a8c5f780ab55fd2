//! How models are called, by `[models]` of the configuration: limits of time, retries.

use std::time::Duration;

use attractor_config::{ModelSettings, OnRateLimit as WhenLimited};
use attractor_llm::{HttpOptions, OnRateLimit, RetryPolicy, Timeouts};

/// How requests are sent, with the configured limits of time. A model that reasons may be silent for minutes.
pub(super) fn http_options(settings: &ModelSettings) -> HttpOptions {
    let limits = |default: Timeouts| Timeouts {
        request: settings.request_timeout.unwrap_or(default.request),
        idle: settings.idle_timeout.unwrap_or(default.idle),
        ..default
    };
    let reasoning = Timeouts {
        request: Duration::from_mins(10),
        idle: Duration::from_mins(5),
        ..Timeouts::default()
    };
    HttpOptions {
        timeouts: limits(Timeouts::default()),
        reasoning_timeouts: Some(limits(reasoning)),
        ..HttpOptions::default()
    }
}

/// When the calls of agents and nodes are retried: work that takes long outlives an overloaded provider.
pub(super) fn retry_policy(settings: &ModelSettings) -> RetryPolicy {
    let default = RetryPolicy::persistent();
    RetryPolicy {
        max_retries: settings.max_retries.unwrap_or(default.max_retries),
        max_wait: settings.max_wait.or(default.max_wait),
        on_rate_limit: settings
            .on_rate_limit
            .map_or(default.on_rate_limit, at_rate_limit),
        ..default
    }
}

/// The word of the configuration, for the client.
const fn at_rate_limit(word: WhenLimited) -> OnRateLimit {
    match word {
        WhenLimited::Retry => OnRateLimit::Retry,
        WhenLimited::Wait => OnRateLimit::Wait,
        WhenLimited::Fail => OnRateLimit::Fail,
    }
}
