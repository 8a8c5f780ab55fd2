//! `GET /pipelines/{id}/events`: the events of a run as server-sent events.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use attractor_run::{Event, EventWithEntry, Protocol, owner_of};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{self, KeepAlive, Sse};
use futures::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde_json::json;

use crate::error::ApiError;
use crate::protocol::ClientProtocol;
use crate::runs::KnownRun;
use crate::shared::Shared;

/// How often a comment keeps the connection open.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(15);

/// How often the journal of another process is read.
const LOOK_EVERY: Duration = Duration::from_millis(500);

type Events = Pin<Box<dyn Stream<Item = Arc<Event>> + Send>>;

/// Where the stream begins.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EventsQuery {
    /// The number of the last event that is known.
    after: Option<u64>,
    /// Whether new events are sent as they happen; without them the stream ends with what has happened.
    follow: Option<bool>,
}

/// `GET /pipelines/{id}/events`: all events after `Last-Event-ID` or `after`, then new ones as they come. The stream
/// ends after the last event of the run.
pub(crate) async fn events(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    Query(query): Query<EventsQuery>,
    ClientProtocol(protocol): ClientProtocol,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, ApiError> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let after = match last {
        Some(last) => last.parse().map_err(|_| {
            ApiError::bad_request(format!(
                "`Last-Event-ID: {last}` is not the number of an event"
            ))
        })?,
        None => query.after.unwrap_or(0),
    };
    let run = shared.runs.find(&id)?;
    let permit = shared.limiter.stream()?;
    let last = run.snapshot().await?.last;
    let gap = (after > last).then(|| gap(after, last));
    // Who saw events that the journal does not have begins again.
    let after = if gap.is_some() { 0 } else { after };
    let events: Events = match &run.own {
        _ if query.follow == Some(false) => Box::pin(past(&run, after).await?),
        Some(run) => Box::pin(run.events(after)),
        None => Box::pin(of_other_process(run, after).await?),
    };
    let frames = stream::iter(gap).chain(events.map(move |event| {
        let _open = &permit;
        frame(&event, protocol)
    }));
    Ok(Sse::new(frames.map(Ok)).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// What has happened after a number.
async fn past(
    run: &KnownRun,
    after: u64,
) -> Result<impl Stream<Item = Arc<Event>> + Send + use<>, ApiError> {
    let events = run.events().await?.into_iter();
    let events = events.filter(move |event| event.seq > after);
    Ok(stream::iter(events))
}

/// The journal does not have the event that was asked for: its process ended before the event was durable.
fn gap(after: u64, last: u64) -> sse::Event {
    let data = json!({ "type": "gap", "after": after, "last": last });
    sse::Event::default()
        .id("0")
        .event("gap")
        .data(data.to_string())
}

fn frame(event: &Event, protocol: Protocol) -> sse::Event {
    let frame = sse::Event::default()
        .id(event.seq.to_string())
        .event(event.kind.name().unwrap_or_default());
    let event = EventWithEntry::from(event);
    let json = match protocol {
        Protocol::V2 => serde_json::to_string(&event),
        Protocol::V1 => {
            serde_json::to_value(&event).map(|event| protocol.translated(event).to_string())
        }
    };
    match json {
        // A newline would split the field; JSON has none outside its escapes.
        Ok(data) => frame.data(data),
        Err(_) => frame,
    }
}

/// The events in the journal of a run, and what is added to it while a process owns the run.
async fn of_other_process(
    run: KnownRun,
    after: u64,
) -> Result<impl Stream<Item = Arc<Event>> + Send, ApiError> {
    let first = run.events().await?;
    let reader = JournalReader {
        run,
        position: after,
        waiting: first.into(),
    };
    Ok(stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((event, reader))
    }))
}

struct JournalReader {
    run: KnownRun,
    /// The number of the last event given.
    position: u64,
    /// Those that have been read and not given yet.
    waiting: std::collections::VecDeque<Arc<Event>>,
}

impl JournalReader {
    async fn next(&mut self) -> Option<Arc<Event>> {
        loop {
            while let Some(event) = self.waiting.pop_front() {
                if event.seq > self.position {
                    self.position = event.seq;
                    return Some(event);
                }
            }
            // Looked at first: what the process wrote before it ended is read after.
            let is_owned = owner_of(&self.run.directory).is_some();
            let events = self.run.events().await.ok()?;
            self.waiting = events
                .into_iter()
                .filter(|event| event.seq > self.position)
                .collect();
            if self.waiting.is_empty() {
                if !is_owned {
                    return None;
                }
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
    }
}
