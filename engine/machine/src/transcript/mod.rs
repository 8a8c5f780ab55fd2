//! The transcript of a run: each event as people read it.
//!
//! [`TranscriptEntry::of`] turns an event into an entry: a glyph, a line of text, further lines, and what each of them means.
//! Editors and the web page draw entries: colors, alignment, times and folding are theirs, the words are not. An entry
//! is sent with its event ([`EventWithEntry`]) and never stored, since it follows from the event.
//!
//! Linear in the event. It is a module of this crate because [`EventKind`](crate::event::EventKind) is non-exhaustive
//! elsewhere, where the compiler would not ask how a new event looks.
//!
//! ```
//! use attractor_machine::event::EventKind;
//! use attractor_machine::transcript::TranscriptEntry;
//! use serde_json::json;
//!
//! let event = json!({"type": "stage_retrying", "node": "test", "visit": 1, "attempt": 2, "delay": 200, "max_attempts": 3});
//! let event: EventKind = serde_json::from_value(event).unwrap();
//! let entry = TranscriptEntry::of(&event).unwrap();
//! assert_eq!(entry.glyph, '⟲');
//! assert_eq!(entry.node.as_deref(), Some("test"));
//! assert_eq!(entry.text, "attempt 2 of 3 in 200 ms");
//! ```

mod agent;
mod entry;
mod event_with_entry;
pub mod figures;
mod lines;
mod parallel;
mod pausing;
mod pipeline;
mod question;
mod render;
mod stage;
mod text;
mod tool_call;

#[cfg(test)]
mod tests;

pub use agent::plan_lines;
pub use entry::{EntryKind, EntryLine, EntryRole, TranscriptEntry};
pub use event_with_entry::EventWithEntry;
pub use tool_call::edit_lines;
