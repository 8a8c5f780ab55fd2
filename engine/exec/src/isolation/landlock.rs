//! Landlock: a process confines itself, and what it starts is confined too.
//!
//! It limits writing, TCP and, in newer kernels, signals and abstract Unix sockets. The rest of the network and Unix
//! sockets with a path are refused by a filter of system calls (`syscall_filter`). The confined thread starts the command and ends. So nothing else of this program is confined.

use std::io;

use tokio::process::{Child, Command};
use tokio::runtime::Handle;

use super::settings::LandlockRules;
use crate::platform::landlock;

/// Devices that commands may write; not the memory that programs share, where files stay.
pub(super) const DEVICES: [&str; 8] = [
    "/dev/full",
    "/dev/null",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/random",
    "/dev/tty",
    "/dev/urandom",
    "/dev/zero",
];

/// Starts a command that is confined.
///
/// # Errors
/// The kernel refuses the confinement, or the command cannot be started.
pub(crate) fn spawn_confined(command: &mut Command, rules: &LandlockRules) -> io::Result<Child> {
    let runtime = Handle::current();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            landlock::confine(rules)?;
            let _entered = runtime.enter();
            command.spawn()
        });
        thread
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the thread of the sandbox broke down")))
    })
}
