//! The end of a failed run: one line that says where and why, whatever the person is looking at.
//!
//! Clients that draw runs know it from `attractor/runState` and say it with their own buttons; what ended well is said
//! by its progress.

use attractor_run::{RunSnapshot, RunState};
use lsp_types::MessageType;

use super::live::Live;
use crate::session::Session;

/// Reports the end of a run that failed.
pub(super) async fn report(session: &Session, live: &Live) {
    if session.features().run_state || live.state() != RunState::Failed {
        return;
    }
    let message = message(&live.graph, &live.now().snapshot);
    session
        .client
        .show_message(MessageType::ERROR, message)
        .await;
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
    fn one_line_says_where_and_why() {
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
