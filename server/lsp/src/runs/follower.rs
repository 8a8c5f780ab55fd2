//! Follows one run and notifies the client: events, snapshots, progress, questions, lenses.
//!
//! Reads the engine's event stream and sends; holds no state of the run but the projection of its events. A client that
//! reads slowly slows this task and nothing else.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use attractor_run::{
    Event, EventKind, NodeSnapshot, NodeState, RunSnapshot, RunState, TranscriptEntry,
    changed_files,
};
use futures::StreamExt as _;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::progress::{self, ProgressReport};
use super::projection::ended_attempt;
use super::registry::RunRegistry;
use super::run_state::ShownRun;
use super::server_run::ServerRun;
use super::{failure_message, gates, run_state, status};
use crate::documents::Documents;
use crate::ext::notifications::{EventNotification, EventParams};
use crate::notifier::Notifier;
use crate::refresh_queue::RefreshKind;
use crate::workspace::Workspace;

/// The minimum time between two snapshots: at most ten a second.
const INTERVAL: Duration = Duration::from_millis(100);

/// How long after the end of a run elsewhere its state is read once more: longer than its server takes to send a change of
/// its list.
const SETTLE_TIME: Duration = Duration::from_millis(500);

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
        let (progress, reports) = watch::channel(ProgressReport::default());
        self.notifier.tasks.spawn(progress::show(
            Arc::clone(&self.notifier),
            self.run.progress_token(),
            format!("Pipeline {}", self.run.graph),
            reports,
        ));
        followers.spawn(async move {
            self.follow(0, &progress).await;
            self.refresh_resumable_runs();
        });
    }

    /// The same for a run elsewhere, until `stop` is cancelled. What it did before is not news: of its questions only the
    /// open ones are sent, and no progress is shown of what was not started here.
    pub(crate) fn spawn_remote(self, stop: CancellationToken) {
        self.runs.register(Arc::clone(&self.run));
        let tasks = self.notifier.tasks.clone();
        tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.follow_remote() => {}
            }
        });
    }

    /// Follows a run elsewhere to its end. One that was resumed at once looks in the list of runs as if it had not ended,
    /// so this looks once more a moment later.
    async fn follow_remote(&self) {
        let (progress, _) = watch::channel(ProgressReport::default());
        loop {
            let last = self.catch_up().await;
            self.follow(last, &progress).await;
            sleep(SETTLE_TIME).await;
            let state = self.run.source.state().await;
            let is_active = state.is_ok_and(RunState::is_live);
            let newest = self.runs.get(&self.run.id);
            // Another follower may have begun meanwhile.
            if !is_active || !newest.is_ok_and(|newest| Arc::ptr_eq(&newest, &self.run)) {
                return;
            }
            self.run.reset();
        }
    }

    /// Applies what has happened so far; returns the number of the last event.
    async fn catch_up(&self) -> u64 {
        let events = match self.run.source.events(0).await {
            Ok(events) => events,
            Err(error) => {
                // Following it begins with the first event, and tries again.
                tracing::debug!(%error, "the events of a run elsewhere cannot be read");
                return 0;
            }
        };
        for event in &events {
            self.run.apply(event);
            self.send_event(event).await;
        }
        self.show().await;
        events.last().map_or(0, |event| event.seq)
    }

    /// Sends the state of the run and its open questions.
    pub(crate) async fn show(&self) {
        self.send_state().await;
        for question in &self.run.projection().snapshot.questions {
            gates::open(
                &self.notifier,
                &self.documents,
                &self.workspace,
                &self.run,
                question,
            )
            .await;
        }
    }

    async fn follow(&self, after: u64, progress: &watch::Sender<ProgressReport>) {
        let run = &self.run;
        status::send(&self.notifier, &self.runs).await;
        let mut lens_state = None;
        self.refresh_lenses(&mut lens_state).await;

        let mut events = run.source.subscribe(after);
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
            if event.seq == 1 {
                // A server that lost events in a crash sends all of them again.
                run.reset();
            }
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
        if !run.source.is_local() && !run.state().is_end() {
            run.interrupt();
        }
        self.send_state().await;
        progress.send_replace(progress_report(&run.projection().snapshot));
        failure_message::report(&self.notifier, run).await;
        self.refresh_lenses(&mut lens_state).await;
    }

    /// Whether the attempt that an event ends changed files: lenses offer to show them.
    async fn look_for_changes(&self, event: &Event) {
        let Some(at) = ended_attempt(&event.kind).cloned() else {
            return;
        };
        let Some(directory) = self.run.source.directory().map(Path::to_owned) else {
            return;
        };
        let node = at.node.clone();
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
            uri: self.run.document().uri.clone(),
            graph: self.run.graph.clone(),
            event: kind,
            entry: TranscriptEntry::of(&event.kind),
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
        let (document, projection) = (run.document(), run.projection());
        let server = run.source.server();
        let shown = ShownRun {
            uri: &document.uri,
            run: &run.id,
            graph: &run.graph,
            server: server.as_deref(),
        };
        run_state::send(&self.notifier, &shown, &projection).await;
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
            let uri = self.run.document().uri.clone();
            self.notifier.diagnostics.enqueue(uri);
            status::send(&self.notifier, &self.runs).await;
        }
        *before = Some(now);
    }

    /// An ended run may be one that can be resumed.
    fn refresh_resumable_runs(&self) {
        let (notifier, runs) = (Arc::clone(&self.notifier), Arc::clone(&self.runs));
        let (documents, workspace) = (Arc::clone(&self.documents), Arc::clone(&self.workspace));
        let file = self.run.document().file.clone();
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
    let failed = |node: &&NodeSnapshot| node.state == NodeState::Fail;
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
        (state, Some(node)) if state.is_live() => {
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
        (RunState::Running | RunState::Waiting | RunState::Paused, _) => String::new(),
        (RunState::Success, _) => "succeeded".to_owned(),
        (RunState::Fail, _) => match &snapshot.failure {
            Some(failure) => failure.reason.clone(),
            None => "failed".to_owned(),
        },
        (RunState::Cancelled, _) => "cancelled".to_owned(),
        (RunState::Escalated, _) => "escalated".to_owned(),
        (RunState::Interrupted, _) => "interrupted; it can be resumed".to_owned(),
        (RunState::Invalid, _) => "invalid".to_owned(),
    };
    ProgressReport {
        message,
        done: snapshot.done,
        total: snapshot.total,
    }
}
