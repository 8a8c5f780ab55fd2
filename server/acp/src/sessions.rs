//! The sessions of a connection, and what a client may do with them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    AgentCapabilities, CancelNotification, ClientCapabilities, CloseSessionRequest,
    CloseSessionResponse, Implementation, InitializeRequest, InitializeResponse,
    ListSessionsRequest, ListSessionsResponse, LoadSessionRequest, LoadSessionResponse,
    McpCapabilities, McpServer, NewSessionRequest, NewSessionResponse, PromptCapabilities,
    PromptRequest, PromptResponse, ResumeSessionRequest, ResumeSessionResponse,
    SessionCapabilities, SessionCloseCapabilities, SessionId, SessionInfo, SessionListCapabilities,
    SessionNotification, SessionResumeCapabilities, SessionUpdate, StopReason,
};
use agent_client_protocol::{Client, Error};
use attractor::{
    AgentOptions, AgentSettings, Configuration, Providers, RecordKey, StartFrom, agent_sessions,
    start_agent,
};
use attractor_agent::{
    AgentEventKind, AgentEvents, Completion, EditorFiles, Ending, FileChange, Session,
};
use attractor_config::user_file;
use futures::future::{join, join_all};

use crate::error::{failed, invalid};
use crate::files::ClientFiles;
use crate::options::AcpOptions;
use crate::person::ClientPerson;
use crate::{commands, content, history, mcp, updates};

/// The name of this program in the protocol.
const NAME: &str = "attractor";

/// The sessions of a connection.
pub(crate) struct Sessions {
    options: AcpOptions,
    client: Mutex<ClientFeatures>,
    open: Mutex<HashMap<SessionId, Arc<Open>>>,
}

/// What the client can do.
#[derive(Default)]
struct ClientFeatures {
    capabilities: ClientCapabilities,
    /// Whether it is this program: then it has no texts that are not saved, and asks about each file once more.
    is_attractor: bool,
}

/// An open session.
struct Open {
    session: Session,
    /// Locked while a prompt is worked on.
    events: tokio::sync::Mutex<AgentEvents>,
    /// What the client gets with the first prompt, besides the commands: before its session has an id, it drops updates.
    warnings: Mutex<Option<Vec<String>>>,
    folder: PathBuf,
    /// The session is this process's own as long as it is open.
    _lock: std::fs::File,
}

impl Sessions {
    pub(crate) fn new(options: AcpOptions) -> Self {
        Self {
            options,
            client: Mutex::default(),
            open: Mutex::default(),
        }
    }

    /// What the client can do is remembered, what the agent can do is the answer.
    pub(crate) fn initialize(&self, request: &InitializeRequest) -> InitializeResponse {
        let client = request.client_info.as_ref();
        *lock(&self.client) = ClientFeatures {
            capabilities: request.client_capabilities.clone(),
            is_attractor: client.is_some_and(|client| client.name == NAME),
        };
        let sessions = SessionCapabilities::new()
            .list(SessionListCapabilities::new())
            .resume(SessionResumeCapabilities::new())
            .close(SessionCloseCapabilities::new());
        let capabilities = AgentCapabilities::new()
            .load_session(true)
            .prompt_capabilities(PromptCapabilities::new().embedded_context(true).image(true))
            .mcp_capabilities(McpCapabilities::new().http(true))
            .session_capabilities(sessions);
        let info =
            Implementation::new(NAME, env!("CARGO_PKG_VERSION")).title("Attractor".to_owned());
        InitializeResponse::new(ProtocolVersion::V1)
            .agent_capabilities(capabilities)
            .agent_info(info)
    }

    /// Starts a session.
    pub(crate) async fn create(
        &self,
        request: NewSessionRequest,
        client: ConnectionTo<Client>,
    ) -> Result<NewSessionResponse, Error> {
        let from = StartFrom::Nothing;
        let (id, _) = self
            .start(request.cwd, request.mcp_servers, from, client)
            .await?;
        Ok(NewSessionResponse::new(id))
    }

    /// Opens an earlier session, and sends its conversation.
    pub(crate) async fn load(
        &self,
        request: LoadSessionRequest,
        client: ConnectionTo<Client>,
    ) -> Result<LoadSessionResponse, Error> {
        let from = StartFrom::Session(request.session_id.to_string());
        let (id, open) = self
            .start(request.cwd, request.mcp_servers, from, client.clone())
            .await?;
        for update in history::updates(&open.session.conversation_history(), &open.folder) {
            client.send_notification(SessionNotification::new(id.clone(), update))?;
        }
        Ok(LoadSessionResponse::new())
    }

    /// Opens an earlier session.
    pub(crate) async fn resume(
        &self,
        request: ResumeSessionRequest,
        client: ConnectionTo<Client>,
    ) -> Result<ResumeSessionResponse, Error> {
        let from = StartFrom::Session(request.session_id.to_string());
        self.start(request.cwd, request.mcp_servers, from, client)
            .await?;
        Ok(ResumeSessionResponse::new())
    }

    /// Ends a session; its conversation is kept.
    pub(crate) async fn close(
        &self,
        request: &CloseSessionRequest,
    ) -> Result<CloseSessionResponse, Error> {
        let open = lock(&self.open).remove(&request.session_id);
        let open = open.ok_or_else(|| unknown(&request.session_id))?;
        open.session.shutdown().await;
        Ok(CloseSessionResponse::new())
    }

    /// Works on a prompt to its end, and sends what happens meanwhile.
    pub(crate) async fn prompt(
        &self,
        request: PromptRequest,
        client: &ConnectionTo<Client>,
    ) -> Result<PromptResponse, Error> {
        let id = request.session_id;
        let open = self.find(&id)?;
        let input = content::input(&request.prompt)?;
        if let Some(warnings) = lock(&open.warnings).take() {
            send(client, &id, commands::available());
            for warning in warnings {
                send(client, &id, updates::warning(warning));
            }
        }
        if let Some(output) = commands::run(&open.session, &input.text) {
            send(client, &id, updates::message(output));
            return Ok(PromptResponse::new(StopReason::EndTurn));
        }
        let Ok(mut events) = open.events.try_lock() else {
            return Err(invalid(format!(
                "the session `{id}` works on another prompt; cancel it first"
            )));
        };
        let forwarding = async {
            while let Some(event) = events.recv().await {
                let is_end = matches!(event.kind, AgentEventKind::SessionEnd { .. });
                let changes = changes(&open.session, &event.kind);
                if let Some(update) = updates::update(event.kind, &open.folder, &changes) {
                    send(client, &id, update);
                }
                if is_end {
                    break;
                }
            }
        };
        let (completion, ()) = join(open.session.submit(input), forwarding).await;
        let completion = completion.map_err(|error| failed(error.to_string()))?;
        stop_reason(completion).map(PromptResponse::new)
    }

    /// Ends the work on a prompt. Its request is then answered.
    pub(crate) fn cancel(&self, notification: &CancelNotification) {
        if let Ok(open) = self.find(&notification.session_id) {
            // A session that is closed works on nothing.
            let _ = open.session.cancel();
        }
    }

    /// Ends all sessions.
    pub(crate) async fn shutdown(&self) {
        let open: Vec<Arc<Open>> = lock(&self.open).drain().map(|(_, open)| open).collect();
        join_all(open.iter().map(|open| open.session.shutdown())).await;
    }

    fn find(&self, id: &SessionId) -> Result<Arc<Open>, Error> {
        let open = lock(&self.open);
        open.get(id).cloned().ok_or_else(|| unknown(id))
    }

    async fn start(
        &self,
        folder: PathBuf,
        servers: Vec<McpServer>,
        from: StartFrom,
        client: ConnectionTo<Client>,
    ) -> Result<(SessionId, Arc<Open>), Error> {
        if !folder.is_absolute() || !folder.is_dir() {
            return Err(invalid(format!(
                "`cwd` is `{}`; expected the absolute path of a folder",
                folder.display()
            )));
        }
        let session = Arc::new(OnceLock::new());
        let (has_forms, files) = {
            let features = lock(&self.client);
            let elicitation = features.capabilities.elicitation.as_ref();
            let has_forms = elicitation.is_some_and(|elicitation| elicitation.form.is_some());
            let files = features.capabilities.fs.clone();
            (has_forms, (!features.is_attractor).then_some(files))
        };
        let editor = files.and_then(|files| {
            let editor = ClientFiles::new(&files, client.clone(), Arc::clone(&session))?;
            Some(Arc::new(editor) as Arc<dyn EditorFiles>)
        });
        let person = ClientPerson {
            client,
            has_forms,
            session: Arc::clone(&session),
        };
        let options = AgentOptions {
            model: self.options.model.clone(),
            provider: self.options.provider.clone(),
            from,
            record_key: Some(RecordKey::of_user(
                attractor_config::state_folder().as_deref(),
            )),
            mcp_servers: mcp::servers(servers)?,
            editor,
            ..AgentOptions::default()
        };
        let (providers, settings) = configured(&folder)?;
        let started = start_agent(&providers, &settings, &folder, options, Arc::new(person));
        let started = started.await.map_err(|error| invalid(error.to_string()))?;
        let id = SessionId::new(started.id);
        // Set once: the session is new here.
        let _ = session.set(id.clone());
        let open = Arc::new(Open {
            session: started.session,
            events: tokio::sync::Mutex::new(started.events),
            warnings: Mutex::new(Some(started.warnings)),
            folder,
            _lock: started.lock,
        });
        lock(&self.open).insert(id.clone(), Arc::clone(&open));
        Ok((id, open))
    }
}

/// The sessions of a folder, the latest first.
pub(crate) fn list(request: &ListSessionsRequest) -> ListSessionsResponse {
    let here = || std::env::current_dir().unwrap_or_default();
    let folder = request.cwd.clone().unwrap_or_else(here);
    let ids = agent_sessions(&folder).into_iter();
    ListSessionsResponse::new(ids.map(|id| SessionInfo::new(id, &folder)).collect())
}

/// What the configuration of a folder gives access to.
fn configured(folder: &Path) -> Result<(Providers, AgentSettings), Error> {
    let configuration = Configuration::read(folder, user_file().as_deref());
    if let Some((path, problem)) = configuration.fatal_problem() {
        return Err(invalid(format!("{}:{problem}", path.display())));
    }
    Ok((
        Providers::from_environment(&configuration),
        AgentSettings::from_environment(&configuration),
    ))
}

/// The changes of files that an event is about.
fn changes(session: &Session, event: &AgentEventKind) -> Vec<FileChange> {
    let AgentEventKind::FilesChanged { paths, .. } = event else {
        return Vec::new();
    };
    let tracked = session.changes().changes();
    let latest = |path: &String| {
        let mut newest = tracked.iter().rev();
        newest.find(|one| one.change.path == Path::new(path))
    };
    let changes = paths.iter().filter_map(latest);
    changes.map(|tracked| tracked.change.clone()).collect()
}

/// Sends an update. When the client has gone, the connection ends and with it the session.
fn send(client: &ConnectionTo<Client>, id: &SessionId, update: SessionUpdate) {
    let _ = client.send_notification(SessionNotification::new(id.clone(), update));
}

fn stop_reason(completion: Completion) -> Result<StopReason, Error> {
    match completion.ending {
        Ending::Done => Ok(StopReason::EndTurn),
        Ending::Cancelled => Ok(StopReason::Cancelled),
        Ending::Limit(limit) if limit.limit == "max_turns" => Ok(StopReason::MaxTurnRequests),
        Ending::Limit(limit) if limit.limit == "max_tokens_total" => Ok(StopReason::MaxTokens),
        Ending::Failed(error) if error.detail("kind") == Some("content_filter") => {
            Ok(StopReason::Refusal)
        }
        ending => Err(failed(ending.reason().unwrap_or("the agent failed"))),
    }
}

fn unknown(id: &SessionId) -> Error {
    invalid(format!(
        "unknown session `{id}`; open it with `session/new` or `session/load`"
    ))
}

/// A panic elsewhere leaves a map that is still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
