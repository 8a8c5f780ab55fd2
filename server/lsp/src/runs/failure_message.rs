//! The end of a failed run: one line with the node and the reason, visible in every editor tab.
//!
//! Clients that draw runs have it from `attractor/runState` and show it with their own buttons; success is shown by the
//! progress.

use attractor_run::{RunSnapshot, RunState};
use lsp_types::MessageType;

use super::server_run::ServerRun;
use crate::notifier::Notifier;

/// Reports the end of a run that failed.
pub(super) async fn report(notifier: &Notifier, run: &ServerRun) {
    if notifier.features().run_state || run.state() != RunState::Fail {
        return;
    }
    let message = message(&run.graph, &run.projection().snapshot);
    notifier.show_message(MessageType::ERROR, message).await;
}

fn message(graph: &str, snapshot: &RunSnapshot) -> String {
    let failure = snapshot.failure.as_ref();
    let node = failure.and_then(|failure| failure.node.as_ref());
    let at = node.map_or_else(String::new, |node| format!(" at `{node}`"));
    let reason = failure.map_or_else(String::new, |failure| format!(": {}", failure.reason));
    format!("✗ {graph} failed{at}{reason}")
}

#[cfg(test)]
mod tests {
    use attractor_run::{Failure, FailureClass};

    use super::*;

    #[test]
    fn failure_message_has_node_and_reason() {
        let mut snapshot = RunSnapshot::default();
        assert_eq!(message("release", &snapshot), "✗ release failed");
        snapshot.failure = Some(Failure {
            node: Some("build".to_owned()),
            reason: "exit code 3".to_owned(),
            class: FailureClass::Deterministic,
        });
        let line = message("release", &snapshot);
        assert_eq!(line, "✗ release failed at `build`: exit code 3");
    }
}
