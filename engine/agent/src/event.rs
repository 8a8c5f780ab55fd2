//! What a session reports while it works.

use serde::Serialize;
use serde_json::Value;

/// One event of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentEvent {
    /// What happened.
    #[serde(flatten)]
    pub kind: AgentEventKind,
    /// When, in seconds since the Unix epoch.
    pub timestamp: f64,
}

/// What happened, with its data.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
#[non_exhaustive]
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
    ToolCallStart {
        /// The tool.
        tool_name: String,
        /// The call.
        tool_call_id: String,
        /// Its arguments.
        arguments: Value,
    },
    /// A tool writes output while it runs.
    ToolCallOutputDelta {
        /// The call.
        tool_call_id: String,
        /// The piece.
        output: String,
    },
    /// A tool has ended.
    ToolCallEnd {
        /// The tool.
        tool_name: String,
        /// The call.
        tool_call_id: String,
        /// What the model gets.
        output: String,
        /// All of the output.
        full_output: String,
        /// Whether it failed.
        is_error: bool,
    },
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
}
