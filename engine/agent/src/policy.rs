//! What tools may do. Each call is checked before it runs.
//!
//! [`Permissions`] decides by the rules of the user, the project and the node; [`PermissionGate`] asks a person where a
//! policy says so.

mod gate;
mod git_gate;
mod permissions;
mod skill_limits;

use std::collections::BTreeSet;

use serde_json::Value;

pub use attractor_permissions::{FileAccess, Narrowing, NarrowingAttributes};
pub use gate::{ALLOW_ONCE, ALLOW_SESSION, DENY, PERMISSION, PermissionGate};
pub(crate) use git_gate::GitGate;
pub use permissions::Permissions;
pub(crate) use permissions::with_call;
pub(crate) use skill_limits::SkillLimits;

use crate::tool::Access;

/// Decides about tool calls. The arguments fit the schema of the tool.
pub trait ToolPolicy: Send + Sync {
    /// Whether a call may run.
    fn check(&self, tool: &str, access: &Access, arguments: &Value) -> Decision;

    /// The same, where a person has `granted` what rules of these texts ask about.
    fn check_granting(
        &self,
        tool: &str,
        access: &Access,
        arguments: &Value,
        _granted: &BTreeSet<String>,
    ) -> Decision {
        self.check(tool, access, arguments)
    }
}

/// What a policy says of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
// Exhaustive: a caller that ignored a decision would run what is refused.
pub enum Decision {
    /// It runs.
    Allow,
    /// It does not run. The reason is for the model: what is not allowed, and what is.
    Deny(String),
    /// A person decides.
    Ask(PermissionRequest),
}

/// What a person decides about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionRequest {
    /// What the call does, and why it asks.
    pub text: String,
    /// What an answer for the whole session is about.
    pub scope: SessionScope,
}

/// What an answer for a whole session is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionScope {
    /// The same call.
    Call,
    /// All calls of the tool: the text does not say more of a call.
    Tool,
    /// All calls that this rule asks about.
    Rule(String),
}

/// Allows every call. The workspace still keeps files inside its root.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllowAll;

impl ToolPolicy for AllowAll {
    fn check(&self, _: &str, _: &Access, _: &Value) -> Decision {
        Decision::Allow
    }
}
