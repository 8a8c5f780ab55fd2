//! The messages of the Debug Adapter Protocol that the adapter reads and writes, with the names of the protocol.
//!
//! Public source: <https://microsoft.github.io/debug-adapter-protocol/specification>.

mod arguments;
mod bodies;

pub(crate) use arguments::*;
pub use arguments::{LaunchArguments, LaunchMode, RestartFiles};
pub(crate) use bodies::*;
