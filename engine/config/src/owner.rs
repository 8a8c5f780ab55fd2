//! Whose a configuration file is.

/// Whose a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The project's. A problem in it refuses runs.
    Project,
    /// The user's. A problem in it is a warning.
    User,
}
