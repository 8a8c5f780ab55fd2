//! What commands of a run leave behind.

use attractor_exec::{OrphanScope, end_run};

/// Ends what commands left behind. Nothing a run started outlives it.
pub(super) async fn reap_orphans(run: String, alone: bool) {
    // A thread of its own: it looks at every process of the machine.
    let ended = tokio::task::spawn_blocking(move || {
        let beyond = if alone {
            OrphanScope::Adopted
        } else {
            OrphanScope::Nothing
        };
        end_run(&run, &beyond)
    });
    match ended.await {
        Ok(left) if left.is_empty() => {}
        Ok(left) => tracing::warn!(?left, "these processes of the run could not be ended"),
        Err(_) => tracing::warn!("what the run left behind could not be looked for"),
    }
}
