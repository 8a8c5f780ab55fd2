//! What differs by operating system: a file for each concern, in a folder for each system. The rest of the program does not
//! ask which system it runs on. A Unix that is neither Linux nor macOS is treated as macOS.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod macos;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use macos as system;

pub use system::desktop::{OPEN_PROGRAM, WATCHES_TREES};
pub(crate) use system::sandbox::SANDBOX_EXEC;
pub(crate) use system::{files, landlock, memory, orphans, process_table, syscall_filter};
