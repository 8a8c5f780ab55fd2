//! Decides about subcommands of Git that a command hands to the engine: `git(commit)` in a rule.

use std::fmt;
use std::sync::Arc;

use attractor_exec::GitPermission;
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::Value;

use super::PermissionGate;
use crate::tool::Access;

/// The tool as rules name it.
const TOOL: &str = "git";

/// The gate of a session, for the commands of one call.
pub(crate) struct GitGate {
    pub(crate) gate: Arc<PermissionGate>,
    /// The call of the tool that runs the command.
    pub(crate) call: String,
}

impl fmt::Debug for GitGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GitGate")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

impl GitPermission for GitGate {
    fn permit<'a>(&'a self, subcommand: &'a str) -> BoxFuture<'a, Result<(), String>> {
        async move {
            let access = Access::Other(subcommand.to_owned());
            let id = format!("{}-git-{subcommand}", self.call);
            self.gate.permit(&id, TOOL, &access, &Value::Null).await
        }
        .boxed()
    }
}
