//! Follows one run and notifies the client: events, snapshots, progress, questions, lenses.
//!
//! Reads the engine's event stream and sends; holds no state of the run but the projection of its events. A client that
//! reads slowly slows this task and nothing else.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use attractor_run::{
    Event, EventKind, NodeSnapshot, NodeState, RunSnapshot, RunState, changed_files,
};
use futures::StreamExt as _;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::progress::{self, ProgressReport};
use super::projection::ended_attempt;
use super::registry::RunRegistry;
use super::server_run::ServerRun;
use super::{failure_message, gates, run_state, status};
use crate::documents::Documents;
use crate::ext::notifications::{EventNotification, EventParams};
use crate::notifier::Notifier;
use crate::refresh_queue::RefreshKind;
use crate::workspace::Workspace;

/// The minimum time between two snapshots: at most ten a second.
const INTERVAL: Duration = Duration::from_millis(100);

/// What lenses and diagnostics are made of: the client is asked to request them again when it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LensState {
    state: RunState,
    current: Option<String>,
    done: u32,
    questions: usize,
    failed: usize,
}

/// What following a run needs.
pub(crate) struct Follower {
    /// Sends to the client.
    pub(crate) notifier: Arc<Notifier>,
    /// The runs to count, and to update when this one ends.
    pub(crate) runs: Arc<RunRegistry>,
    /// Where the nodes of questions are.
    pub(crate) documents: Arc<Documents>,
    /// Where runs are stored.
    pub(crate) workspace: Arc<Workspace>,
    /// The run.
    pub(crate) run: Arc<ServerRun>,
}

impl Follower {
    /// Registers the run and follows it to its end, in the background.
    pub(crate) fn spawn(self) {
        self.runs.register(Arc::clone(&self.run));
        let followers = self.runs.followers.clone();
        followers.spawn(async move { self.follow().await });
    }

    async fn follow(&self) {
        let run = &self.run;
        let (progress, reports) = watch::channel(ProgressReport::default());
        self.notifier.tasks.spawn(progress::show(
            Arc::clone(&self.notifier),
            run.progress_token(),
            format!("Pipeline {}", run.graph),
            reports,
        ));
        status::send(&self.notifier, &self.runs).await;

        let mut events = pin!(run.handle.subscribe(0));
        let mut lens_state = None;
        let mut due = None;
        loop {
            let event = tokio::select! {
                event = events.next() => event,
                () = at(due) => {
                    due = None;
                    self.send_state().await;
                    continue;
                }
            };
            let Some(event) = event else {
                break;
            };
            run.apply(&event);
            self.look_for_changes(&event).await;
            if event.seq == 1 {
                // Clients see even the shortest run as running first.
                self.send_state().await;
            }
            self.send_event(&event).await;
            self.send_question(&event).await;
            let is_output = matches!(
                event.kind,
                EventKind::StageOutput { .. }
                    | EventKind::AgentToolCallStart { .. }
                    | EventKind::AgentToolCallEnd { .. }
            );
            if !is_output || matches!(event.kind, EventKind::AgentToolCallStart { .. }) {
                due = due.or_else(|| Some(Instant::now() + INTERVAL));
            }
            if !is_output {
                progress.send_replace(progress_report(&run.projection().snapshot));
                self.refresh_lenses(&mut lens_state).await;
            }
        }
        self.send_state().await;
        progress.send_replace(progress_report(&run.projection().snapshot));
        failure_message::report(&self.notifier, run).await;
        // It may be one that can be resumed.
        self.refresh_resumable_runs();
        self.refresh_lenses(&mut lens_state).await;
    }

    /// Whether the attempt that an event ends changed files: lenses offer to show them.
    async fn look_for_changes(&self, event: &Event) {
        let Some(at) = ended_attempt(&event.kind).cloned() else {
            return;
        };
        let (directory, node) = (self.run.handle.directory().to_owned(), at.node.clone());
        let look = move || changed_files(&directory, &at);
        if tokio::task::spawn_blocking(look).await.unwrap_or_default() {
            self.run.record_changes(node);
        }
    }

    async fn send_event(&self, event: &Event) {
        if !self.notifier.features().events {
            return;
        }
        let kind = match serde_json::to_value(&event.kind) {
            Ok(kind) => kind,
            Err(error) => {
                tracing::error!(%error, seq = event.seq, "an event cannot be serialized");
                return;
            }
        };
        let params = EventParams {
            run: event.run.clone(),
            seq: event.seq,
            time: event.time.clone(),
            uri: self.run.uri.clone(),
            graph: self.run.graph.clone(),
            event: kind,
        };
        self.notifier.notify::<EventNotification>(params).await;
    }

    async fn send_question(&self, event: &Event) {
        gates::send(
            &self.notifier,
            &self.documents,
            &self.workspace,
            &self.run,
            event,
        )
        .await;
    }

    async fn send_state(&self) {
        let run = &self.run;
        let projection = run.projection();
        run_state::send(&self.notifier, &run.uri, &run.id, &run.graph, &projection).await;
    }

    async fn refresh_lenses(&self, before: &mut Option<LensState>) {
        let now = lens_state(&self.run.projection().snapshot);
        if before.as_ref() == Some(&now) {
            return;
        }
        let only_lenses = before.as_ref().is_some_and(|before| {
            (before.state, before.questions, before.failed)
                == (now.state, now.questions, now.failed)
        });
        let refresh = &self.notifier.refresh;
        refresh.enqueue([RefreshKind::CodeLens]);
        if !only_lenses {
            refresh.enqueue([RefreshKind::Diagnostic, RefreshKind::InlayHint]);
            self.notifier.diagnostics.enqueue(self.run.uri.clone());
            status::send(&self.notifier, &self.runs).await;
        }
        *before = Some(now);
    }

    fn refresh_resumable_runs(&self) {
        let (notifier, runs) = (Arc::clone(&self.notifier), Arc::clone(&self.runs));
        let (documents, workspace) = (Arc::clone(&self.documents), Arc::clone(&self.workspace));
        let file = self.run.file.clone();
        self.notifier.tasks.spawn(async move {
            runs.resumable
                .refresh(&notifier, &documents, &workspace, &file, |run| {
                    runs.get(run).is_ok()
                })
                .await;
        });
    }
}

async fn at(due: Option<Instant>) {
    match due {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

fn lens_state(snapshot: &RunSnapshot) -> LensState {
    let failed = |node: &&NodeSnapshot| node.state == NodeState::Failed;
    LensState {
        state: snapshot.state,
        questions: snapshot.questions.len(),
        failed: snapshot.nodes.values().filter(failed).count(),
        current: snapshot.current.clone(),
        done: snapshot.done,
    }
}

fn progress_report(snapshot: &RunSnapshot) -> ProgressReport {
    let message = match (snapshot.state, &snapshot.current) {
        (RunState::Running | RunState::Waiting, Some(node)) => {
            let attempt = snapshot.nodes.get(node).map_or(1, |node| node.attempt);
            let again = if attempt > 1 {
                format!(" — attempt {attempt}")
            } else {
                String::new()
            };
            let waits = if snapshot.state == RunState::Waiting {
                " — waiting for an answer"
            } else {
                ""
            };
            format!("{node}{again}{waits}")
        }
        (RunState::Running | RunState::Waiting, None) => String::new(),
        (RunState::Succeeded, _) => "succeeded".to_owned(),
        (RunState::Failed, _) => match &snapshot.failure {
            Some(failure) => failure.reason.clone(),
            None => "failed".to_owned(),
        },
        (RunState::Cancelled, _) => "cancelled".to_owned(),
        (RunState::Escalated, _) => "escalated".to_owned(),
        (RunState::Interrupted, _) => "interrupted; it can be resumed".to_owned(),
    };
    ProgressReport {
        message,
        done: snapshot.done,
        total: snapshot.total,
    }
}
