//! What a session reports while it works.

mod queue;

use attractor_agent_events::{AgentPlan, AgentProgress, HookReport, ToolCallEnd, ToolCallStart};
use attractor_llm::TokenUsage;
use serde::Serialize;
use serde_json::Value;

pub(crate) use queue::channel;
pub use queue::{AgentEvents, EventEmitter};

/// One event of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AgentEvent {
    /// What happened.
    #[serde(flatten)]
    pub kind: AgentEventKind,
    /// When, in seconds since the Unix epoch.
    pub timestamp: f64,
}

/// What happened, with its data. Readers decide on each kind, so that a new one is not lost unseen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
// Exhaustive: each client words every event; the journal has a row for each.
pub enum AgentEventKind {
    /// Work on an input begins.
    SessionStart {
        /// The public state: `running`.
        state: String,
    },
    /// Work on an input has ended.
    SessionEnd {
        /// The public state: `idle` or `closed`.
        state: String,
        /// How the work ended: `done`, `limit`, `loop`, `failed`, `cancelled`; absent when a session is closed.
        #[serde(skip_serializing_if = "Option::is_none")]
        ending: Option<String>,
        /// Why it is not done.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// An input is worked on.
    UserInput {
        /// The input.
        text: String,
    },
    /// The model starts to write.
    AssistantTextStart {},
    /// A piece of its text.
    AssistantTextDelta {
        /// The piece.
        text: String,
    },
    /// Its text is complete.
    AssistantTextEnd {
        /// The whole text.
        text: String,
    },
    /// A tool is called.
    ToolCallStart(ToolCallStart),
    /// A tool writes output while it runs.
    ToolCallOutputDelta {
        /// The call.
        tool_call_id: String,
        /// The piece.
        output: String,
    },
    /// A tool has ended.
    ToolCallEnd {
        /// The call and what the model gets.
        #[serde(flatten)]
        call: ToolCallEnd,
        /// All of the output.
        full_output: String,
    },
    /// A hook has run before or after a tool call.
    ToolHook(HookReport),
    /// A message was given to the model between two tool rounds.
    SteeringInjected {
        /// The message.
        text: String,
    },
    /// A limit on turns or tool rounds ended the work.
    TurnLimit {
        /// How many were used.
        turns: u64,
        /// The limit.
        limit: u64,
    },
    /// The same calls repeat.
    LoopDetection {
        /// What repeats.
        warning: String,
    },
    /// Something failed.
    Error {
        /// What and why.
        error: String,
        /// Where: `llm_call` or `session`.
        phase: String,
    },
    /// Something a user should know.
    Warning {
        /// What.
        message: String,
    },
    /// A piece of the model's reasoning.
    ThinkingDelta {
        /// The piece.
        text: String,
    },
    /// The model has answered, or its answer broke off.
    ModelUsage {
        /// The provider that answered.
        provider: String,
        /// The model, as the provider names it.
        model: String,
        /// Tokens of this call.
        #[cfg_attr(test, schemars(with = "crate::schemas::Usage"))]
        usage: TokenUsage,
        /// US dollars of this call; absent where the price is not known.
        cost: Option<f64>,
        /// How long it took, in milliseconds.
        duration_ms: u64,
        /// Why the model stopped, such as `stop` or `tool_use`.
        finish_reason: String,
    },
    /// Files were changed by a tool.
    FilesChanged {
        /// The call.
        tool_call_id: String,
        /// The files, relative to the folder of the session.
        paths: Vec<String>,
    },
    /// The model has made or changed its plan.
    PlanUpdated(AgentPlan),
    /// How far the work is; published every few seconds while it runs.
    Progress(AgentProgress),
    /// Earlier messages were replaced by a summary, since the next request would not have fit.
    Compacted {
        /// Messages before.
        messages_before: usize,
        /// Messages after.
        messages_after: usize,
        /// Estimated tokens before.
        tokens_before: u64,
        /// Estimated tokens after.
        tokens_after: u64,
    },
}

impl AgentEventKind {
    /// Its name on the wire.
    pub fn name(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        value
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }

    /// Adds a delta to this one if it continues it; gives it back otherwise.
    fn append(&mut self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::AssistantTextDelta { text }, Self::AssistantTextDelta { text: more })
            | (Self::ThinkingDelta { text }, Self::ThinkingDelta { text: more }) => {
                text.push_str(&more);
                None
            }
            (
                Self::ToolCallOutputDelta {
                    tool_call_id,
                    output,
                },
                Self::ToolCallOutputDelta {
                    tool_call_id: id,
                    output: more,
                },
            ) if *tool_call_id == id => {
                output.push_str(&more);
                None
            }
            (_, next) => Some(next),
        }
    }
}
