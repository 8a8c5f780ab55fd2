//! What the agent of a node may do: by its attributes, and in which sandbox its commands run.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_agent::{FileAccess, Narrowing, Permissions};
use attractor_config::{AgentPolicy, user_file};
use attractor_exec::{ExecutionEnvironment, SandboxMode, SandboxSettings, SandboxedEnvironment};
use attractor_run::CodergenRequest;

use crate::native::request;

/// The limits that the attributes of a node set.
pub(crate) fn narrowing(input: &CodergenRequest) -> Result<Narrowing, String> {
    let list = |name| request::list(input.option(name).unwrap_or_default());
    let (tools, paths) = (list("allowed_tools"), list("allowed_paths"));
    let problem = |name: &str, error: &dyn std::fmt::Display| {
        format!("`{name}` of `{}`: {error}", input.node)
    };
    let mut narrowing = Narrowing::default();
    if !tools.is_empty() {
        narrowing = narrowing
            .allow_tools(tools.iter().map(String::as_str))
            .map_err(|error| problem("allowed_tools", &error))?;
    }
    if !paths.is_empty() {
        narrowing = narrowing
            .allow_paths(paths.iter().map(String::as_str))
            .map_err(|error| problem("allowed_paths", &error))?;
    }
    match input.option("permissions").map(str::trim) {
        None | Some("" | "workspace-write") => Ok(narrowing),
        Some("read-only") => Ok(narrowing.files(FileAccess::ReadOnly)),
        // A limit that is not understood must not be none.
        Some(other) => Err(problem(
            "permissions",
            &format!("unknown value `{other}`; expected `read-only` or `workspace-write`"),
        )),
    }
}

/// What an agent that works in this folder may do. `is_contained`: its commands run in a sandbox.
pub(crate) fn permissions(
    policy: &AgentPolicy,
    narrowing: Narrowing,
    root: &Path,
    is_contained: bool,
) -> Permissions {
    Permissions::new(root)
        .user(policy.user.clone())
        .project(policy.project.clone())
        .narrow(narrowing)
        .contained(is_contained)
}

/// Where the commands of a node run.
pub(super) fn sandbox(
    policy: &AgentPolicy,
    narrowing: &Narrowing,
    root: &Path,
    execution: Arc<dyn ExecutionEnvironment>,
) -> io::Result<SandboxedEnvironment> {
    let narrow = narrowing.is_read_only() || narrowing.limits_paths();
    let mut writable: Vec<PathBuf> = Vec::new();
    if !narrowing.is_read_only() {
        writable.extend(narrowing.writable_folders(root));
    }
    writable.extend(policy.writable.iter().filter_map(|path| absolute(path)));
    let settings = SandboxSettings {
        mode: if narrow {
            policy.sandbox.max(SandboxMode::ReadOnly)
        } else {
            policy.sandbox
        },
        network: policy.network,
        writable,
    };
    let own = user_file().and_then(|file| Some(file.parent()?.to_owned()));
    Ok(SandboxedEnvironment::new(execution, root, settings)?.hiding(own))
}

/// A folder of the configuration; `~/` begins the home folder.
fn absolute(path: &str) -> Option<PathBuf> {
    match path.strip_prefix("~/") {
        Some(below) => Some(std::env::home_dir()?.join(below)),
        None => Some(PathBuf::from(path)).filter(|path| path.is_absolute()),
    }
}
