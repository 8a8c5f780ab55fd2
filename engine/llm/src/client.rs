//! The client: finds the provider of a request, runs the middleware around it, retries, falls back.

mod attempts;
mod builder;
mod cost;
mod fallback;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use attractor_models::Catalogue;
use futures::future::BoxFuture;

pub use builder::ClientBuilder;
#[cfg(test)]
pub(crate) use builder::openai_endpoint;

use crate::adapter::ProviderAdapter;
use crate::error::{Error, ErrorKind};
use crate::event::EventStream;
use crate::middleware::{Middleware, Next};
use crate::request::Request;
use crate::response::Response;
use crate::retry::RetryPolicy;

/// Another name for [`Client`].
pub type LlmClient = Client;

/// A client for the models of all configured providers. Cloning it is cheap; clones share connections.
#[derive(Clone)]
pub struct Client(Arc<Inner>);

struct Inner {
    adapters: Vec<Arc<dyn ProviderAdapter>>,
    middleware: Vec<Arc<dyn Middleware>>,
    retry: RetryPolicy,
    catalogue: Arc<Catalogue>,
    default_provider: Option<String>,
    /// Providers that are not configured, with what their configuration lacks.
    missing: Vec<(String, String)>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Client")
            .field("providers", &self.providers())
            .finish_non_exhaustive()
    }
}

impl Client {
    /// The ids of the configured providers.
    pub fn providers(&self) -> Vec<&str> {
        self.0
            .adapters
            .iter()
            .map(|adapter| adapter.provider_name())
            .collect()
    }

    /// The models it knows.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.0.catalogue
    }

    /// The adapter that serves a model: that of the given provider, else that of the model's own, else the default.
    pub fn detect_provider(
        &self,
        model: &str,
        provider: Option<&str>,
    ) -> Result<&Arc<dyn ProviderAdapter>, Error> {
        if let Some(name) = provider {
            return self
                .adapter(name)
                .ok_or_else(|| self.not_configured(name, model));
        }
        if let Some(own) = self.0.catalogue.provider_of(model) {
            return self
                .adapter(&own.id)
                .ok_or_else(|| self.not_configured(&own.id, model));
        }
        let claims = |adapter: &&Arc<dyn ProviderAdapter>| adapter.detect_model(model);
        if let Some(adapter) = self.0.adapters.iter().find(claims) {
            return Ok(adapter);
        }
        if let Some(name) = &self.0.default_provider {
            return self
                .adapter(name)
                .ok_or_else(|| self.not_configured(name, model));
        }
        let message = format!(
            "no provider is known for the model `{model}`; set the provider of the request, or a default provider"
        );
        Err(Error::new(ErrorKind::Configuration, message))
    }

    fn adapter(&self, name: &str) -> Option<&Arc<dyn ProviderAdapter>> {
        let id = self
            .0
            .catalogue
            .provider(name)
            .map_or(name, |provider| provider.id.as_str());
        self.0
            .adapters
            .iter()
            .find(|adapter| adapter.provider_name() == id || adapter.provider_name() == name)
    }

    /// The ids of the models that a provider lists. Shows also whether it answers and takes its key; costs nothing.
    pub async fn models(&self, provider: &str) -> Result<Vec<String>, Error> {
        match self.adapter(provider) {
            Some(adapter) => adapter.models().await,
            None => Err(Error::new(ErrorKind::Configuration, self.missing(provider))),
        }
    }

    /// What the configuration of a provider lacks.
    pub fn missing(&self, provider: &str) -> String {
        let known = self.0.catalogue.provider(provider);
        let id = known.map_or(provider, |provider| provider.id.as_str());
        let reason = self
            .0
            .missing
            .iter()
            .find(|(name, _)| name == id)
            .map(|(_, reason)| reason.clone());
        let reason = reason.or_else(|| {
            let variable = known?.key_variables.first()?;
            Some(format!("set {variable}"))
        });
        reason.unwrap_or_else(|| format!("configured providers: {}", self.providers().join(", ")))
    }

    fn not_configured(&self, provider: &str, model: &str) -> Error {
        let known = self.0.catalogue.provider(provider);
        let id = known.map_or(provider, |provider| provider.id.as_str());
        let reason = self.missing(provider);
        let message =
            format!("the provider `{id}` of the model `{model}` is not configured: {reason}");
        Error::new(ErrorKind::Configuration, message)
    }

    /// Sends a request and waits for the whole answer. Failures are retried as the [`RetryPolicy`] says; while the
    /// model is not available, `fallback_models` of the request are tried.
    pub async fn complete(&self, request: Request) -> Result<Response, Error> {
        let last = |request: Request| -> BoxFuture<'_, Result<Response, Error>> {
            Box::pin(self.complete_or_fall_back(request))
        };
        Next::complete_with(&self.0.middleware, &last)
            .complete(request)
            .await
    }

    /// Sends a request and delivers the answer as it is generated. Failures before the first event of content are
    /// retried; after it, an error ends the stream, unless the policy has
    /// [`after_content`](RetryPolicy::after_content): then errors are items of the stream from the beginning. Dropping the
    /// stream closes the connection.
    pub async fn stream(&self, request: Request) -> Result<EventStream, Error> {
        let last = |request: Request| -> BoxFuture<'_, Result<EventStream, Error>> {
            Box::pin(self.stream_attempts(request))
        };
        Next::stream_with(&self.0.middleware, &last)
            .stream(request)
            .await
    }

    /// One attempt.
    async fn open(&self, request: &Request) -> Result<EventStream, Error> {
        let adapter = self.detect_provider(&request.model, request.provider.as_deref())?;
        adapter.stream(request).await
    }

    /// When failures of a request are retried.
    fn policy(&self, request: &Request) -> RetryPolicy {
        let policy = request.retry.as_ref().unwrap_or(&self.0.retry);
        RetryPolicy {
            on_rate_limit: request.on_rate_limit.unwrap_or(policy.on_rate_limit),
            ..policy.at_most(request.max_retries)
        }
    }
}
