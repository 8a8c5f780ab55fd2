//! `attractor/runState`: what a run did so far, for clients that draw runs.

use lsp_types::Uri;

use super::projection::RunProjection;
use crate::ext::engine::nodes;
use crate::ext::notifications::{RunStateNotification, RunStateParams, TakenEdge};
use crate::notifier::Notifier;

/// A run, and where it is shown.
pub(super) struct ShownRun<'r> {
    /// The document.
    pub(super) uri: &'r Uri,
    /// The run.
    pub(super) run: &'r str,
    /// The graph.
    pub(super) graph: &'r str,
    /// The server it is on, unless it is of this machine.
    pub(super) server: Option<&'r str>,
}

/// Sends the snapshot of a run, if the client draws runs.
pub(super) async fn send(notifier: &Notifier, shown: &ShownRun<'_>, projection: &RunProjection) {
    if !notifier.features().run_state {
        return;
    }
    let snapshot = &projection.snapshot;
    let taken = projection.taken.iter().map(|(from, to)| TakenEdge {
        from: from.clone(),
        to: to.clone(),
    });
    let params = RunStateParams {
        run: shown.run.to_owned(),
        uri: shown.uri.clone(),
        graph: shown.graph.to_owned(),
        server: shown.server.map(str::to_owned),
        state: snapshot.state,
        started_at: snapshot.started_at.clone(),
        ended_at: snapshot.ended_at.clone(),
        done: snapshot.done,
        total: snapshot.total,
        failure: snapshot.failure.clone(),
        resumable: snapshot.can_resume(),
        usage: snapshot.usage.into(),
        reality: snapshot.reality,
        simulated: snapshot.reality.is_simulated(),
        nodes: nodes(snapshot.nodes.clone()),
        taken: taken.collect(),
    };
    notifier.notify::<RunStateNotification>(params).await;
}
