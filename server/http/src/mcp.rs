//! The server of the Model Context Protocol: programs with a language model validate pipelines, run them, and have
//! the person asked their questions by its tools, and read the reference pages as its resources.
//!
//! It is one more interface over the runs of [`Shared`], by the same functions as the paths: what a submitted pipeline
//! may do is decided there.

mod elicitation;
mod person;
mod resources;
mod start;
mod tools;

use std::sync::Arc;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData,
    Implementation, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServiceExt};
use serde_json::Value;

use crate::error::ApiError;
use crate::project::Project;
use crate::shared::Shared;
use tools::TOOLS;

/// What a client reads about the server.
const INSTRUCTIONS: &str = "Attractor runs pipelines written as Graphviz DOT: nodes are prompts, agents, commands and \
    questions to people, edges have conditions. Use `validate` before `run`; follow a run with `status`. What a file \
    of the project runs is approved by the person, and its questions are for them: `answer` shows them one, and takes none from you. `explain` describes a node kind, attribute, context key or lint rule.";

/// One client's view of the server.
#[derive(Clone)]
pub(crate) struct McpServer {
    shared: Shared,
    /// The project whose files may be named, where the client is a program of the person's.
    project: Option<Project>,
}

impl McpServer {
    pub(crate) fn new(shared: Shared, project: Option<Project>) -> Self {
        Self { shared, project }
    }

    /// Serves one client over standard input and output, until it closes them.
    pub(crate) async fn serve_stdio(self) -> Result<(), String> {
        let service = self.serve(rmcp::transport::io::stdio()).await;
        let service = service.map_err(|error| error.to_string())?;
        service.waiting().await.map_err(|error| error.to_string())?;
        Ok(())
    }
}

/// The service for clients over HTTP. Host, origin and token have been checked before it.
pub(crate) fn http_service(
    shared: Shared,
) -> StreamableHttpService<McpServer, LocalSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins();
    StreamableHttpService::new(
        move || Ok(McpServer::new(shared.clone(), None)),
        Arc::default(),
        config,
    )
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        let mut config = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        config.server_info = Implementation::new("attractor", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let by_path = self.project.is_some();
        let tools = TOOLS.iter().map(|tool| {
            let schema = (tool.schema)(by_path);
            Tool::new(tool.name, tool.description, schema)
                .with_annotations(tool.effect.annotations())
        });
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let shared = &self.shared;
        let asked = match request.name.as_ref() {
            "answer" => Some(person::ask(shared, request.clone(), &context).await),
            "run" => {
                let project = self.project.as_ref();
                Some(start::run(shared, project, request.clone(), &context).await)
            }
            _ => None,
        };
        match asked {
            Some(Ok(answer)) => return Ok(answer.into()),
            Some(Err(error)) => return Ok(CallToolResult::structured_error(error.body()).into()),
            None => {}
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let result = match self.call(&request.name, arguments).await {
            Some(Ok(Value::String(text))) => {
                CallToolResult::success(vec![ContentBlock::text(text)])
            }
            Some(Ok(value)) => CallToolResult::structured(value),
            Some(Err(error)) => CallToolResult::structured_error(error.body()),
            None => {
                let message = format!("unknown tool `{}`", request.name);
                return Err(ErrorData::new(ErrorCode::INVALID_PARAMS, message, None));
            }
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let text = resources::read(&request.uri).ok_or_else(|| {
            let message = format!("unknown resource `{}`", request.uri);
            ErrorData::new(ErrorCode::RESOURCE_NOT_FOUND, message, None)
        })?;
        let contents = ResourceContents::text(text, request.uri).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

impl McpServer {
    /// What a tool gives; none for a tool that does not exist.
    async fn call(&self, name: &str, arguments: Value) -> Option<Result<Value, ApiError>> {
        Some(match name {
            "validate" => tools::validate(arguments, self.project.as_ref()).await,
            "status" => tools::status(arguments, &self.shared).await,
            "explain" => tools::explain(arguments),
            _ => return None,
        })
    }
}
