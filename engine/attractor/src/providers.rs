//! The providers of models that can be called: their keys and addresses, from environment and configuration.
//!
//! A variable of the environment takes precedence over the keys that an editor keeps, and these over the user's
//! configuration file. A project's file cannot configure providers, since it would decide where a key is sent.

mod call_settings;
mod endpoint_settings;

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_config::{Configuration, ProviderSettings};
use attractor_exec::secret_environment;
use attractor_llm::middleware::{
    CacheWatchMiddleware, LoggingMiddleware, Middleware, RetryMiddleware,
};
use attractor_llm::{Client, ClientBuilder, Endpoint, HttpOptions, Redactor};
use attractor_models::{Catalogue, Provider};
use secrecy::{ExposeSecret as _, SecretString};

use call_settings::{http_options, retry_policy};
use endpoint_settings::{Variables, extend, header_secrets};

/// Placeholders for keys and addresses that are never used.
const UNUSED: &str = "http://localhost";

/// The keys that an editor keeps, by the id of the provider.
pub type EditorKeys = BTreeMap<String, SecretString>;

/// The configured providers. Cloning is cheap; clones share connections.
#[derive(Debug, Clone)]
pub struct Providers {
    client: Result<Client, String>,
    statuses: Vec<ProviderStatus>,
    secrets: Vec<String>,
    fallback_models: Vec<String>,
    is_replaying: bool,
}

/// Where a key comes from: the editor.
const EDITOR: &str = "editor";

/// Where a key comes from: the user's configuration file.
const CONFIGURATION: &str = "configuration";

/// Where keys are looked for.
#[derive(Clone, Copy)]
struct KeySources<'a> {
    variables: Variables<'a>,
    editor: &'a EditorKeys,
}

impl KeySources<'_> {
    /// The key that the editor keeps for a provider.
    fn kept(&self, provider: &str) -> Option<String> {
        let key = self.editor.get(provider)?.expose_secret().trim();
        (!key.is_empty()).then(|| key.to_owned())
    }

    /// The key of a provider whose own variables are not set: of the variable that the configuration names, of the
    /// editor, or of the configuration.
    fn key(
        &self,
        provider: &str,
        setting: Option<&ProviderSettings>,
        environment: Variables<'_>,
    ) -> Option<String> {
        variable_of(setting, environment)
            .map(|(_, key)| key)
            .or_else(|| self.kept(provider))
            .or_else(|| setting?.api_key.clone())
    }

    /// Where that key comes from.
    fn origin(
        &self,
        provider: &str,
        setting: Option<&ProviderSettings>,
        environment: Variables<'_>,
    ) -> Option<String> {
        let configured = || setting.is_some_and(|setting| setting.api_key.is_some());
        variable_of(setting, environment)
            .map(|(name, _)| name)
            .or_else(|| self.kept(provider).map(|_| EDITOR.to_owned()))
            .or_else(|| configured().then(|| CONFIGURATION.to_owned()))
    }
}

/// The variable that the configuration names for a key, if it is set, and its value.
fn variable_of(
    setting: Option<&ProviderSettings>,
    environment: Variables<'_>,
) -> Option<(String, String)> {
    let name = setting?.api_key_variable.clone()?;
    let value = environment(&name)?;
    Some((name, value))
}

/// What is configured for one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    /// Its id, as attributes name it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Where its key comes from: a variable, `editor` or `configuration`.
    pub key: Option<String>,
    /// The variable of the environment that its key is usually in.
    pub key_variable: Option<String>,
    /// Its base URL.
    pub base_url: Option<String>,
    /// Why it cannot be called, and what to do.
    pub problem: Option<String>,
}

impl Providers {
    /// The providers that the environment of this process and the user's configuration give access to.
    pub fn from_environment(configuration: &Configuration) -> Self {
        Self::configure(configuration, &secret_environment::variable)
    }

    /// The same, also with the keys that an editor keeps.
    pub fn with_editor_keys(configuration: &Configuration, keys: &EditorKeys) -> Self {
        let sources = KeySources {
            variables: &secret_environment::variable,
            editor: keys,
        };
        Self::with_sources(configuration, sources, Vec::new())
    }

    /// The same as [`from_environment`](Self::from_environment), with layers around every call.
    pub fn with_layers(configuration: &Configuration, layers: Vec<Arc<dyn Middleware>>) -> Self {
        Self::with_middleware(configuration, &secret_environment::variable, layers)
    }

    /// All providers of the catalogue without any key, behind a layer that answers every call by itself.
    pub fn replaying(layer: Arc<dyn Middleware>) -> Self {
        let catalogue = Catalogue::shipped();
        let is_key = |name: &str| {
            let mut providers = catalogue.providers().iter();
            providers.any(|provider| {
                let address = provider.base_url_variable.as_deref();
                provider.key_variables.iter().any(|key| key == name)
                    || provider.base_url.is_none() && address == Some(name)
            })
        };
        let variables = |name: &str| is_key(name).then(|| UNUSED.to_owned());
        let replaying = Self::with_middleware(&Configuration::default(), &variables, vec![layer]);
        Self {
            secrets: Vec::new(),
            is_replaying: true,
            ..replaying
        }
    }

    /// Whether a recording answers instead of a provider.
    pub fn is_replaying(&self) -> bool {
        self.is_replaying
    }

    /// The same for the variables of any environment.
    pub fn configure(configuration: &Configuration, variables: Variables<'_>) -> Self {
        Self::with_middleware(configuration, variables, Vec::new())
    }

    /// The same, with layers around every call.
    pub fn with_middleware(
        configuration: &Configuration,
        variables: Variables<'_>,
        layers: Vec<Arc<dyn Middleware>>,
    ) -> Self {
        let sources = KeySources {
            variables,
            editor: &EditorKeys::new(),
        };
        Self::with_sources(configuration, sources, layers)
    }

    fn with_sources(
        configuration: &Configuration,
        sources: KeySources<'_>,
        layers: Vec<Arc<dyn Middleware>>,
    ) -> Self {
        let catalogue = Catalogue::shipped();
        let settings = configuration.providers();
        let setting = |provider: &Provider| {
            let mut named = settings.iter().filter(|one| provider.is_named(&one.name));
            named.next().copied()
        };
        let environment = |name: &str| {
            let value = (sources.variables)(name).map(|value| value.trim().to_owned());
            value.filter(|value| !value.is_empty())
        };
        let key_in_environment = |provider: &Provider| {
            let mut names = provider.key_variables.iter();
            names.find(|name| environment(name).is_some()).cloned()
        };
        // What the editor and the configuration say, as if it were in the variables of the provider.
        let configured = |name: &str| {
            let mut providers = catalogue.providers().iter();
            providers.find_map(|provider| {
                let setting = setting(provider);
                let is_key = provider
                    .key_variables
                    .first()
                    .is_some_and(|key| key == name);
                if is_key && key_in_environment(provider).is_none() {
                    return sources.key(&provider.id, setting, &environment);
                }
                let is_address = provider.base_url_variable.as_deref() == Some(name);
                setting?.base_url.clone().filter(|_| is_address)
            })
        };
        let lookup = |name: &str| environment(name).or_else(|| configured(name));
        let own: Vec<&&ProviderSettings> = settings
            .iter()
            .filter(|one| catalogue.provider(&one.name).is_none())
            .collect();
        let key_of_own =
            |setting: &ProviderSettings| sources.key(&setting.name, Some(setting), &environment);
        let models = configuration.models();
        let header_secrets = header_secrets(&settings, &environment);
        let mut builder = Client::builder().http(HttpOptions {
            redactor: Redactor::knowing(header_secrets.iter().cloned()),
            catalogue: Arc::new(catalogue.with_all(&models.declared)),
            ..http_options(&models)
        });
        for setting in &own {
            builder = own_server(builder, setting, key_of_own(setting));
        }
        builder = builder
            .middleware(Arc::new(LoggingMiddleware::default()))
            .middleware(Arc::new(RetryMiddleware::new(Some(retry_policy(&models)))))
            .middleware(Arc::new(CacheWatchMiddleware::default()));
        for layer in layers {
            builder = builder.middleware(layer);
        }
        let builder = builder
            .from_variables(&lookup)
            .change_endpoints(|id, endpoint| {
                let named = |one: &&&ProviderSettings| {
                    let listed = catalogue.provider(id);
                    one.name == id || listed.is_some_and(|provider| provider.is_named(&one.name))
                };
                let setting = settings.iter().find(named);
                setting.map_or(Ok(()), |setting| extend(endpoint, setting, &environment))
            });
        let missing = builder.missing().to_vec();
        let client = builder.build();
        let listed = catalogue.providers().iter().map(|provider| {
            let origin = || sources.origin(&provider.id, setting(provider), &environment);
            ProviderStatus {
                id: provider.id.clone(),
                name: provider.name.clone(),
                key: key_in_environment(provider).or_else(origin),
                key_variable: provider.key_variables.first().cloned(),
                base_url: provider
                    .base_url_variable
                    .as_deref()
                    .and_then(lookup)
                    .or_else(|| provider.base_url.clone()),
                problem: problem(&client, &missing, &provider.id),
            }
        });
        let own_statuses = own.iter().map(|setting| ProviderStatus {
            id: setting.name.clone(),
            name: setting.name.clone(),
            key: sources.origin(&setting.name, Some(setting), &environment),
            key_variable: setting.api_key_variable.clone(),
            base_url: setting.base_url.clone(),
            problem: problem(&client, &missing, &setting.name),
        });
        let statuses = listed.chain(own_statuses).collect();
        let variables = catalogue
            .providers()
            .iter()
            .flat_map(|provider| &provider.key_variables);
        let keys = variables.filter_map(|name| lookup(name));
        let own_keys = own.iter().filter_map(|setting| key_of_own(setting));
        // Also those that another key takes precedence over.
        let kept = sources.editor.keys().filter_map(|id| sources.kept(id));
        let secrets = keys.chain(own_keys).chain(kept).chain(header_secrets);
        let secrets = secrets.collect();
        Self {
            statuses,
            secrets,
            client: client.map_err(|error| error.data().message.clone()),
            fallback_models: models.fallback_models.unwrap_or_default(),
            is_replaying: false,
        }
    }

    /// The client, or why there is none.
    pub fn client(&self) -> Result<&Client, &str> {
        self.client.as_ref().map_err(String::as_str)
    }

    /// Whether a provider answers and takes its key; else the problem.
    pub async fn check(&self, provider: &str) -> Result<(), String> {
        self.models(provider).await.map(|_| ())
    }

    /// The ids of the models that a provider lists; else the problem.
    pub async fn models(&self, provider: &str) -> Result<Vec<String>, String> {
        let listed = self.client()?.models(provider).await;
        listed.map_err(|error| error.to_string())
    }

    /// The provider that serves a model.
    pub(crate) fn provider_of(
        &self,
        model: Option<&str>,
        provider: Option<&str>,
    ) -> Option<String> {
        let client = self.client.as_ref().ok()?;
        match model {
            Some(model) => {
                let adapter = client.detect_provider(model, provider).ok()?;
                Some(adapter.provider_name().to_owned())
            }
            None => provider
                .map(str::to_owned)
                .or_else(|| client.providers().first().map(|id| (*id).to_owned())),
        }
    }

    /// What is configured for each provider.
    pub fn statuses(&self) -> &[ProviderStatus] {
        &self.statuses
    }

    /// The models to call while that of a node, which names no others, is not available.
    pub(crate) fn fallback_models(&self) -> &[String] {
        &self.fallback_models
    }

    /// The keys: what must not appear in a file or message.
    pub(crate) fn secrets(&self) -> Vec<String> {
        self.secrets.clone()
    }
}

/// A server that the catalogue does not list: it speaks the Chat Completions.
fn own_server(
    builder: ClientBuilder,
    setting: &ProviderSettings,
    key: Option<String>,
) -> ClientBuilder {
    let address = setting.base_url.clone().unwrap_or_default();
    builder.endpoint(
        &setting.name,
        Endpoint::new(address, key.map(SecretString::from)),
    )
}

/// Why a provider cannot be called.
fn problem(
    client: &Result<Client, attractor_llm::Error>,
    missing: &[(String, String)],
    provider: &str,
) -> Option<String> {
    match client {
        Ok(client) if client.providers().contains(&provider) => None,
        Ok(client) => Some(client.missing(provider)),
        Err(error) => {
            let reason = missing.iter().find(|(id, _)| id == provider);
            Some(reason.map_or_else(
                || error.data().message.clone(),
                |(_, reason)| reason.clone(),
            ))
        }
    }
}
