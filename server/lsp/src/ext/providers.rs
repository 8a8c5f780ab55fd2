//! `attractor.providers` and `attractor/apiKeys`: the providers of models and their keys. `attractor/serverToken`: the
//! token of a server elsewhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What `attractor.providers` takes.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProvidersArgs {}

/// What `attractor.providers` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProvidersResult {
    /// The providers of the catalogue, then those of the user's configuration.
    pub providers: Vec<Provider>,
}

/// A provider of models.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// Its id, as the attribute `provider` names it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Where its key comes from: a variable of the environment, `editor` or `configuration`; missing without a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The variable of the environment that its key is usually in; missing where it needs none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<String>,
}

/// The keys that the editor keeps. They replace those that were sent before, and have an effect on the next run.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ApiKeysParams {
    /// A key for each provider, by its id.
    pub keys: BTreeMap<String, String>,
}

/// The token of a server elsewhere that the editor keeps. It goes to that server only.
#[derive(Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ServerTokenParams {
    /// The address, as in the setting `attractor.server.remote`.
    pub server: String,
    /// The token; missing or `null` where the editor keeps none.
    #[serde(default)]
    pub token: Option<String>,
}
