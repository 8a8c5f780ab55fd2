//! `attractor/status`: the server in one line, for status bars.

use attractor_run::RunState;

use super::registry::RunRegistry;
use crate::ext::notifications::{Health, StatusNotification, StatusParams};
use crate::notifier::Notifier;

/// Sends how many runs are active and how many wait, to clients that draw runs.
pub(crate) async fn send(notifier: &Notifier, runs: &RunRegistry) {
    if !notifier.features().run_state {
        return;
    }
    let states: Vec<_> = runs.all().iter().map(|run| run.state()).collect();
    let count = |wanted: RunState| states.iter().filter(|state| **state == wanted).count();
    let waiting = count(RunState::Waiting);
    let problem = runs.remote.problem();
    let params = StatusParams {
        health: problem
            .as_ref()
            .map_or(Health::Ok, |problem| problem.health),
        message: problem.map(|problem| problem.message),
        running: count(RunState::Running) + waiting,
        waiting,
        remote: runs.remote.status(),
    };
    notifier.notify::<StatusNotification>(params).await;
}
