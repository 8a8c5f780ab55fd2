//! A TCP connection of this process.

use std::net::SocketAddr;

/// A TCP connection, by its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connection {
    /// The end of this process.
    pub own: SocketAddr,
    /// The end of the client.
    pub peer: SocketAddr,
}
