//! The backends of a program.

use std::sync::Arc;

use attractor_run::BackendRegistry;

use crate::acp_agent::AcpBackend;
use crate::agent_settings::AgentSettings;
use crate::cli_agent::CliBackend;
use crate::native::NativeBackend;
use crate::providers::Providers;

/// What answers the prompts of the command line and of the editor: models of these providers, and, at nodes that
/// request it, agents of other programs.
pub fn backends(providers: Providers, agents: AgentSettings) -> BackendRegistry {
    let mut backends = BackendRegistry::default();
    backends.register(Arc::new(AcpBackend::new(agents.clone())));
    backends.register(Arc::new(CliBackend));
    backends.register(Arc::new(NativeBackend::new(providers, agents)));
    backends
}
