//! The coding agent: a session calls a model, runs the tools it asks for and sends their results back, until the model
//! answers without a call or a limit is reached.
//!
//! It works in one folder ([`Workspace`]), through one policy, and knows no pipeline.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::needless_pass_by_value,
        clippy::panic,
        reason = "tests fail by panicking"
    )
)]

pub mod background;
mod both_streams;
mod budget;
mod check;
mod clock;
mod error;
mod event;
mod hooks;
pub mod language_server;
mod loop_detection;
pub mod mcp;
mod person;
mod policy;
mod profile;
pub mod prompt;
#[cfg(test)]
mod schemas;
mod session;
mod session_journal;
mod session_note;
pub mod shared;
pub mod skills;
mod state;
mod subagent;
#[cfg(test)]
mod testing;
mod text;
mod tool;
pub mod tools;
mod truncation;
mod undo;
mod web;
pub mod workspace;

pub use attractor_agent_events::{
    AgentPlan, AgentProgress, HookOutcome, HookReport, HookTime, PlanStep, StepStatus, ToolCallEnd,
    ToolCallStart,
};
pub use budget::{Budget, LimitReached, Limits, Spent};
pub use clock::{Clock, FixedClock, SystemClock};
pub use error::{AgentError, ErrorCategory};
pub use event::{AgentEvent, AgentEventKind, AgentEvents, EventEmitter};
pub use hooks::{HookedCalls, ToolHook, ToolHooks};
pub use language_server::{FolderTrust, LanguageServers};
pub use loop_detection::LoopDetector;
pub use person::{NoPerson, Person, PersonAnswer, PersonQuestion};
pub use policy::{
    ALLOW_ONCE, ALLOW_SESSION, AllowAll, DENY, Decision, FileAccess, Narrowing,
    NarrowingAttributes, PERMISSION, PermissionGate, PermissionRequest, Permissions, SessionScope,
    ToolPolicy,
};
pub use profile::ProviderProfile;
pub use session::{
    Completion, Ending, Session, SessionConfig, SessionInput, SessionSetup, Verification,
};
pub use session_journal::{RecordedSession, SessionJournal, SessionStart};
pub use session_note::is_session_note;
pub use state::{
    AgentState, InvalidTransitionError, SessionState, StateMachine, TRANSITIONS, TransitionListener,
};
pub use tool::{
    Access, CommandLimits, Tool, ToolCall, ToolContext, ToolOutput, ToolRegistry, ToolResult,
    rename_aliases,
};
pub use tools::{add_language_tools, core_tools, image_content, image_file};
pub use truncation::{TruncationConfig, truncate_output};
pub use undo::{FileChangeTracker, TrackedChange, UndoAction, UndoError, UndoScope, UndoneChange};
pub use workspace::{EditorFiles, FileChange, FileError, Workspace};
