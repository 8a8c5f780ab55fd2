//! The backends of a program.

use std::sync::Arc;

use attractor_run::BackendRegistry;

use crate::cli_agent::CliBackend;
use crate::native::NativeBackend;
use crate::providers::Providers;

/// What answers the prompts of the command line and of the editor: models of these providers, and, at nodes that
/// request it, command-line agents.
pub fn backends(providers: Providers) -> BackendRegistry {
    let mut backends = BackendRegistry::of(NativeBackend::new(providers));
    backends.register(Arc::new(CliBackend));
    backends
}
