//! A session of the agent by itself, without a pipeline.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use attractor_agent::mcp::McpServer;
use attractor_agent::{AgentEvents, EditorFiles, Person, Session};
use attractor_exec::Redactor;
use attractor_llm::OnRateLimit;
use attractor_run::{
    Agency, BackendError, CodergenRequest, FailureClass, ForeignRuns, Progress, RecordKey,
};

use super::agent::setup::{self, NodeCall};
use super::session_folders::{SessionFolders, new_id};
use super::start_agent_error::StartAgentError;
use super::{request, shared};
use crate::agent_settings::AgentSettings;
use crate::providers::Providers;

/// What a session by itself is started with.
#[derive(Debug, Clone, Default)]
pub struct AgentOptions {
    /// The model, by id or alias; by default the provider's newest.
    pub model: Option<String>,
    /// The provider of the model.
    pub provider: Option<String>,
    /// Maximum number of model calls for one input.
    pub max_turns: Option<u64>,
    /// What to do when the provider limits the rate of requests; what the configuration says without it.
    pub on_rate_limit: Option<OnRateLimit>,
    /// Where its conversation begins.
    pub from: StartFrom,
    /// Values of attributes that a node with an agent can have, such as `reasoning_effort`, `max_cost` and `permissions`.
    pub attributes: Vec<(String, String)>,
    /// MCP servers whose tools it gets.
    pub mcp_servers: Vec<McpServer>,
    /// What sessions are signed with. Without it they are not, and every session is continued.
    pub record_key: Option<RecordKey>,
    /// Whether a session that is not signed with it is continued: it can come with a project, from somebody else, with
    /// instructions and a model of theirs.
    pub foreign: ForeignRuns,
    /// The editor that has files of the folder open: its unsaved texts are read, and changes go through it.
    pub editor: Option<Arc<dyn EditorFiles>>,
}

/// Where the conversation of a session begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartFrom {
    /// It is empty.
    #[default]
    Nothing,
    /// At the end of this session, which continues.
    Session(String),
    /// At the end of this session, which stays as it is: the conversation is copied.
    ForkOf(String),
}

/// A session that takes inputs.
#[derive(Debug)]
pub struct StartedAgent {
    /// Its id: it names the session's folder in `.attractor/sessions` of the project.
    pub id: String,
    /// The session.
    pub session: Session,
    /// What it reports.
    pub events: AgentEvents,
    /// What a user should know before it works, such as that it continues with another model.
    pub warnings: Vec<String>,
    /// What a person is shown has to go through it: it knows the keys of providers and servers.
    pub redactor: Arc<Redactor>,
    /// The session is this process's own as long as it is open.
    pub lock: File,
}

/// Starts a session of the coding agent in a folder.
///
/// # Errors
/// The model's provider is not configured, or there is no session to continue.
pub async fn start_agent(
    providers: &Providers,
    settings: &AgentSettings,
    folder: &Path,
    options: AgentOptions,
    person: Arc<dyn Person>,
) -> Result<StartedAgent, StartAgentError> {
    let configuration = |message: String| {
        StartAgentError::from(BackendError::new(FailureClass::Configuration, message))
    };
    let sessions = SessionFolders::of(folder, options.record_key.clone());
    let id = match &options.from {
        StartFrom::Session(id) => {
            sessions.check(id, options.foreign)?;
            id.clone()
        }
        StartFrom::ForkOf(original) => {
            sessions.check(original, options.foreign)?;
            new_id()
        }
        StartFrom::Nothing => new_id(),
    };
    let stage_dir = sessions.create(&id).map_err(configuration)?;
    let lock = sessions.lock(&id).map_err(configuration)?;
    if let StartFrom::ForkOf(original) = &options.from {
        sessions.copy(original, &id).map_err(configuration)?;
    }
    let turns = options.max_turns.map(|turns| turns.to_string());
    let input = CodergenRequest {
        run: format!("session-{id}"),
        node: "agent".to_owned(),
        model: options.model,
        provider: options.provider,
        agency: Agency::Agent,
        working_dir: folder.to_owned(),
        run_dir: Some(stage_dir.clone()),
        hooks: settings.hooks.clone(),
        stage_dir,
        options: turns
            .map(|turns| ("max_turns".to_owned(), turns))
            .into_iter()
            .chain(options.attributes)
            .collect(),
        ..CodergenRequest::default()
    };
    let client = providers
        .client()
        .map_err(|reason| configuration(reason.to_owned()))?;
    let model = request::model(client, &input).map_err(configuration)?;
    let call = NodeCall {
        client,
        input: &input,
        model: &model,
        fallback: providers.fallback_models().to_vec(),
        settings,
        mcp_servers: &options.mcp_servers,
        editor: options.editor,
        shared: shared::open(&input, settings.shared_state),
    };
    let secrets = providers.secrets();
    let secrets = secrets.iter().chain(settings.secrets());
    let alone = Alone(Arc::new(attractor_exec::redactor(
        secrets.map(String::as_str),
    )));
    let redactor = Arc::clone(&alone.0);
    let prepared = setup::prepare(call, &alone, person).await;
    let mut prepared = prepared.map_err(StartAgentError::from)?;
    prepared.setup.request.on_rate_limit = options.on_rate_limit;
    let (session, events) = Session::restore(prepared.setup, prepared.messages);
    Ok(StartedAgent {
        id,
        session,
        events,
        warnings: prepared.warnings,
        redactor,
        lock,
    })
}

/// A session that is not part of a run.
struct Alone(Arc<Redactor>);

impl Progress for Alone {
    fn text(&self, _: &str) {}

    fn redactor(&self) -> Arc<Redactor> {
        Arc::clone(&self.0)
    }
}
