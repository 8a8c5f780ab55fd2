//! The end of a failed run: one line with the node and the reason, visible in every editor tab.
//!
//! Clients that draw runs have it from `attractor/runState` and show it with their own buttons; success is shown by the
//! progress.

use attractor_run::{Reality, RunSnapshot, RunState, StopPlace};
use lsp_types::MessageType;

use super::server_run::ServerRun;
use crate::notifier::Notifier;

/// Reports the end of a run that failed.
pub(super) async fn report(notifier: &Notifier, run: &ServerRun) {
    if notifier.features().run_state || run.state() != RunState::Fail {
        return;
    }
    let projection = run.projection();
    let snapshot = &projection.snapshot;
    let kind = match snapshot.reality {
        Reality::Dry => MessageType::INFO,
        _ => MessageType::ERROR,
    };
    notifier
        .show_message(kind, message(&run.graph, snapshot))
        .await;
}

fn message(graph: &str, snapshot: &RunSnapshot) -> String {
    let verb = match snapshot.reality {
        Reality::Dry => "fails",
        _ => "failed",
    };
    let failure = snapshot.failure.as_ref();
    let how = match failure.map(|failure| (&failure.node, &failure.stopped)) {
        Some((Some(node), _)) => format!("{verb} at `{node}`"),
        Some((None, Some(StopPlace::Before(node)))) => format!("stopped before `{node}`"),
        Some((None, Some(StopPlace::After(node)))) => format!("stopped after `{node}`"),
        Some((None, None)) | None => verb.to_owned(),
    };
    let reason = failure.map_or_else(String::new, |failure| format!(": {}", failure.reason));
    match snapshot.reality {
        Reality::Dry => format!("Dry run: {graph} {how}{reason}"),
        _ => format!("✗ {graph} {how}{reason}"),
    }
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
        snapshot.reality = Reality::Dry;
        let line = message("release", &snapshot);
        assert_eq!(line, "Dry run: release fails at `build`: exit code 3");
        snapshot.reality = Reality::Real;
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
