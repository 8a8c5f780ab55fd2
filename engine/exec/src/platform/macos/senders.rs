//! Who sends something over a socket: known by its user alone.

use std::os::unix::net::UnixStream;

use crate::process::{Connection, Sender};

impl Sender {
    /// Who has connected to a socket of this process, which only its user can reach.
    pub fn of(_stream: &UnixStream) -> Self {
        Self::Independent
    }

    /// Who is at the other end of a TCP connection of this process: cannot be looked up here.
    pub fn over(_connection: Connection, _owner: u32) -> Self {
        Self::Independent
    }
}
