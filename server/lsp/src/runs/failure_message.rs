//! The end of a failed run: one line with the node and the reason, visible in every editor tab.
//!
//! Clients that draw runs have it from `attractor/runState` and show it with their own buttons; success is shown by the
//! progress.

use attractor_run::{RunSnapshot, RunState, StopPlace};
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
    let Some(failure) = &snapshot.failure else {
        return format!("✗ {graph} failed");
    };
    let how = match (&failure.node, &failure.stopped) {
        (Some(node), _) => format!("failed at `{node}`"),
        (None, Some(StopPlace::Before(node))) => format!("stopped before `{node}`"),
        (None, Some(StopPlace::After(node))) => format!("stopped after `{node}`"),
        (None, None) => "failed".to_owned(),
    };
    format!("✗ {graph} {how}: {}", failure.reason)
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
            stopped: None,
            reason: "exit code 3".to_owned(),
            class: FailureClass::Deterministic,
        });
        let line = message("release", &snapshot);
        assert_eq!(line, "✗ release failed at `build`: exit code 3");
        snapshot.failure = Some(Failure {
            node: None,
            stopped: Some(StopPlace::Before("deploy".to_owned())),
            reason: "step limit reached".to_owned(),
            class: FailureClass::BudgetExhausted,
        });
        let line = message("release", &snapshot);
        assert_eq!(
            line,
            "✗ release stopped before `deploy`: step limit reached"
        );
    }
}
