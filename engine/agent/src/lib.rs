//! The coding agent: a session calls a model, runs the tools it asks for and sends their results back, until the model
//! answers without a call or a limit is reached.
//!
//! It works in one folder ([`Workspace`]), through one policy, and knows no pipeline.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::panic,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

mod error;
mod event;
mod person;
mod policy;
mod text;
mod tool;
pub mod tools;
pub mod workspace;

pub use error::{AgentError, ErrorCategory};
pub use event::{AgentEvent, AgentEventKind};
pub use person::{NoPerson, Person, PersonAnswer, PersonQuestion};
pub use policy::{
    AllowAll, Decision, FileAccess, Narrowing, PermissionGate, Permissions, ToolPolicy,
};
pub use tool::{
    Access, CommandLimits, Tool, ToolCall, ToolContext, ToolOutput, ToolRegistry, ToolResult,
    rename_aliases,
};
pub use tools::core_tools;
pub use workspace::{FileChange, FileError, Workspace, is_protected};
