//! What a session is started with.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use attractor_exec::{ExecutionEnvironment, Redactor};
use attractor_llm::{Client, ReasoningEffort, Request};

use crate::budget::Budget;
use crate::clock::Clock;
use crate::hooks::ToolHooks;
use crate::person::Person;
use crate::policy::ToolPolicy;
use crate::session_journal::SessionJournal;
use crate::shared::SharedWorker;
use crate::tool::{CommandLimits, ToolRegistry};
use crate::truncation::TruncationConfig;
use crate::workspace::Workspace;

/// How a session works. The defaults are those of the documents.
#[derive(Debug, Clone)]
pub struct SessionConfig {
    /// Most calls of the model for one input, subagents included; 0 for no limit.
    pub max_turns: u64,
    /// Most answers whose tool calls are run for one input, subagents included; 0 for no limit.
    pub max_tool_rounds_per_input: u64,
    /// The time of a command that names none, in milliseconds.
    pub default_command_timeout_ms: u64,
    /// The most a command may ask for, in milliseconds.
    pub max_command_timeout_ms: u64,
    /// How much the model reasons; absent for its default.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// Whether repeated tool calls are detected.
    pub enable_loop_detection: bool,
    /// How deep subagents may start subagents: 0 for none at all.
    pub max_subagent_depth: u32,
    /// The model, by id or alias.
    pub model_id: String,
    /// Whether the conversation is made shorter before a request that would not fit.
    pub compaction: bool,
    /// The size of the context window, in tokens; that of the catalogue, where it lists the model.
    pub context_window: u64,
    /// How much of a tool's output the model receives.
    pub truncation_config: TruncationConfig,
    /// How often progress is reported while the session works.
    pub progress_every: Duration,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            max_turns: 0,
            max_tool_rounds_per_input: 0,
            default_command_timeout_ms: 10_000,
            max_command_timeout_ms: 600_000,
            reasoning_effort: None,
            enable_loop_detection: true,
            max_subagent_depth: 1,
            model_id: String::new(),
            compaction: true,
            context_window: 128_000,
            truncation_config: TruncationConfig::default(),
            progress_every: Duration::from_secs(5),
        }
    }
}

impl SessionConfig {
    /// The limits on commands.
    pub(super) fn commands(&self) -> CommandLimits {
        CommandLimits {
            default_timeout: Duration::from_millis(self.default_command_timeout_ms),
            max_timeout: Duration::from_millis(self.max_command_timeout_ms),
        }
    }
}

/// What a session works with.
#[derive(Clone)]
pub struct SessionSetup {
    /// How it works.
    pub config: SessionConfig,
    /// Calls models.
    pub client: Client,
    /// What all requests have in common, such as the provider, sampling and fallback models. Model, effort, messages,
    /// system prompt and tools are the session's.
    pub request: Request,
    /// The instructions; the same for the whole session.
    pub system_prompt: String,
    /// A message before the first input: what has changed since an earlier process began the session.
    pub update: Option<String>,
    /// The tools; the same for the whole session.
    pub tools: ToolRegistry,
    /// What they may do.
    pub policy: Arc<dyn ToolPolicy>,
    /// Commands before and after the calls of tools.
    pub hooks: Arc<ToolHooks>,
    /// Whom to ask.
    pub person: Arc<dyn Person>,
    /// The files.
    pub workspace: Arc<Workspace>,
    /// Runs commands.
    pub environment: Arc<dyn ExecutionEnvironment>,
    /// Masks secrets in the output of tools.
    pub redactor: Arc<Redactor>,
    /// What it may use.
    pub budget: Budget,
    /// What it shares with the other sessions of its run.
    pub shared: SharedWorker,
    /// Where the messages are written.
    pub journal: Option<Arc<Mutex<SessionJournal>>>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// Marks the processes of the session: the run, and the attempt within it.
    pub run: String,
    /// See `run`.
    pub step: String,
}
