//! An event as it is sent.

use serde::Serialize;

use super::entry::TranscriptEntry;
use crate::event::Event;

/// An event with its entry, as the servers send it: one flat object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct EventWithEntry<'e> {
    /// The event.
    #[serde(flatten)]
    event: &'e Event,
    /// How a transcript shows it; `null` when it does not.
    entry: Option<TranscriptEntry>,
}

impl<'e> From<&'e Event> for EventWithEntry<'e> {
    fn from(event: &'e Event) -> Self {
        let entry = TranscriptEntry::of(&event.kind);
        Self { event, entry }
    }
}
