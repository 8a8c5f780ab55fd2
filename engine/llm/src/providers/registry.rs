//! The providers whose APIs have an adapter, a row each.

use std::sync::Arc;

use super::{anthropic, gemini, openai, openai_compatible};
use crate::adapter::ProviderAdapter;
use crate::error::Error;
use crate::http::{Endpoint, HttpOptions};

type MakeAdapter = fn(Endpoint, HttpOptions) -> Result<Arc<dyn ProviderAdapter>, Error>;

/// Providers by their ids in the catalogue of models. Any other one is a server with the Chat Completions API.
const PROVIDERS: &[(&str, MakeAdapter)] = &[
    (anthropic::PROVIDER, |endpoint, http| {
        anthropic::adapter(endpoint, anthropic::AnthropicOptions::default(), http)
    }),
    (openai::PROVIDER, |endpoint, http| {
        openai::adapter(endpoint, openai::OpenAiOptions::default(), http)
    }),
    (gemini::PROVIDER, gemini::adapter),
];

/// The adapter of a provider at an endpoint.
pub(crate) fn adapter(
    id: &str,
    endpoint: Endpoint,
    http: HttpOptions,
) -> Result<Arc<dyn ProviderAdapter>, Error> {
    if let Some((_, make)) = PROVIDERS.iter().find(|(known, _)| *known == id) {
        return make(endpoint, http);
    }
    let quirks = openai_compatible::Quirks::of(id, &endpoint.base_url);
    openai_compatible::adapter(id, endpoint, quirks, http)
}
