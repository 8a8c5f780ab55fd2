//! The sandbox of the system itself: Seatbelt.

/// The program that starts a command in Seatbelt.
pub(crate) const SANDBOX_EXEC: Option<&str> = Some("/usr/bin/sandbox-exec");
