//! The commands of this process: which of them run, and the groups they have or had.

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};

/// Groups of commands that run now, or ran and may have left something.
pub(crate) fn groups() -> &'static Mutex<HashSet<u32>> {
    static GROUPS: OnceLock<Mutex<HashSet<u32>>> = OnceLock::new();
    GROUPS.get_or_init(Mutex::default)
}

/// Commands that run now; other code waits for them.
pub(crate) fn running() -> &'static Mutex<HashSet<u32>> {
    static RUNNING: OnceLock<Mutex<HashSet<u32>>> = OnceLock::new();
    RUNNING.get_or_init(Mutex::default)
}

/// A child that is waited for elsewhere, while this lives.
pub(super) struct Registration(Option<u32>);

/// Registers a child, so that no other code reaps it.
pub(super) fn register(pid: Option<u32>) -> Registration {
    if let Some(pid) = pid {
        running()
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(pid);
        groups()
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(pid);
    }
    Registration(pid)
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(pid) = &self.0 {
            running()
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(pid);
        }
    }
}

/// Held while a command is started and not registered: until then it looks like one that fell to this process.
static STARTING: RwLock<()> = RwLock::new(());

/// Starts and registers a command.
pub(super) fn starting<T>(start: impl FnOnce() -> T) -> T {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    start()
}

/// Looks at children while no command is being started.
pub(crate) fn between_starts<T>(look: impl FnOnce() -> T) -> T {
    let _between = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    look()
}
