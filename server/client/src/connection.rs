//! One server: requests with its token, and their answers.

use std::time::Duration;

use attractor_llm::http_client;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::address::ServerAddress;
use crate::error::{ClientError, root_cause};
use crate::token::Token;

/// How long a server may take to begin its answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server, and what requests to it need.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    pub(crate) address: ServerAddress,
    client: reqwest::Client,
    token: Token,
}

impl Connection {
    /// Nothing is sent yet.
    pub(crate) fn new(address: ServerAddress, token: Token) -> Result<Self, ClientError> {
        let client = http_client(address.url()).connect_timeout(PATIENCE).build();
        let client = client.map_err(|error| disconnected(&address, error.to_string()))?;
        Ok(Self {
            address,
            client,
            token,
        })
    }

    /// A request with the token.
    pub(crate) fn request(&self, method: Method, path: &[&str]) -> RequestBuilder {
        let request = self.client.request(method, self.address.join(path));
        request.bearer_auth(self.token.as_str())
    }

    /// Sends a request. An answer that is not a success is an error.
    pub(crate) async fn send(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let server = &self.address;
        let answer = tokio::time::timeout(PATIENCE, request.send()).await;
        let answer = answer.map_err(|_| disconnected(server, "it does not answer".to_owned()))?;
        let answer = answer.map_err(|error| disconnected(server, root_cause(&error)))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        if status == StatusCode::UNAUTHORIZED {
            let server = server.to_string();
            return Err(ClientError::WrongToken { server });
        }
        let body: Value = answer.json().await.unwrap_or_default();
        let message = body.pointer("/error/message").and_then(Value::as_str);
        let message = message.map_or_else(|| format!("{server} answers {status}"), str::to_owned);
        Err(ClientError::Refused {
            status: status.as_u16(),
            message,
            body,
        })
    }

    /// Sends a request, and reads the body of its answer.
    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
    ) -> Result<T, ClientError> {
        let body = self.text(request).await?;
        serde_json::from_str(&body).map_err(|error| invalid(&self.address, error.to_string()))
    }

    /// The same as it is.
    pub(crate) async fn text(&self, request: RequestBuilder) -> Result<String, ClientError> {
        let body = self.send(request).await?.text().await;
        body.map_err(|error| disconnected(&self.address, root_cause(&error)))
    }
}

pub(crate) fn disconnected(server: &ServerAddress, reason: String) -> ClientError {
    ClientError::Disconnected {
        server: server.to_string(),
        reason,
    }
}

pub(crate) fn invalid(server: &ServerAddress, reason: String) -> ClientError {
    ClientError::InvalidAnswer {
        server: server.to_string(),
        reason,
    }
}
