//! Settings of HTTP calls.

use std::sync::Arc;
use std::time::Duration;

use attractor_models::{Catalogue, Effort, ReasoningStyle};
use jiff::Timestamp;
use secrecy::SecretString;

use super::protocol::Call;
use crate::redact::Redactor;

/// Where a provider's API is and what it is given with every request.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The base URL, without the path of a single call.
    pub base_url: String,
    /// The key.
    pub api_key: Option<SecretString>,
    /// More headers. Values that may be secrets belong in the [redactor](HttpOptions::redactor).
    pub headers: Vec<(String, String)>,
    /// Whether `http://` is allowed although the host is another one. Keys and prompts travel in the clear then.
    pub allow_insecure_http: bool,
}

impl Endpoint {
    /// An endpoint with a key.
    pub fn new(base_url: impl Into<String>, api_key: Option<SecretString>) -> Self {
        Self {
            base_url: base_url.into(),
            api_key,
            headers: Vec::new(),
            allow_insecure_http: false,
        }
    }
}

/// How requests are sent, alike for all providers.
#[derive(Clone)]
pub struct HttpOptions {
    /// Time limits.
    pub timeouts: Timeouts,
    /// Time limits of calls of models that reason, which may be silent for minutes, and of models that are not listed;
    /// `timeouts` where absent.
    pub reasoning_timeouts: Option<Timeouts>,
    /// The models.
    pub catalogue: Arc<Catalogue>,
    /// Whether `http://` is allowed to hosts other than this one, for all endpoints.
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
            reasoning_timeouts: None,
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
            .field("reasoning_timeouts", &self.reasoning_timeouts)
            .field("allow_insecure_http", &self.allow_insecure_http)
            .finish_non_exhaustive()
    }
}

impl HttpOptions {
    /// The time limits of a call.
    pub(super) fn timeouts_of(&self, call: &Call<'_>) -> Timeouts {
        let reasoning = &call.model.rules.reasoning;
        let effort = call
            .request
            .reasoning_effort
            .map_or(reasoning.default, |wanted| {
                reasoning.clamp(wanted).or(reasoning.default)
            });
        let reasons = reasoning.style != ReasoningStyle::None && effort != Some(Effort::None);
        match self.reasoning_timeouts {
            Some(timeouts) if reasons || !call.model.is_listed => timeouts,
            _ => self.timeouts,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Request;

    #[test]
    fn limits_fit_model_and_effort() {
        let long = Timeouts {
            idle: Duration::from_mins(5),
            ..Timeouts::default()
        };
        let idle = |options: &HttpOptions, model: &str, effort| {
            let request = Request {
                reasoning_effort: effort,
                ..Request::prompt(model, "x")
            };
            let model = options.catalogue.resolve(model, None).expect("a model");
            let call = Call {
                request: &request,
                model: &model,
                streaming: true,
            };
            options.timeouts_of(&call).idle.as_secs()
        };
        let documented = HttpOptions::default();
        let patient = HttpOptions {
            reasoning_timeouts: Some(long),
            ..HttpOptions::default()
        };
        for (model, effort, expected) in [
            ("gpt-6-luna", None, 300),
            ("gpt-6-luna", Some(Effort::None), 30),
            ("opus", Some(Effort::Low), 300),
            ("gpt-9-unlisted", None, 300),
        ] {
            assert_eq!(
                idle(&patient, model, effort),
                expected,
                "{model} {effort:?}"
            );
            assert_eq!(idle(&documented, model, effort), 30, "{model} {effort:?}");
        }
    }
}
