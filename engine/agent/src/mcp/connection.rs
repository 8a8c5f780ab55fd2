//! The connection to a server.

use std::time::Duration;

use attractor_exec::{Job, Service};
use attractor_llm::{http_client, is_loopback};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, JsonObject,
    PaginatedRequestParams, Tool,
};
use rmcp::service::{ClientInitializeError, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, ServiceExt};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use super::settings::{McpProcess, McpServer, McpTransport};

/// The time to connect to an address.
const CONNECT: Duration = Duration::from_secs(10);

/// Pages of the list of tools.
const MAX_PAGES: usize = 50;

type Client = RunningService<RoleClient, ClientConfig>;

/// A connection.
pub(super) struct Connection {
    client: Client,
    start_timeout: Duration,
    /// Ends the process when it is dropped.
    service: Option<Service>,
}

impl Connection {
    /// Starts or calls the server and does the handshake.
    pub(super) async fn open(server: &McpServer, process: &McpProcess) -> Result<Self, String> {
        match &server.transport {
            McpTransport::Stdio {
                command,
                environment,
            } => {
                let (service, pipes) = Service::start(Job {
                    argv: command.clone(),
                    directory: process.directory.clone(),
                    environment: environment.clone(),
                    run: process.run.clone(),
                    step: format!("{}/{}", process.step, server.name),
                    redactor: process.redactor.clone(),
                    ..Job::default()
                })
                .map_err(|error| {
                    let program = command.first().map_or("", String::as_str);
                    format!("`{program}` cannot be started: {error}")
                })?;
                let opened = Self::over(server, pipes.stdout, pipes.stdin).await;
                match opened {
                    Ok(connection) => Ok(Self {
                        service: Some(service),
                        ..connection
                    }),
                    Err(reason) => Err(explained(reason, Some(&service)).await),
                }
            }
            McpTransport::Http { url, headers } => {
                let transport = http(url, headers)?;
                let handshake = timeout(server.start_timeout, info().serve(transport)).await;
                Self::opened(
                    server,
                    handshake.map(|done| done.map_err(|error| error.to_string())),
                )
            }
        }
    }

    /// Does the handshake over two streams.
    pub(super) async fn over(
        server: &McpServer,
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Result<Self, String> {
        let handshake = timeout(server.start_timeout, info().serve((output, input))).await;
        let reason = |error: ClientInitializeError| match error {
            ClientInitializeError::ConnectionClosed(_)
            | ClientInitializeError::TransportError { .. } => "it ended".to_owned(),
            error => error.to_string(),
        };
        Self::opened(server, handshake.map(|done| done.map_err(reason)))
    }

    fn opened(
        server: &McpServer,
        handshake: Result<Result<Client, String>, tokio::time::error::Elapsed>,
    ) -> Result<Self, String> {
        match handshake {
            Ok(Ok(client)) => Ok(Self {
                client,
                start_timeout: server.start_timeout,
                service: None,
            }),
            Ok(Err(error)) => Err(format!("the handshake failed: {error}")),
            Err(_) => Err(late("the handshake", server.start_timeout)),
        }
    }

    /// The tools of the server, at most so many.
    pub(super) async fn list_tools(&self, most: usize) -> Result<Vec<Tool>, String> {
        let listing = async {
            let mut tools = Vec::new();
            let mut cursor = None;
            for _ in 0..MAX_PAGES {
                let params = PaginatedRequestParams::default().with_cursor(cursor);
                let page = self.client.peer().list_tools(Some(params)).await?;
                tools.extend(page.tools);
                cursor = page.next_cursor;
                if cursor.is_none() || tools.len() >= most {
                    break;
                }
            }
            tools.truncate(most);
            Ok::<_, ServiceError>(tools)
        };
        match timeout(self.start_timeout, listing).await {
            Ok(Ok(listed)) => Ok(listed),
            Ok(Err(error)) => Err(self.failure(&error).await),
            Err(_) => Err(late("the list of its tools", self.start_timeout)),
        }
    }

    /// Calls a tool. The result is as the protocol has it.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
        limit: Duration,
    ) -> Result<Value, String> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        // A call that is dropped is cancelled.
        match timeout(limit, self.client.peer().call_tool(params)).await {
            Ok(Ok(result)) => serde_json::to_value(result).map_err(|error| error.to_string()),
            Ok(Err(error)) => Err(self.failure(&error).await),
            Err(_) => Err(late("the call", limit)),
        }
    }

    async fn failure(&self, error: &ServiceError) -> String {
        let reason = if self.client.peer().is_transport_closed() {
            "it has ended".to_owned()
        } else {
            error.to_string()
        };
        explained(reason, self.service.as_ref()).await
    }
}

fn info() -> ClientConfig {
    let version = env!("CARGO_PKG_VERSION");
    ClientConfig::new(
        ClientCapabilities::default(),
        Implementation::new("attractor", version),
    )
}

fn late(what: &str, limit: Duration) -> String {
    format!("{what} took more than {} seconds", limit.as_secs_f64())
}

/// A failure with what the process wrote last.
async fn explained(reason: String, service: Option<&Service>) -> String {
    let Some(service) = service else {
        return reason;
    };
    match service.last_errors().await {
        errors if errors.is_empty() => reason,
        errors => format!("{reason}; it wrote: {errors}"),
    }
}

type HttpTransport = StreamableHttpClientTransport<reqwest::Client>;

fn http(url: &str, headers: &[(String, String)]) -> Result<HttpTransport, String> {
    let parsed =
        url::Url::parse(url).map_err(|error| format!("invalid address `{url}`: {error}"))?;
    if parsed.scheme() != "https" && !(parsed.scheme() == "http" && is_loopback(&parsed)) {
        return Err(format!(
            "refused the address `{url}`: use `https://`, or `http://` to this machine"
        ));
    }
    let client = http_client(&parsed).connect_timeout(CONNECT).build();
    let client = client.map_err(|error| format!("cannot set up HTTPS: {error}"))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    for (name, value) in headers {
        let invalid = || format!("the header `{name}` is invalid");
        let header = name.parse::<HeaderName>().map_err(|_| invalid())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| invalid())?;
        value.set_sensitive(true);
        config.custom_headers.insert(header, value);
    }
    Ok(StreamableHttpClientTransport::with_client(client, config))
}
