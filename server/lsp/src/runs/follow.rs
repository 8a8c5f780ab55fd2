//! Follows one run and tells the client what happens: events, snapshots, progress, questions, lenses.
//!
//! Reads the engine's event stream and sends; holds no state of the run but what the events say. A client
//! that reads slowly slows this task and nothing else.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use attractor_run::{Event, EventKind, RunState};
use futures::StreamExt as _;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::live::Live;
use super::past::Past;
use super::progress::{self, Standing};
use super::{ended, gates, status};
use crate::ext::engine::nodes;
use crate::ext::notifications::{
    EventNotification, EventParams, RunStateNotification, RunStateParams,
};
use crate::refresh::Kind;
use crate::session::Session;

/// Snapshots are at least so far apart: at most ten a second.
const INTERVAL: Duration = Duration::from_millis(100);

/// What lenses and diagnostics are made of: they are asked for again when it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Coarse {
    state: RunState,
    current: Option<String>,
    done: u32,
    questions: usize,
    failed: usize,
}

/// Follows `live` to its end.
pub(crate) async fn follow(session: Arc<Session>, live: Arc<Live>) {
    let (standing, bar) = watch::channel(Standing::default());
    session.spawn(progress::show(
        Arc::clone(&session),
        live.token(),
        title(&live),
        bar,
    ));
    status::tell(&session).await;

    let mut events = pin!(live.handle.subscribe(0));
    let mut coarse = None;
    let mut due = None;
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            () = at(due) => {
                due = None;
                tell_state(&session, &live).await;
                continue;
            }
        };
        let Some(event) = event else {
            break;
        };
        live.apply(&event);
        tell_event(&session, &live, &event).await;
        gates::tell(&session, &live, &event).await;
        if !matches!(event.kind, EventKind::StageOutput { .. }) {
            due = due.or_else(|| Some(Instant::now() + INTERVAL));
            standing.send_replace(stand(&live));
            notice_change(&session, &live, &mut coarse).await;
        }
    }
    tell_state(&session, &live).await;
    standing.send_replace(stand(&live));
    ended::report(&session, &live).await;
    // It may be one that can be resumed.
    Past::look_again(&session, &live.file);
    notice_change(&session, &live, &mut coarse).await;
}

async fn at(due: Option<Instant>) {
    match due {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

async fn tell_event(session: &Session, live: &Live, event: &Event) {
    if !session.features().events {
        return;
    }
    let kind = match serde_json::to_value(&event.kind) {
        Ok(kind) => kind,
        Err(error) => {
            tracing::error!(%error, seq = event.seq, "an event has no JSON form");
            return;
        }
    };
    let params = EventParams {
        run: event.run.clone(),
        seq: event.seq,
        time: event.time.clone(),
        uri: live.uri.clone(),
        graph: live.graph.clone(),
        event: kind,
    };
    session
        .client
        .send_notification::<EventNotification>(params)
        .await;
}

async fn tell_state(session: &Session, live: &Live) {
    if !session.features().run_state {
        return;
    }
    let now = live.now();
    let snapshot = &now.snapshot;
    let params = RunStateParams {
        run: live.id.clone(),
        uri: live.uri.clone(),
        graph: live.graph.clone(),
        state: snapshot.state,
        started_at: snapshot.started_at.clone(),
        ended_at: snapshot.ended_at.clone(),
        done: snapshot.done,
        total: snapshot.total,
        failure: snapshot.failure.clone(),
        simulated: snapshot.simulated,
        nodes: nodes(snapshot.nodes.clone()),
    };
    drop(now);
    session
        .client
        .send_notification::<RunStateNotification>(params)
        .await;
}

async fn notice_change(session: &Arc<Session>, live: &Live, before: &mut Option<Coarse>) {
    let now = live.coarse();
    if before.as_ref() == Some(&now) {
        return;
    }
    let settled = before.as_ref().is_some_and(|before| {
        (before.state, before.questions, before.failed) == (now.state, now.questions, now.failed)
    });
    session.refresh.ask([Kind::Lenses]);
    if !settled {
        session.refresh.ask([Kind::Diagnostics, Kind::Hints]);
        session.diagnostics.mark(live.uri.clone());
        status::tell(session).await;
    }
    *before = Some(now);
}

impl Live {
    fn coarse(&self) -> Coarse {
        let now = self.now();
        let snapshot = &now.snapshot;
        let failed =
            |node: &&attractor_run::NodeSnapshot| node.state == attractor_run::NodeState::Failed;
        Coarse {
            state: snapshot.state,
            questions: snapshot.questions.len(),
            failed: snapshot.nodes.values().filter(failed).count(),
            current: snapshot.current.clone(),
            done: snapshot.done,
        }
    }
}

fn title(live: &Live) -> String {
    format!("Pipeline {}", live.graph)
}

fn stand(live: &Live) -> Standing {
    let now = live.now();
    let snapshot = &now.snapshot;
    let message = match (snapshot.state, &snapshot.current) {
        (RunState::Running | RunState::Waiting, Some(node)) => {
            let attempt = snapshot.nodes.get(node).map_or(1, |node| node.attempt);
            let again = if attempt > 1 {
                format!(" — attempt {attempt}")
            } else {
                String::new()
            };
            let waits = if snapshot.state == RunState::Waiting {
                " — waits for an answer"
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
    Standing {
        message,
        done: snapshot.done,
        total: snapshot.total,
    }
}
