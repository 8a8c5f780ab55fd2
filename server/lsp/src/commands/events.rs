//! `attractor.events`.

use std::sync::Arc;

use attractor_run::{Event, events_of_child, split_child};

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
    let (run, child) = split_child(&args.run);
    if let Ok(run) = session.runs.get(run) {
        // Which events are those of a sub-pipeline follows from all before them.
        let after = child.map_or(args.after, |_| 0);
        let events = run.handle.events(after);
        return of_run(&args, child, events.iter().map(AsRef::as_ref));
    }
    let summary = runs_on_disk::find(&session.workspace, &session.documents, run).await?;
    let read = move || attractor_run::load_events(&summary.directory);
    let events = tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| ServerError::Internal)?;
    let events = events.map_err(|error| engine_error(&error))?;
    of_run(&args, child, events.iter())
}

fn of_run<'e>(
    args: &EventsArgs,
    child: Option<&str>,
    events: impl Iterator<Item = &'e Event>,
) -> Result<EventsResult, ServerError> {
    let is_new = |event: &&Event| event.seq > args.after;
    let Some(child) = child else {
        return Ok(result(args.after, events.filter(is_new)));
    };
    let own = events_of_child(events, child).ok_or_else(|| ServerError::UnknownRun {
        run: args.run.clone(),
    })?;
    Ok(result(args.after, own.iter().filter(is_new)))
}

fn result<'e>(after: u64, events: impl Iterator<Item = &'e Event>) -> EventsResult {
    let mut last = after;
    let counted = events.inspect(|event| last = last.max(event.seq));
    let events = counted
        .filter_map(|event| serde_json::to_value(event).ok())
        .collect();
    EventsResult { events, last }
}
