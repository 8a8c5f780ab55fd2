//! Who sends something over a socket: a process that the owner of a run has started, directly or not, or another one.

/// Who is at the other end of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// This process, or one of the same user that it has not started.
    Independent,
    /// A process that this one has started, directly or not: a command, or something that it left running.
    Descendant,
    /// Another user.
    OtherUser,
    /// A process that is gone, or cannot be seen from here.
    Unknown,
}

/// Makes what commands leave behind descendants of this process. Call it before the first command starts.
pub fn adopt_descendants() {
    super::orphans::adopt_orphans();
}
