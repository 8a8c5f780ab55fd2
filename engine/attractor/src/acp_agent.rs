//! The backend `acp`: an agent of another program that speaks the Agent Client Protocol, version 1.
//!
//! The agent works with its own tools and login. What it asks permission for is a question of the run, and the files that
//! it reads and writes through this program follow the rules of the configuration. Nodes get it only on request
//! (`backend=acp`).

mod client;
mod outcome;
mod program;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ClientCapabilities, ContentBlock, FileSystemCapabilities, Implementation, InitializeRequest,
    NewSessionRequest, PromptRequest, ReadTextFileRequest, RequestPermissionRequest, SessionId,
    SessionNotification, StopReason, TextContent, WriteTextFileRequest,
};
use agent_client_protocol::{
    Agent, ByteStreams, Client, Error, on_receive_notification, on_receive_request,
};
use attractor_exec::{AgentSandbox, Job, Service, ServicePipes, find_program};
use attractor_run::{
    AgentCapabilities, BackendError, CodergenBackend, CodergenRequest, CodergenResponse, EditScope,
    FailureClass, Progress, ShellScope,
};
use futures::future::BoxFuture;
use tokio_util::compat::{TokioAsyncReadCompatExt, TokioAsyncWriteCompatExt};

use crate::acp_programs::AcpProgram;
use crate::agent_settings::AgentSettings;
use crate::cli_agent::program::input;
use client::NodeClient;

/// The name nodes choose it by.
const NAME: &str = "acp";

/// The time of the handshake and of the start of a session.
const START: Duration = Duration::from_mins(2);

/// Runs agents that speak the Agent Client Protocol.
#[derive(Debug, Clone)]
pub struct AcpBackend(Arc<AgentSettings>);

impl AcpBackend {
    /// A backend over the agents of the configuration and those that are known without it.
    pub fn new(agents: AgentSettings) -> Self {
        Self(Arc::new(agents))
    }
}

impl CodergenBackend for AcpBackend {
    fn name(&self) -> &'static str {
        NAME
    }

    fn is_only_by_name(&self) -> bool {
        true
    }

    fn sandbox(&self) -> Option<AgentSandbox> {
        // Another program calls its tools itself.
        Some(AgentSandbox::NONE)
    }

    fn capabilities(&self, _: &CodergenRequest) -> Option<AgentCapabilities> {
        Some(AgentCapabilities {
            edits: EditScope::Workspace,
            shell: ShellScope::Foreign,
            web: Vec::new(),
        })
    }

    fn unavailable(&self, request: &CodergenRequest) -> Option<String> {
        match program::of(request, &self.0.acp_agents) {
            Err(reason) => Some(reason),
            Ok(agent) => {
                let program = agent.program();
                let exists = program.contains('/') || find_program(program).is_some();
                (!exists).then(|| {
                    format!(
                        "the program `{program}` is not in PATH; install it, or configure [acp.NAME] and set `acp_agent`"
                    )
                })
            }
        }
    }

    fn secrets(&self) -> Vec<String> {
        self.0.secrets().to_vec()
    }

    fn run(
        &self,
        request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        let settings = Arc::clone(&self.0);
        Box::pin(async move {
            let failed = |reason: String| BackendError::new(FailureClass::Configuration, reason);
            let agent = program::of(&request, &settings.acp_agents).map_err(failed)?;
            let client = NodeClient::new(&request, &settings, progress).map_err(failed)?;
            work(agent, request, Arc::new(client)).await
        })
    }
}

/// Starts the agent, gives it the prompt, and waits for the end of its work. Dropping this ends its processes.
async fn work(
    agent: AcpProgram,
    request: CodergenRequest,
    client: Arc<NodeClient>,
) -> Result<CodergenResponse, BackendError> {
    let job = Job {
        argv: agent.command.clone(),
        directory: request.working_dir.clone(),
        environment: agent.environment.clone(),
        run: request.run.clone(),
        step: format!("{}/{}", request.run, request.stage_dir.display()),
        redactor: client.redactor(),
        ..Job::default()
    };
    let (service, pipes) = Service::start(job).map_err(|error| {
        let message = format!("{} cannot be started: {error}", agent.label);
        BackendError::new(FailureClass::Configuration, message)
    })?;
    let ended = converse(&request, pipes, &client).await;
    let result = match ended {
        Ok(reason) => outcome::answer(&agent, &request, client.finish(), reason),
        Err(error) => {
            let wrote = service.last_errors().await;
            Err(Box::new(outcome::failure(&agent, &error, &wrote)))
        }
    };
    service.end().await;
    result.map_err(|error| *error)
}

/// The conversation: handshake, session, prompt.
async fn converse(
    request: &CodergenRequest,
    pipes: ServicePipes,
    client: &Arc<NodeClient>,
) -> Result<StopReason, Error> {
    let [updates, permissions, reads, writes] = std::array::from_fn(|_| Arc::clone(client));
    let folder = &request.working_dir;
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
    let prompt = input(request, false);
    let streams = ByteStreams::new(pipes.stdin.compat_write(), pipes.stdout.compat());
    Client
        .v1()
        .name("attractor")
        .on_receive_notification(
            async move |notification: SessionNotification, _| {
                updates.update(notification.update);
                Ok(())
            },
            on_receive_notification!(),
        )
        .on_receive_request(
            async move |request: RequestPermissionRequest, responder, agent| {
                let client = Arc::clone(&permissions);
                // A person answers: meanwhile other messages arrive.
                agent.spawn(async move { responder.respond(client.permit(request).await) })
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ReadTextFileRequest, responder, agent| {
                let client = Arc::clone(&reads);
                agent
                    .spawn(async move { responder.respond_with_result(client.read(request).await) })
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: WriteTextFileRequest, responder, agent| {
                let client = Arc::clone(&writes);
                agent.spawn(
                    async move { responder.respond_with_result(client.write(request).await) },
                )
            },
            on_receive_request!(),
        )
        .connect_with(streams, async move |agent: ConnectionTo<Agent>| {
            let session = tokio::time::timeout(START, start(&agent, folder)).await;
            let session = session.map_err(|_| {
                let seconds = START.as_secs();
                outcome::problem(format!("it started no session within {seconds} seconds"))
            })??;
            let text = ContentBlock::Text(TextContent::new(prompt));
            let request = PromptRequest::new(session, vec![text]);
            let response = agent.send_request(request).block_task().await?;
            Ok(response.stop_reason)
        })
        .await
}

/// The handshake and a new session.
async fn start(agent: &ConnectionTo<Agent>, folder: PathBuf) -> Result<SessionId, Error> {
    let files = FileSystemCapabilities::new()
        .read_text_file(true)
        .write_text_file(true);
    let info = Implementation::new("attractor", env!("CARGO_PKG_VERSION"));
    let initialize = InitializeRequest::new(ProtocolVersion::V1)
        .client_capabilities(ClientCapabilities::new().fs(files))
        .client_info(info);
    agent.send_request(initialize).block_task().await?;
    let new = NewSessionRequest::new(folder);
    let session = agent.send_request(new).block_task().await?;
    Ok(session.session_id)
}
