//! A session of the agent by itself, without a pipeline.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use attractor_agent::{AgentEvents, Person, Session};
use attractor_exec::Redactor;
use attractor_run::{
    Agency, BackendError, CodergenRequest, FailureClass, Progress, project_root_of_folder,
};

use super::agent::setup::{self, NodeCall};
use super::request;
use crate::providers::Providers;

/// What a session by itself is started with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentOptions {
    /// The model, by id or alias; the newest one of the provider without it.
    pub model: Option<String>,
    /// The provider of the model.
    pub provider: Option<String>,
    /// The most calls of the model for one input.
    pub max_turns: Option<u64>,
    /// The session to continue.
    pub session: Option<String>,
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
}

/// Starts a session of the coding agent in a folder.
///
/// # Errors
/// The model's provider is not configured, or there is no session to continue.
pub async fn start_agent(
    providers: &Providers,
    folder: &Path,
    options: AgentOptions,
    person: Arc<dyn Person>,
) -> Result<StartedAgent, BackendError> {
    let configuration = |message: String| BackendError::new(FailureClass::Configuration, message);
    let sessions = project_root_of_folder(folder).join(".attractor/sessions");
    let id = match &options.session {
        Some(id) => existing(&sessions, id).map_err(configuration)?,
        None => new_id(),
    };
    let stage_dir = sessions.join(&id);
    let unwritable =
        |error| configuration(format!("cannot write `{}`: {error}", stage_dir.display()));
    create(&sessions, &stage_dir).map_err(unwritable)?;
    let turns = options.max_turns.map(|turns| turns.to_string());
    let input = CodergenRequest {
        run: format!("session-{id}"),
        node: "agent".to_owned(),
        model: options.model,
        provider: options.provider,
        agency: Agency::Agent,
        working_dir: folder.to_owned(),
        stage_dir,
        options: turns
            .map(|turns| ("max_turns".to_owned(), turns))
            .into_iter()
            .collect(),
        ..CodergenRequest::default()
    };
    let client = providers
        .client()
        .map_err(|reason| configuration(reason.to_owned()))?;
    let model = request::model(client, &input).map_err(configuration)?;
    let settings = providers.agents();
    let call = NodeCall {
        client,
        input: &input,
        model: &model,
        fallback: providers.fallback_models().to_vec(),
        settings: &settings,
    };
    let secrets = providers.secrets();
    let alone = Alone(Arc::new(Redactor::with(secrets.iter().map(String::as_str))));
    let prepared = setup::prepare(call, &alone, person).await?;
    let (session, events) = Session::restore(prepared.setup, prepared.messages);
    Ok(StartedAgent {
        id,
        session,
        events,
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

fn existing(sessions: &Path, id: &str) -> Result<String, String> {
    let is_id = !id.is_empty()
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_id && sessions.join(id).is_dir() {
        return Ok(id.to_owned());
    }
    Err(format!(
        "unknown session `{id}`; sessions are in `{}`",
        sessions.display()
    ))
}

/// The time it begins, and the process: `20261123-101500-1f3a`.
fn new_id() -> String {
    let time = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    format!("{time}-{:04x}", std::process::id())
}

/// Creates the folder of a session; git leaves all of them out.
fn create(sessions: &Path, folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let ignored = sessions.join(".gitignore");
    if ignored.exists() {
        return Ok(());
    }
    fs::write(ignored, "*\n")
}
