//! What an adapter of a provider is.

use async_trait::async_trait;

use crate::error::Error;
use crate::event::EventStream;
use crate::request::Request;
use crate::response::Response;

/// Calls the models of one provider. Adapters neither retry nor fall back; the [client](crate::Client) does.
#[async_trait]
pub trait ProviderAdapter: Send + Sync {
    /// The provider's id, such as `anthropic`.
    fn provider_name(&self) -> &str;

    /// Whether that model is one of the provider's, by its name alone.
    fn detect_model(&self, model: &str) -> bool;

    /// Sends a request and waits for the whole answer.
    async fn complete(&self, request: &Request) -> Result<Response, Error>;

    /// Asks the provider's API for the ids of its models, which also shows whether it answers and takes the key. Costs
    /// nothing. None where an API has no such list.
    async fn models(&self) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Sends a request and delivers the answer as it is generated. Dropping the stream closes the connection.
    async fn stream(&self, request: &Request) -> Result<EventStream, Error>;
}
