//! Linux: a table of processes in `/proc`, orphans that fall to a process, files resolved beneath a folder by the kernel,
//! Landlock and filters of system calls.

mod adopted;
mod connections;
pub(crate) mod desktop;
pub(crate) mod files;
pub(crate) mod landlock;
pub(crate) mod memory;
pub(crate) mod orphans;
pub(crate) mod process_table;
pub(crate) mod sandbox;
mod senders;
mod signals;
pub(crate) mod syscall_filter;
