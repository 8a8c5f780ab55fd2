//! How what walks a pipeline is named, in the state and on disk.

pub mod file_name;
mod ticket;
pub mod worktree;

pub use ticket::{FrameId, Ticket};
