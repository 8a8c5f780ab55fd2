//! How what walks a pipeline is named, in the state and on disk.

pub mod file_name;
mod ticket;
mod worktree;

pub use ticket::{FrameId, Ticket};
pub use worktree::Worktree;
