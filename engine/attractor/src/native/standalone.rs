//! A session of the agent by itself, without a pipeline.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_agent::mcp::McpServer;
use attractor_agent::{AgentEvents, EditorFiles, Person, Session};
use attractor_exec::Redactor;
use attractor_llm::OnRateLimit;
use attractor_run::{
    Agency, BackendError, CodergenRequest, FailureClass, Progress, make_runs_dir,
    project_root_of_folder,
};

use super::agent::setup::{self, JOURNAL, NodeCall};
use super::{request, shared};
use crate::agent_settings::AgentSettings;
use crate::providers::Providers;

/// How many sessions a message names.
const NAMED: usize = 5;

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
    /// The editor that has files of the folder open: its unsaved texts are read, and changes go through it.
    pub editor: Option<Arc<dyn EditorFiles>>,
}

/// Where the conversation of a session begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StartFrom {
    /// It is empty.
    #[default]
    Nothing,
    /// At the end of this session, which continues.
    Session(String),
    /// At the end of this session, which stays as it is: the conversation is copied.
    ForkOf(String),
}

/// Why a session does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartAgentError {
    /// There is no session to continue.
    #[error("unknown session `{id}`: {}", known_sessions(known, folder))]
    UnknownSession {
        /// As given.
        id: String,
        /// The sessions there are, the latest first.
        known: Vec<String>,
        /// Where they are.
        folder: PathBuf,
    },
    /// It cannot be set up: its model's provider is not configured, or its folder cannot be used.
    #[error("{0}")]
    Setup(Box<BackendError>),
}

impl From<BackendError> for StartAgentError {
    fn from(error: BackendError) -> Self {
        Self::Setup(Box::new(error))
    }
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
    let sessions = sessions_of(folder);
    let id = match &options.from {
        StartFrom::Session(id) => existing(&sessions, id)?,
        StartFrom::ForkOf(_) | StartFrom::Nothing => new_id(),
    };
    let stage_dir = sessions.join(&id);
    let original = match &options.from {
        StartFrom::ForkOf(original) => Some(sessions.join(existing(&sessions, original)?)),
        StartFrom::Session(_) | StartFrom::Nothing => None,
    };
    create(&sessions, &stage_dir).map_err(configuration)?;
    if let Some(original) = original {
        fs::copy(original.join(JOURNAL), stage_dir.join(JOURNAL)).map_err(|error| {
            configuration(format!("cannot write `{}`: {error}", stage_dir.display()))
        })?;
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
    let prepared = setup::prepare(call, &alone, person).await;
    let mut prepared = prepared.map_err(StartAgentError::from)?;
    prepared.setup.request.on_rate_limit = options.on_rate_limit;
    let (session, events) = Session::restore(prepared.setup, prepared.messages);
    Ok(StartedAgent {
        id,
        session,
        events,
        warnings: prepared.warnings,
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

/// Where the sessions of a folder are.
fn sessions_of(folder: &Path) -> PathBuf {
    project_root_of_folder(folder).join(".attractor/sessions")
}

/// The ids of the sessions of a folder, the latest first.
pub fn agent_sessions(folder: &Path) -> Vec<String> {
    ids(&sessions_of(folder))
}

fn ids(sessions: &Path) -> Vec<String> {
    let entries = fs::read_dir(sessions).into_iter().flatten().flatten();
    let with_journal = entries.filter(|entry| entry.path().join(JOURNAL).is_file());
    let mut ids: Vec<String> = with_journal
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    ids.sort_unstable_by(|one, other| other.cmp(one));
    ids
}

fn existing(sessions: &Path, id: &str) -> Result<String, StartAgentError> {
    let known = ids(sessions);
    if known.iter().any(|one| one == id) {
        return Ok(id.to_owned());
    }
    Err(StartAgentError::UnknownSession {
        id: id.to_owned(),
        known,
        folder: sessions.to_owned(),
    })
}

/// The latest sessions, as a message names them.
fn known_sessions(known: &[String], folder: &Path) -> String {
    let folder = folder.display();
    if known.is_empty() {
        return format!("there are no sessions in `{folder}`");
    }
    let latest: Vec<&str> = known.iter().take(NAMED).map(String::as_str).collect();
    let more = match known.len() - latest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("`{folder}` has {}{more}", latest.join(", "))
}

/// The time it begins, and the process: `20261123-101500-1f3a`.
fn new_id() -> String {
    let time = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    format!("{time}-{:04x}", std::process::id())
}

/// Creates the folder of a session; git leaves all of them out.
fn create(sessions: &Path, folder: &Path) -> Result<(), String> {
    make_runs_dir(sessions).map_err(|error| error.to_string())?;
    let made = fs::create_dir_all(folder);
    made.map_err(|error| format!("cannot make `{}`: {error}", folder.display()))
}
