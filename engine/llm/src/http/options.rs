//! Settings of HTTP calls.

use std::sync::Arc;
use std::time::Duration;

use attractor_models::Catalogue;
use jiff::Timestamp;
use secrecy::SecretString;

use crate::redact::Redactor;

/// Where a provider's API is and what it is given with every request.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The base URL, without the path of a single call.
    pub base_url: String,
    /// The key.
    pub api_key: Option<SecretString>,
    /// More headers.
    pub headers: Vec<(String, String)>,
}

impl Endpoint {
    /// An endpoint with a key.
    pub fn new(base_url: impl Into<String>, api_key: Option<SecretString>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key,
            headers: Vec::new(),
        }
    }
}

/// How requests are sent, alike for all providers.
#[derive(Clone)]
pub struct HttpOptions {
    /// Time limits.
    pub timeouts: Timeouts,
    /// The models.
    pub catalogue: Arc<Catalogue>,
    /// Whether `http://` is allowed to hosts other than this one. Keys and prompts travel in the clear then.
    pub allow_insecure_http: bool,
    /// What keeps keys out of messages.
    pub redactor: Redactor,
    /// The time of day.
    pub clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            timeouts: Timeouts::default(),
            catalogue: Arc::new(Catalogue::shipped().clone()),
            allow_insecure_http: false,
            redactor: Redactor::default(),
            clock: Arc::new(Timestamp::now),
        }
    }
}

impl std::fmt::Debug for HttpOptions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("HttpOptions")
            .field("timeouts", &self.timeouts)
            .field("allow_insecure_http", &self.allow_insecure_http)
            .finish_non_exhaustive()
    }
}

/// Time limits of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To connect.
    pub connect: Duration,
    /// For a whole answer; for a stream, until its headers.
    pub request: Duration,
    /// Between two lines of a stream.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            request: Duration::from_mins(2),
            idle: Duration::from_secs(30),
        }
    }
}
