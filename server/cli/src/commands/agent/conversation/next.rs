//! What follows a session of a conversation.

use attractor::StartFrom;

/// What follows a session of the conversation.
pub enum Next {
    /// The person leaves.
    Leave,
    /// The session continues from another place, or otherwise.
    Start {
        from: StartFrom,
        change: SessionChange,
    },
}

/// What is different in the next session.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SessionChange {
    pub model: Option<String>,
    /// What it may do, as the option `--permissions` names it.
    pub permissions: Option<String>,
}
