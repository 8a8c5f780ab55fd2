//! `attractor.events`.

use std::sync::Arc;

use attractor_run::{Event, EventWithEntry, events_of_child, split_child};

use super::find_run::find;
use crate::errors::ServerError;
use crate::ext::commands::{EventsArgs, EventsResult};
use crate::session::Session;

/// The events of a run after a sequence number, from memory for runs of this process, else from the journal or the
/// server the run is on.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: EventsArgs,
) -> Result<EventsResult, ServerError> {
    let (run, child) = split_child(&args.run);
    // Which events are those of a sub-pipeline follows from all before them.
    let after = child.map_or(args.after, |_| 0);
    let events = find(session, run).await?.events(after).await?;
    let events = events.iter().map(AsRef::as_ref);
    let Some(child) = child else {
        return Ok(result(args.after, events));
    };
    let own = events_of_child(events, child).ok_or_else(|| ServerError::UnknownRun {
        run: args.run.clone(),
    })?;
    let is_new = |event: &&Event| event.seq > args.after;
    Ok(result(args.after, own.iter().filter(is_new)))
}

fn result<'e>(after: u64, events: impl Iterator<Item = &'e Event>) -> EventsResult {
    let mut last = after;
    let counted = events.inspect(|event| last = last.max(event.seq));
    let events = counted
        .filter_map(|event| serde_json::to_value(EventWithEntry::from(event)).ok())
        .collect();
    EventsResult { events, last }
}
