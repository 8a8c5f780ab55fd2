//! What a tool is, and what it is given.

mod arguments;
mod registry;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use attractor_agent_events::AgentPlan;
use attractor_exec::{ExecutionEnvironment, GitPermission, Redactor};
use attractor_llm::{MediaContent, ToolDefinition};
use attractor_permissions::Word;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use arguments::rename_aliases;
pub(crate) use arguments::{Parameters, parse, path_argument};
pub use registry::ToolRegistry;

use crate::background::BackgroundCommands;
use crate::person::Person;
use crate::skills::Skill;
use crate::workspace::{FileChange, FileError, Workspace};

/// A tool the model may call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Its name, description and parameters. The same for the whole session: it is part of the cached prefix.
    fn definition(&self) -> ToolDefinition;

    /// Other names of arguments that models use, each with the name in the schema: `("file_path", "path")`.
    fn aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What a call with these arguments touches. Decides which calls run together and what the policy checks. The
    /// arguments fit the schema of the definition.
    fn access(&self, arguments: &Value) -> Access;

    /// Whether a call that was interrupted can be run again, since it has no effect but its result.
    fn can_run_again(&self) -> bool {
        false
    }

    /// Whether the same call may be made again and again, since it waits for something. Otherwise it would be a loop.
    fn is_poll(&self) -> bool {
        false
    }

    /// Runs a call. A failure is a result with `is_error`, worded so that the model can correct itself.
    async fn call(&self, call: ToolCall, context: &ToolContext) -> ToolResult;
}

/// A call of the model. Its arguments fit the schema; the input of a freeform tool is `{"input": TEXT}`.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The provider's id of the call.
    pub id: String,
    /// The arguments.
    pub arguments: Value,
}

/// What a call touches.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// It reads these files or folders, as written. Reads run together.
    Read(Vec<PathBuf>),
    /// It changes these files, as written. Calls on different files run together.
    Write(Vec<PathBuf>),
    /// It runs a command, which may touch anything: it runs alone.
    Execute(String),
    /// It fetches this address of the web.
    Fetch(String),
    /// It touches no file: a question, a subagent. The text is what the policy matches.
    Other(String),
    /// It reads or ends a command that this session has started: that was permitted then. The text is its id.
    Started(String),
}

impl Access {
    /// The same as seen from the root of the workspace, for one who works in the folder `base` of it.
    #[must_use]
    pub(crate) fn seen_from_root(self, base: &Path) -> Self {
        let joined = |paths: Vec<PathBuf>| paths.iter().map(|path| base.join(path)).collect();
        match self {
            same if base.as_os_str().is_empty() => same,
            Self::Read(paths) => Self::Read(joined(paths)),
            Self::Write(paths) => Self::Write(joined(paths)),
            Self::Execute(command) => {
                let folder = Word::known(&base.to_string_lossy()).quoted();
                Self::Execute(format!("cd {folder} && {command}"))
            }
            other @ (Self::Fetch(_) | Self::Other(_) | Self::Started(_)) => other,
        }
    }
}

/// What a call returns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolResult {
    /// For the model; the session truncates it, and keeps the whole for the event.
    pub output: String,
    /// Whether it failed.
    pub is_error: bool,
    /// Images that belong to the output.
    pub media: Vec<MediaContent>,
    /// The files it changed, in order.
    pub changes: Vec<FileChange>,
    /// Whether it is about a command in the background, whose success is not known yet.
    pub is_open: bool,
    /// The skill that is followed, until the work on the input has ended.
    pub skill: Option<Box<Skill>>,
    /// The plan that takes the place of the one before.
    pub plan: Option<AgentPlan>,
}

impl ToolResult {
    /// A success.
    pub fn ok(output: impl Into<String>) -> Self {
        Self {
            output: output.into(),
            ..Self::default()
        }
    }

    /// A failure.
    pub fn error(output: impl Into<String>) -> Self {
        Self {
            output: output.into(),
            is_error: true,
            ..Self::default()
        }
    }
}

impl From<FileError> for ToolResult {
    fn from(error: FileError) -> Self {
        Self::error(error.to_string())
    }
}

/// Receives output while a tool runs.
pub trait ToolOutput: Send + Sync {
    /// A piece, in order, without secrets.
    fn piece(&self, text: &str);
}

/// Limits on commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandLimits {
    /// The time of a command that names none.
    pub default_timeout: Duration,
    /// The most a command may ask for.
    pub max_timeout: Duration,
}

impl Default for CommandLimits {
    fn default() -> Self {
        Self {
            default_timeout: Duration::from_secs(10),
            max_timeout: Duration::from_mins(10),
        }
    }
}

/// What a call works with.
#[derive(Clone)]
pub struct ToolContext {
    /// The files.
    pub workspace: Arc<Workspace>,
    /// Runs commands.
    pub environment: Arc<dyn ExecutionEnvironment>,
    /// Limits on commands.
    pub commands: CommandLimits,
    /// The commands of the session that run in the background.
    pub background: Arc<BackgroundCommands>,
    /// Marks the processes of the session: the run, and the attempt within it.
    pub run: String,
    /// See `run`.
    pub step: String,
    /// Masks secrets in output.
    pub redactor: Arc<Redactor>,
    /// Whom to ask.
    pub person: Arc<dyn Person>,
    /// Decides about what commands write by Git.
    pub git: Option<Arc<dyn GitPermission>>,
    /// Takes output while the call runs.
    pub output: Arc<dyn ToolOutput>,
    /// Ends the call.
    pub cancel: CancellationToken,
}
