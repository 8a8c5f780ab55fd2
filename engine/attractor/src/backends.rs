//! The backends of a program.

use std::sync::Arc;

use attractor_run::BackendRegistry;

use crate::agent_settings::AgentSettings;
use crate::cli_agent::CliBackend;
use crate::native::NativeBackend;
use crate::providers::Providers;

/// What answers the prompts of the command line and of the editor: models of these providers, and, at nodes that
/// request it, command-line agents.
pub fn backends(providers: Providers, agents: AgentSettings) -> BackendRegistry {
    let mut backends = BackendRegistry::of(NativeBackend::new(providers, agents));
    backends.register(Arc::new(CliBackend));
    backends
}
