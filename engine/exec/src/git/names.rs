//! What the program `git` of a sandbox is found by.

/// Names the socket of the engine in the environment of commands.
pub(crate) const SOCKET: &str = "ATTRACTOR_GIT_SOCKET";

/// The name of the program, also in a sandbox.
pub const NAME: &str = "git";
