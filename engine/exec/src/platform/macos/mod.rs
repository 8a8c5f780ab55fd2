//! macOS, and other Unix systems: nothing of a process is known but its id and its group.

pub(crate) mod desktop;
pub(crate) mod files;
pub(crate) mod landlock;
pub(crate) mod memory;
pub(crate) mod orphans;
pub(crate) mod process_table;
pub(crate) mod sandbox;
mod senders;
pub(crate) mod syscall_filter;
