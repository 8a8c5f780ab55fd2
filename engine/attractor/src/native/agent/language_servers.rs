//! The language servers of a session: those of this machine that are of use in its folder, where they may run.
//!
//! A server runs code of the project, such as build scripts, so it gets the sandbox of commands. It lives for the whole
//! session, and so it also needs a sandbox in which protected files cannot be changed: nothing compares them after it.

use std::sync::Arc;

use attractor_agent::language_server::{ServerProcess, detected_servers};
use attractor_agent::{FolderTrust, LanguageServers, Workspace};
use attractor_config::{AgentPolicy, LanguageServerMode};

/// The servers; none where the configuration or the lack of a sandbox rules them out, or the folder has no use for one.
/// Each is started when it is first needed.
pub(super) fn start(
    policy: &AgentPolicy,
    protects_files: bool,
    workspace: &Arc<Workspace>,
    process: ServerProcess,
) -> Option<LanguageServers> {
    let may_run = match policy.language_servers {
        LanguageServerMode::Always => true,
        LanguageServerMode::Sandboxed => protects_files,
        LanguageServerMode::Off => false,
    };
    let servers = may_run.then(|| detected_servers(workspace))?;
    if servers.is_empty() {
        return None;
    }
    // A person has started the session in this folder.
    let trust = FolderTrust::Trusted;
    Some(LanguageServers::new(
        Arc::clone(workspace),
        trust,
        servers,
        process,
    ))
}
