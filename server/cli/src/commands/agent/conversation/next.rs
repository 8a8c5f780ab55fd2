//! What follows a session of a conversation.

use attractor::StartFrom;

/// What follows a session of the conversation.
pub enum Next {
    /// The person leaves.
    Leave,
    /// The session continues from another place, or with another model.
    Start {
        from: StartFrom,
        model: Option<String>,
    },
}
