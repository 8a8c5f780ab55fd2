//! `GET /events`: the changes of all runs as server-sent events.

use std::convert::Infallible;

use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::sse::{self, KeepAlive, Sse};
use futures::{Stream, StreamExt};
use serde::Deserialize;

use crate::error::ApiError;
use crate::routes::events::HEARTBEAT;
use crate::routes::pipelines::MOST;
use crate::runs::RunListReader;
use crate::shared::Shared;

/// What the stream begins with.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RunChangesQuery {
    /// The most runs of a snapshot, the newest; at most 1000.
    limit: Option<usize>,
    /// Whether changes are sent as they happen; without them the stream ends with what has changed so far.
    follow: Option<bool>,
}

/// `GET /events`: what changed after `Last-Event-ID`, or a snapshot of the list; then changes as they happen. The stream
/// ends with the server.
pub(crate) async fn run_changes(
    State(shared): State<Shared>,
    Query(query): Query<RunChangesQuery>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, ApiError> {
    let permit = shared.limiter.stream()?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let limit = query.limit.unwrap_or(MOST).min(MOST);
    let follows = query.follow.unwrap_or(true);
    let reader = RunListReader::new(shared.runs, last, limit, follows).await?;
    let frames = reader.frames().map(move |(id, frame)| {
        let _open = &permit;
        let event = sse::Event::default().id(id).event(frame.name());
        // A newline would split the field; JSON has none outside its escapes.
        let data = serde_json::to_string(&frame).unwrap_or_default();
        Ok(event.data(data))
    });
    Ok(Sse::new(frames).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}
