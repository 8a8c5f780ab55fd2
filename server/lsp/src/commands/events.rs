//! `attractor.events`.

use std::sync::Arc;

use attractor_run::Event;

use crate::errors::ServerError;
use crate::ext::commands::{EventsArgs, EventsResult};
use crate::runs::prepare::engine_error;
use crate::runs::runs_on_disk;
use crate::session::Session;

/// The events of a run after a sequence number, from memory for runs of this server, else from the journal.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: EventsArgs,
) -> Result<EventsResult, ServerError> {
    if let Ok(run) = session.runs.get(&args.run) {
        return Ok(result(
            args.after,
            run.handle.events(args.after).iter().map(AsRef::as_ref),
        ));
    }
    let summary = runs_on_disk::find(&session.workspace, &session.documents, &args.run).await?;
    let read = move || attractor_run::load_events(&summary.directory);
    let events = tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| ServerError::Internal)?;
    let events = events.map_err(|error| engine_error(&error))?;
    Ok(result(
        args.after,
        events.iter().filter(|event| event.seq > args.after),
    ))
}

fn result<'e>(after: u64, events: impl Iterator<Item = &'e Event>) -> EventsResult {
    let mut last = after;
    let counted = events.inspect(|event| last = last.max(event.seq));
    let events = counted
        .filter_map(|event| serde_json::to_value(event).ok())
        .collect();
    EventsResult { events, last }
}
