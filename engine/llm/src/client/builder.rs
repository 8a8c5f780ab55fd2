//! Builds a client from settings and environment.

use std::sync::Arc;

use attractor_models::{Catalogue, Provider};
use secrecy::SecretString;

use super::{Client, Inner};
use crate::adapter::ProviderAdapter;
use crate::error::{Error, ErrorKind};
use crate::http::{Endpoint, HttpOptions};
use crate::middleware::Middleware;
use crate::providers::{openai, registry};
use crate::retry::RetryPolicy;

/// Reads a variable of an environment.
type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Builds a [`Client`].
#[derive(Default)]
pub struct ClientBuilder {
    adapters: Vec<Arc<dyn ProviderAdapter>>,
    endpoints: Vec<(String, Endpoint)>,
    middleware: Vec<Arc<dyn Middleware>>,
    retry: RetryPolicy,
    http: HttpOptions,
    default_provider: Option<String>,
    missing: Vec<(String, String)>,
}

impl Client {
    /// What builds a client.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// A client for every provider whose key is in the environment.
    pub fn from_env() -> Result<Self, Error> {
        Self::builder().from_env().build()
    }
}

impl ClientBuilder {
    /// Adds every provider whose key is in the environment of this process, and an OpenAI-compatible server whose base
    /// URL is. Providers that were added before are kept.
    #[must_use]
    pub fn from_env(self) -> Self {
        self.from_variables(&|name| std::env::var(name).ok())
    }

    /// The same for the variables of any environment. An empty variable counts as absent.
    #[must_use]
    pub fn from_variables(mut self, variables: Variables<'_>) -> Self {
        let set = |name: &str| {
            variables(name)
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        let catalogue = Arc::clone(&self.http.catalogue);
        for provider in catalogue.providers() {
            if self.endpoints.iter().any(|(id, _)| *id == provider.id) {
                continue;
            }
            match endpoint(provider, &set) {
                Ok(endpoint) => self.endpoints.push((provider.id.clone(), endpoint)),
                Err(reason) => self.missing.push((provider.id.clone(), reason)),
            }
        }
        self
    }

    /// Adds a provider with a key, at its usual place.
    #[must_use]
    pub fn api_key(self, provider: &str, key: impl Into<SecretString>) -> Self {
        let known = self.http.catalogue.provider(provider);
        let base_url = known
            .and_then(|provider| provider.base_url.clone())
            .unwrap_or_default();
        let id = known.map_or_else(|| provider.to_owned(), |provider| provider.id.clone());
        self.endpoint(&id, Endpoint::new(base_url, Some(key.into())))
    }

    /// Adds a provider at an endpoint. A provider with an id of its own is an OpenAI-compatible server.
    #[must_use]
    pub fn endpoint(mut self, provider: &str, endpoint: Endpoint) -> Self {
        let id = self
            .http
            .catalogue
            .provider(provider)
            .map_or(provider, |known| known.id.as_str())
            .to_owned();
        self.endpoints.retain(|(known, _)| *known != id);
        self.endpoints.push((id, endpoint));
        self
    }

    /// Changes the endpoints that were added: more headers, for example. A provider that cannot be used is left out, with
    /// the reason.
    #[must_use]
    pub fn change_endpoints(
        mut self,
        change: impl Fn(&str, &mut Endpoint) -> Result<(), String>,
    ) -> Self {
        let missing = &mut self.missing;
        self.endpoints.retain_mut(|(id, endpoint)| {
            let changed = change(id, endpoint);
            missing.extend(
                changed
                    .as_ref()
                    .err()
                    .map(|reason| (id.clone(), reason.clone())),
            );
            changed.is_ok()
        });
        self
    }

    /// Adds an adapter of one's own. It takes precedence over others with its name.
    #[must_use]
    pub fn adapter(mut self, adapter: Arc<dyn ProviderAdapter>) -> Self {
        self.adapters.push(adapter);
        self
    }

    /// Adds middleware, inside of what was added before.
    #[must_use]
    pub fn middleware(mut self, middleware: Arc<dyn Middleware>) -> Self {
        self.middleware.push(middleware);
        self
    }

    /// When failures are retried.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// Time limits, models, clock. Set it before providers are added.
    #[must_use]
    pub fn http(mut self, options: HttpOptions) -> Self {
        self.http = options;
        self
    }

    /// The models. Set it before providers are added.
    #[must_use]
    pub fn catalogue(mut self, catalogue: Arc<Catalogue>) -> Self {
        self.http.catalogue = catalogue;
        self
    }

    /// The provider of models whose name suggests none.
    #[must_use]
    pub fn default_provider(mut self, provider: impl Into<String>) -> Self {
        self.default_provider = Some(provider.into());
        self
    }

    /// The providers that the variables do not configure, each with what is missing.
    pub fn missing(&self) -> &[(String, String)] {
        &self.missing
    }

    /// The client. A provider whose endpoint cannot work is left out; it is an error if no provider remains.
    pub fn build(self) -> Result<Client, Error> {
        let mut adapters = self.adapters;
        let mut missing = self.missing;
        for (id, endpoint) in self.endpoints {
            match registry::adapter(&id, endpoint, self.http.clone()) {
                Ok(adapter) => adapters.push(adapter),
                Err(error) => missing.push((id, error.data().message.clone())),
            }
        }
        if adapters.is_empty() {
            let reasons: Vec<String> = missing
                .iter()
                .map(|(id, reason)| format!("{id}: {reason}"))
                .collect();
            let message = if reasons.is_empty() {
                "no provider is configured".to_owned()
            } else {
                format!("no provider is configured ({})", reasons.join("; "))
            };
            return Err(Error::new(ErrorKind::Configuration, message));
        }
        Ok(Client(Arc::new(Inner {
            adapters,
            middleware: self.middleware,
            retry: self.retry,
            catalogue: self.http.catalogue,
            default_provider: self.default_provider,
            missing,
        })))
    }
}

/// A provider's endpoint by the variables of an environment, or what they lack.
fn endpoint(provider: &Provider, set: &dyn Fn(&str) -> Option<String>) -> Result<Endpoint, String> {
    let key = provider.key_variables.iter().find_map(|name| set(name));
    let base_url = provider
        .base_url_variable
        .as_ref()
        .and_then(|name| set(name))
        .or_else(|| provider.base_url.clone());
    let Some(base_url) = base_url else {
        return Err(match &provider.base_url_variable {
            Some(variable) => format!("set {variable}"),
            None => format!(
                "it has no address; set `base_url` in [providers.{}]",
                provider.id
            ),
        });
    };
    // A server of one's own may need no key; the providers' own do.
    if key.is_none() && provider.base_url.is_some() {
        return Err(format!("set {}", provider.key_variables.join(" or ")));
    }
    let mut endpoint = Endpoint::new(base_url, key.map(SecretString::from));
    if provider.id == openai::PROVIDER {
        for (variable, header) in [
            ("OPENAI_ORG_ID", "OpenAI-Organization"),
            ("OPENAI_PROJECT_ID", "OpenAI-Project"),
        ] {
            endpoint
                .headers
                .extend(set(variable).map(|value| (header.to_owned(), value)));
        }
    }
    Ok(endpoint)
}

/// The endpoint of the `OpenAI` API by the variables of an environment.
#[cfg(test)]
pub(crate) fn openai_endpoint(set: Variables<'_>) -> Result<Endpoint, String> {
    let provider = Catalogue::shipped()
        .provider(openai::PROVIDER)
        .expect("a provider");
    endpoint(provider, set)
}
