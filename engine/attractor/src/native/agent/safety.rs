//! What the agent of a node may do: by its attributes, and in which sandbox its commands run.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_agent::{Narrowing, NarrowingAttributes, Permissions};
use attractor_config::{AgentPolicy, user_file};
use attractor_exec::{
    ExecutionEnvironment, HookAccess, RepositoryAccess, SandboxMode, SandboxSettings,
    SandboxedEnvironment,
};
use attractor_run::CodergenRequest;

/// The limits that the attributes of a node set.
pub(crate) fn narrowing(input: &CodergenRequest) -> Result<Narrowing, String> {
    let attributes = NarrowingAttributes {
        allowed_tools: input.option("allowed_tools"),
        allowed_paths: input.option("allowed_paths"),
        permissions: input.option("permissions"),
    };
    Narrowing::of(&attributes).map_err(|error| {
        let (name, node) = (error.attribute, &input.node);
        format!("`{name}` of `{node}`: {error}")
    })
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

/// What the commands of a node may write and reach.
pub(super) fn sandbox_settings(
    policy: &AgentPolicy,
    narrowing: &Narrowing,
    root: &Path,
) -> SandboxSettings {
    let narrow = narrowing.is_read_only() || narrowing.limits_paths();
    let mut writable: Vec<PathBuf> = Vec::new();
    if !narrowing.is_read_only() {
        writable.extend(narrowing.writable_folders(root));
    }
    writable.extend(policy.writable.iter().filter_map(|path| absolute(path)));
    SandboxSettings {
        mode: if narrow {
            policy.sandbox.max(SandboxMode::ReadOnly)
        } else {
            policy.sandbox
        },
        network: policy.network,
        writable,
        repository: if policy.writable_git {
            RepositoryAccess::Writable
        } else {
            RepositoryAccess::ReadOnly
        },
        hooks: if policy.git_hooks {
            HookAccess::Run
        } else {
            HookAccess::Off
        },
    }
}

/// Where the commands of a node run.
pub(super) fn sandbox(
    settings: SandboxSettings,
    root: &Path,
    execution: Arc<dyn ExecutionEnvironment>,
) -> io::Result<SandboxedEnvironment> {
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
