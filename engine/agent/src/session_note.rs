//! Messages of the session itself to the model, in the place of a person.

use attractor_llm::{Message, Role};

/// Begins the message about instructions that have changed since a session began.
pub(crate) const CHANGED: &str = "The session continues. Since it began, ";

/// Ends the first line of a message in the place of others.
pub(crate) const LEFT_OUT: &str = " messages were left out here to save space.";

/// Whether a message of the user's side is from the session, not from a person.
pub fn is_session_note(message: &Message) -> bool {
    let text = message.text();
    let first = text.lines().next().unwrap_or_default();
    message.role == Role::User
        && (first.starts_with(CHANGED) || (first.starts_with('[') && first.contains(LEFT_OUT)))
}
