//! What does the work of a codergen or prompt node.
//!
//! The engine renders the prompt and reads the outcome; a backend only turns a request into text.
//! Each node is given a backend of its own by the [`BackendRegistry`]; [`SimulateBackend`] is what remains where no
//! other one can answer.

pub(crate) mod agent_activity;
mod capabilities;
mod error;
mod registry;
mod simulate;
pub(crate) mod tool_hook_command;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use attractor_exec::{AgentSandbox, ExecutionEnvironment, LocalEnvironment, Redactor};
use attractor_machine::control::SteeringMessage;
use attractor_machine::outcome::RemainingBudget;
use attractor_machine::outcome::Usage;
use attractor_machine::question::Question;
use attractor_machine::question::{AskError, Reply};
use futures::future::BoxFuture;
use serde_json::Value;

use crate::backend::agent_activity::AgentActivity;
use crate::backend::tool_hook_command::ToolHookCommand;

pub use capabilities::{AgentCapabilities, EditScope, ShellScope};
pub use error::BackendError;
pub use registry::{BackendRegistry, Simulation};
pub use simulate::SimulateBackend;

/// What a node wants from a model.
#[derive(Debug, Clone, Default)]
pub struct CodergenRequest {
    /// The run's id.
    pub run: String,
    /// The node's id.
    pub node: String,
    /// How often the node has been entered, from 1.
    pub visit: u32,
    /// Attempt within the visit, from 1.
    pub attempt: u32,
    /// The prompt, templates replaced.
    pub prompt: String,
    /// What the model sees of the run before the prompt, as the node's `fidelity` says; often empty.
    pub preamble: String,
    /// The earlier turns of the node's thread, with `fidelity=full`.
    pub conversation: Vec<Turn>,
    /// Instructions that go before it.
    pub system_prompt: Option<String>,
    /// The model, as written.
    pub model: Option<String>,
    /// The provider, as written.
    pub provider: Option<String>,
    /// The backend, as written in the node's `backend`.
    pub backend: Option<String>,
    /// Further attributes of the node, by canonical name (`reasoning_effort`, `temperature`, …).
    pub options: Vec<(String, String)>,
    /// One answer without tools (a `prompt` node), or an agent at work.
    pub agency: Agency,
    /// Where the agent works.
    pub working_dir: PathBuf,
    /// Where it may leave `status.json` and its own logs.
    pub stage_dir: PathBuf,
    /// The directory of the run; none in a dry run.
    pub run_dir: Option<PathBuf>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// What the run may still spend.
    pub budget: RemainingBudget,
    /// Who tries again after a failure that may pass.
    pub retries: RetriedBy,
    /// Commands before and after the tool calls of its agent.
    pub hooks: Vec<ToolHookCommand>,
}

impl CodergenRequest {
    /// The value of a further attribute.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter();
        options
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }
}

/// A prompt and its answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// The prompt.
    pub prompt: String,
    /// The answer.
    pub answer: String,
}

/// Who tries again after a failure that may pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
// Exhaustive: one side retries, or the other.
pub enum RetriedBy {
    /// The backend, if it can: this is the node's last attempt.
    #[default]
    Backend,
    /// The executor, by its durable timer: the backend reports the failure at once.
    Executor,
}

/// Whether tools may be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Agency {
    /// An agent with tools.
    #[default]
    Agent,
    /// One answer, no tools.
    OneAnswer,
}

/// What came back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CodergenResponse {
    /// The final text.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
    /// The provider that answered.
    pub provider: Option<String>,
    /// The model that answered, as the provider names it.
    pub model: Option<String>,
    /// Why the model stopped: `stop`, `length`.
    pub finish_reason: Option<String>,
    /// The provider's id of the response, or that of an agent's session.
    pub response_id: Option<String>,
    /// What of the request was left out or changed, and what else a user should know.
    pub warnings: Vec<String>,
    /// What an agent changed, and what verified it.
    pub verification: Option<String>,
    /// The outcome as the backend knows it, in the shape of `status.json`; none leaves it to the text.
    pub status: Option<Value>,
}

/// The run, as a backend sees it while it works: where it writes what it does, messages of people and supervisors,
/// and questions to people.
pub trait Progress: Send + Sync {
    /// A piece of text the model wrote.
    fn text(&self, text: &str);

    /// A piece of what the model thinks before it writes.
    fn thinking(&self, _text: &str) {}

    /// What an agent does with tools; it becomes events of the run.
    fn activity(&self, _activity: AgentActivity) {}

    /// More of what the calls of this attempt have used. It counts only if the node is stopped or its time is over: the
    /// result has the whole usage otherwise. Reported at the latest when the future of the calls is dropped.
    fn used(&self, _usage: &Usage) {}

    /// The messages to the node that have arrived and were not taken yet (`attractor steer`, supervisors). They are
    /// in the journal.
    fn messages(&self) -> Vec<SteeringMessage> {
        Vec::new()
    }

    /// The next message to the node, when there is one.
    fn message(&self) -> BoxFuture<'_, SteeringMessage> {
        Box::pin(std::future::pending())
    }

    /// Returns messages that were taken and that the model has not seen: the next prompt of the run has them.
    fn give_back(&self, _messages: Vec<SteeringMessage>) {}

    /// What runs the commands of the run.
    fn execution(&self) -> Arc<dyn ExecutionEnvironment> {
        Arc::new(LocalEnvironment)
    }

    /// Masks the secrets of the run.
    fn redactor(&self) -> Arc<Redactor> {
        Arc::default()
    }

    /// Whether a person may answer a question, as [`HandlerEnv::can_ask`](crate::HandlerEnv::can_ask) says.
    fn can_ask(&self) -> bool {
        false
    }

    /// Asks a person, as [`HandlerEnv::ask`](crate::HandlerEnv::ask) does.
    fn ask(&self, question: Question) -> BoxFuture<'_, Result<Reply, AskError>> {
        let reason = format!("“{}” is asked outside of a run", question.text);
        Box::pin(async { Err(AskError::unanswerable(reason)) })
    }
}

/// Runs prompts.
///
/// A dropped future means that the node was stopped: the backend ends its streams and processes.
pub trait CodergenBackend: Send + Sync {
    /// The name nodes choose it by (`backend`): `simulate`, `native`.
    fn name(&self) -> &'static str;

    /// Why its answers are simulated, if they are; the events of its nodes then say so.
    fn simulation(&self) -> Option<String> {
        None
    }

    /// Whether only nodes that name it get it.
    fn is_only_by_name(&self) -> bool {
        false
    }

    /// Why it cannot answer this request, and what to do about it: no key for the model's provider, for example.
    fn unavailable(&self, _request: &CodergenRequest) -> Option<String> {
        None
    }

    /// What its agent may do when it answers this request; `None` for backends whose answers are only texts.
    fn capabilities(&self, _request: &CodergenRequest) -> Option<AgentCapabilities> {
        None
    }

    /// Whether it takes messages while it runs ([`Progress::messages`]). Messages to a node of another backend wait
    /// for the next prompt of the node.
    fn reads_messages(&self) -> bool {
        false
    }

    /// What the commands of its agents run in. None: it runs no commands.
    fn sandbox(&self) -> Option<AgentSandbox> {
        None
    }

    /// Values that must not appear in anything a run stores or shows, such as API keys.
    fn secrets(&self) -> Vec<String> {
        Vec::new()
    }

    /// Runs one request.
    fn run(
        &self,
        request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>>;
}
