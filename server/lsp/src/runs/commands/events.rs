//! `attractor.events`.

use std::sync::Arc;

use attractor_run::Event;

use crate::errors::Refusal;
use crate::ext::commands::{EventsArgs, EventsResult};
use crate::runs::{launch, past};
use crate::session::Session;

/// The events of a run after a sequence number, from memory for runs of this server, else from the journal.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: EventsArgs,
) -> Result<EventsResult, Refusal> {
    if let Ok(live) = session.runs.get(&args.run) {
        return Ok(result(
            args.after,
            live.handle.events(args.after).iter().map(AsRef::as_ref),
        ));
    }
    let summary = past::find(session, &args.run).await?;
    let read = move || attractor_run::load_events(&summary.directory);
    let events = tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| Refusal::Broken)?;
    let events = events.map_err(|error| launch::refused(&error))?;
    Ok(result(
        args.after,
        events.iter().filter(|event| event.seq > args.after),
    ))
}

fn result<'e>(after: u64, events: impl Iterator<Item = &'e Event>) -> EventsResult {
    let mut last = after;
    let noted = events.inspect(|event| last = last.max(event.seq));
    let events = noted
        .filter_map(|event| serde_json::to_value(event).ok())
        .collect();
    EventsResult { events, last }
}
