//! A run that another process of this machine works on: another window, a terminal, `attractor serve`.
//!
//! Its journal says what happens there, its socket takes answers, messages and the request to stop.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use attractor_run::{
    Answered, ControlRequest, Event, JournalTail, RunState, owner_of, snapshot_of,
};
use futures::{Stream, StreamExt as _, stream};
use tokio::time::sleep;

use crate::errors::ServerError;
use attractor_proto::RequestError;

/// How often a journal is looked at.
const INTERVAL: Duration = Duration::from_millis(200);
/// How long the process may take to reply.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The events after a number, as they are written, until the run ends or no process works on it any more.
pub(super) fn events(directory: &Path, after: u64) -> impl Stream<Item = Arc<Event>> + use<> {
    let start = Some((JournalTail::new(directory), directory.to_owned()));
    let batches = stream::unfold(start, |state| async {
        let (tail, directory) = state?;
        let (events, tail, is_active) = read(tail, directory.clone()).await?;
        if is_active && events.is_empty() {
            sleep(INTERVAL).await;
        }
        Some((events, is_active.then_some((tail, directory))))
    });
    let events = batches.flat_map(stream::iter);
    let events = events.filter(move |event| std::future::ready(event.seq > after));
    events.map(Arc::new)
}

/// What is new in a journal, and whether more may come.
async fn read(
    mut tail: JournalTail,
    directory: PathBuf,
) -> Option<(Vec<Event>, JournalTail, bool)> {
    let read = move || {
        // First: what the process wrote before it went is in the journal.
        let is_owned = owner_of(&directory).is_some();
        match tail.read() {
            Ok(events) => Some((events, tail, is_owned)),
            Err(error) => {
                tracing::debug!(%error, "the journal of another process cannot be read");
                None
            }
        }
    };
    tokio::task::spawn_blocking(read).await.ok().flatten()
}

/// The state of a run as its directory says; `interrupted` when no process works on it.
pub(super) async fn state(directory: &Path) -> Result<RunState, ServerError> {
    let directory = directory.to_owned();
    let read = move || snapshot_of(&directory).map(|snapshot| snapshot.state);
    let read = tokio::task::spawn_blocking(read).await;
    let state = read.map_err(|_| RequestError::Internal)?;
    state.map_err(|error| ServerError::from(&error))
}

/// Sends an order to the process that works on a run, and waits for its reply.
pub(super) async fn post(directory: &Path, order: ControlRequest) -> Result<Answered, ServerError> {
    let directory = directory.to_owned();
    let send = move || attractor_run::post(&directory, &order, REPLY_TIMEOUT);
    let reply = tokio::task::spawn_blocking(send).await;
    let answered = reply.map_err(|_| RequestError::Internal)?;
    answered.map_err(|error| ServerError::from(&error))
}
