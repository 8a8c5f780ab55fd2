//! What the agent gets from this program while it works: answers to its requests for permission, and files.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::{
    ContentBlock, PermissionOption, PermissionOptionKind, ReadTextFileRequest,
    ReadTextFileResponse, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, SelectedPermissionOutcome, SessionUpdate, ToolCall, ToolCallContent,
    ToolCallStatus, ToolCallUpdate, ToolKind, WriteTextFileRequest, WriteTextFileResponse,
};
use agent_client_protocol::{Error, ErrorCode};
use attractor_agent::{Access, PermissionGate, Workspace};
use attractor_exec::Redactor;
use attractor_run::{
    AgentActivity, CodergenRequest, Progress, Question, ToolCallEnd, ToolCallStart, Usage,
};
use serde_json::{Value, json};

use crate::agent_settings::AgentSettings;
use crate::native::agent::{RunPerson, safety};

/// What an agent has done so far.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// What it wrote before its last tool call.
    earlier: String,
    /// What it wrote since.
    latest: String,
    /// What it cost.
    pub(super) usage: Usage,
    /// What a user should know.
    pub(super) warnings: Vec<String>,
}

impl Transcript {
    /// The answer: what it wrote last, if that is anything.
    pub(super) fn answer(&self) -> String {
        match self.latest.trim() {
            "" => self.earlier.trim().to_owned(),
            latest => latest.to_owned(),
        }
    }
}

/// The client of one node.
pub(super) struct NodeClient {
    progress: Arc<dyn Progress>,
    workspace: Workspace,
    gate: PermissionGate,
    /// Requests for files so far.
    files: AtomicU64,
    transcript: Mutex<Transcript>,
}

impl NodeClient {
    /// A client for a node.
    pub(super) fn new(
        request: &CodergenRequest,
        settings: &AgentSettings,
        progress: Arc<dyn Progress>,
    ) -> Result<Self, String> {
        let folder = request.working_dir.display();
        let workspace = Workspace::open(&request.working_dir)
            .map_err(|error| format!("the agent cannot work in `{folder}`: {error}"))?;
        let narrowing = safety::narrowing(request)?;
        let permissions = safety::permissions(&settings.policy, narrowing, workspace.root(), false);
        let person = Arc::new(RunPerson(Arc::clone(&progress)));
        Ok(Self {
            gate: PermissionGate::new(Arc::new(permissions), person),
            workspace,
            files: AtomicU64::new(1),
            transcript: Mutex::default(),
            progress,
        })
    }

    pub(super) fn redactor(&self) -> Arc<Redactor> {
        self.progress.redactor()
    }

    /// All that the agent has done.
    pub(super) fn finish(&self) -> Transcript {
        std::mem::take(&mut *self.transcript())
    }

    /// Takes what the agent reports.
    pub(super) fn update(&self, update: SessionUpdate) {
        match update {
            SessionUpdate::AgentMessageChunk(chunk) => {
                if let ContentBlock::Text(text) = chunk.content {
                    self.transcript().latest.push_str(&text.text);
                    self.progress.text(&text.text);
                }
            }
            SessionUpdate::ToolCall(call) => self.started(call),
            SessionUpdate::ToolCallUpdate(update) => self.updated(update),
            SessionUpdate::UsageUpdate(usage) => {
                if let Some(cost) = usage.cost.filter(|cost| cost.currency == "USD") {
                    self.transcript().usage.cost = cost.amount;
                }
            }
            SessionUpdate::Notice(notice) => self.transcript().warnings.push(notice.title),
            _ => {}
        }
    }

    fn started(&self, call: ToolCall) {
        {
            let mut transcript = self.transcript();
            let text = std::mem::take(&mut transcript.latest);
            transcript.earlier.push_str(&text);
        }
        let mut arguments = call.raw_input.unwrap_or_else(|| json!({}));
        if let Value::Object(fields) = &mut arguments {
            fields.insert("title".to_owned(), call.title.into());
        }
        self.progress
            .activity(AgentActivity::ToolCallStart(ToolCallStart {
                tool_name: call.name.unwrap_or_else(|| kind(call.kind).to_owned()),
                tool_call_id: call.tool_call_id.to_string(),
                arguments,
            }));
    }

    fn updated(&self, update: ToolCallUpdate) {
        let fields = update.fields;
        let is_error = match fields.status {
            Some(ToolCallStatus::Completed) => false,
            Some(ToolCallStatus::Failed) => true,
            _ => return,
        };
        let content = fields.content.unwrap_or_default();
        let texts: Vec<String> = content.into_iter().filter_map(text).collect();
        self.progress
            .activity(AgentActivity::ToolCallEnd(ToolCallEnd {
                tool_name: fields.name.unwrap_or_else(|| "tool".to_owned()),
                tool_call_id: update.tool_call_id.to_string(),
                output: texts.join("\n"),
                is_error,
            }));
    }

    /// Makes a request for permission a question of the run. With nobody to ask it is refused.
    pub(super) async fn permit(
        &self,
        request: RequestPermissionRequest,
    ) -> RequestPermissionResponse {
        let title = request.tool_call.fields.title.unwrap_or_default();
        let labels = request.options.iter().map(|option| option.name.clone());
        let labels: Vec<String> = labels.collect();
        let mut question = Question::choice(format!("Allow this? {title}"), labels);
        question.id = format!("permission-{}", request.tool_call.tool_call_id);
        let chosen = match self.progress.ask(question.clone()).await {
            Ok(reply) => {
                let key = reply.keys.first();
                let mut options = question.options.iter();
                let at = options.position(|option| Some(&option.key) == key);
                at.and_then(|at| request.options.get(at))
            }
            Err(_) => refusal(&request.options),
        };
        let outcome = chosen.map_or(RequestPermissionOutcome::Cancelled, |option| {
            let id = option.option_id.clone();
            RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id))
        });
        RequestPermissionResponse::new(outcome)
    }

    /// Reads a file of the folder, or some lines of it.
    pub(super) async fn read(
        &self,
        request: ReadTextFileRequest,
    ) -> Result<ReadTextFileResponse, Error> {
        let access = Access::Read(vec![request.path.clone()]);
        self.allowed("read_file", access, &request.path).await?;
        let below = self.workspace.resolve(&request.path);
        let read = below.and_then(|below| self.workspace.read(&below));
        let content = read.map_err(refused)?.content.unwrap_or_default();
        let text = String::from_utf8(content).map_err(|_| refused("the file is not UTF-8 text"))?;
        let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let first = number(request.line.unwrap_or(1)).saturating_sub(1);
        let limit = request.limit.map_or(usize::MAX, number);
        let lines = text.split_inclusive('\n').skip(first).take(limit);
        Ok(ReadTextFileResponse::new(lines.collect::<String>()))
    }

    /// Writes a file of the folder.
    pub(super) async fn write(
        &self,
        request: WriteTextFileRequest,
    ) -> Result<WriteTextFileResponse, Error> {
        let access = Access::Write(vec![request.path.clone()]);
        self.allowed("write_file", access, &request.path).await?;
        let below = self.workspace.resolve_for_change(&request.path);
        let below = below.map_err(refused)?;
        let before = self.workspace.read_if_exists(&below).map_err(refused)?;
        let content = Some(request.content.into_bytes());
        let changed = self.workspace.change(&below, before, content);
        changed.map_err(refused)?;
        Ok(WriteTextFileResponse::new())
    }

    async fn allowed(&self, tool: &str, access: Access, path: &Path) -> Result<(), Error> {
        let arguments = json!({"path": path});
        // Each is a question of its own.
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        let call = format!("{tool}-{number}");
        let permitted = self.gate.permit(&call, tool, &access, &arguments).await;
        permitted.map_err(refused)
    }

    /// A panic elsewhere leaves a transcript that is still true.
    fn transcript(&self) -> MutexGuard<'_, Transcript> {
        self.transcript
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(reason: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::INVALID_PARAMS, reason.to_string())
}

/// The option that refuses.
fn refusal(options: &[PermissionOption]) -> Option<&PermissionOption> {
    [
        PermissionOptionKind::RejectOnce,
        PermissionOptionKind::RejectAlways,
    ]
    .iter()
    .find_map(|kind| options.iter().find(|option| option.kind == *kind))
}

/// A tool without a name, by what it does.
fn kind(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::Read => "read",
        ToolKind::Edit => "edit",
        ToolKind::Delete => "delete",
        ToolKind::Move => "move",
        ToolKind::Search => "search",
        ToolKind::Execute => "execute",
        ToolKind::Fetch => "fetch",
        _ => "tool",
    }
}

fn text(content: ToolCallContent) -> Option<String> {
    match content {
        ToolCallContent::Content(content) => match content.content {
            ContentBlock::Text(text) => Some(text.text),
            _ => None,
        },
        ToolCallContent::Diff(diff) => Some(format!("changed {}", diff.path.display())),
        _ => None,
    }
}
