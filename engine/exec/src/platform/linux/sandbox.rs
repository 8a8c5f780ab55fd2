//! The sandbox of the system itself: none. bubblewrap and Landlock are looked for.

/// The program that starts a command in Seatbelt.
pub(crate) const SANDBOX_EXEC: Option<&str> = None;
