//! What the agent of a node may do, for a person who decides about the run.

use attractor_config::AgentPolicy;
use attractor_exec::{SandboxMode, SandboxSupport};
use attractor_run::{AgentCapabilities, CodergenRequest, EditScope, ShellScope};

use crate::native::request;

/// What the attributes of a node and the configuration let its agent do on this machine.
pub(crate) fn capabilities(input: &CodergenRequest, policy: &AgentPolicy) -> AgentCapabilities {
    let list = |name| request::list(input.option(name).unwrap_or_default());
    let tools = list("allowed_tools");
    let may_use = |names: &[&str]| {
        let is_named = |tool: &String| names.iter().any(|name| tool.starts_with(name));
        tools.is_empty() || tools.iter().any(is_named)
    };
    let is_read_only = input.option("permissions") == Some("read-only");
    let paths = list("allowed_paths");
    let edits = if is_read_only || !may_use(&["write", "edit_file", "apply_patch", "Edit", "Write"])
    {
        EditScope::Nothing
    } else if paths.is_empty() {
        EditScope::Workspace
    } else {
        EditScope::Paths(paths)
    };
    let is_confined = policy.sandbox != SandboxMode::Off
        && !matches!(
            SandboxSupport::of_this_machine(),
            SandboxSupport::Nothing(_)
        );
    let shell = if !may_use(&["shell", "Bash"]) {
        ShellScope::Nothing
    } else if is_confined {
        ShellScope::Sandboxed {
            network: policy.network,
        }
    } else {
        ShellScope::Unconfined
    };
    let web = if may_use(&["web", "WebFetch"]) {
        policy.user.web_hosts().collect()
    } else {
        Vec::new()
    };
    AgentCapabilities { edits, shell, web }
}
