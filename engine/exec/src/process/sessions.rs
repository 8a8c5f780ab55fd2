//! The sessions that commands began, and the steps that these belong to.
//!
//! A process can drop and forge its variables, and leave its session, but it cannot enter another: what is in the session of
//! a command descends from it. The number of a session is that of the process that began it. It is forgotten when nothing
//! is in the session any more, before another process can have it, and when its run is over.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::children::running;

/// The step that a session belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionOwner {
    pub(crate) run: String,
    pub(crate) step: String,
}

fn sessions() -> MutexGuard<'static, HashMap<i32, SessionOwner>> {
    static SESSIONS: OnceLock<Mutex<HashMap<i32, SessionOwner>>> = OnceLock::new();
    let sessions = SESSIONS.get_or_init(Mutex::default);
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers the session of a command.
pub(super) fn began(leader: Option<u32>, run: &str, step: &str) {
    if let Some(session) = leader.and_then(|leader| i32::try_from(leader).ok()) {
        let (run, step) = (run.to_owned(), step.to_owned());
        sessions().insert(session, SessionOwner { run, step });
    }
}

/// The step of a session that a command began.
pub(crate) fn owner_of(session: i32) -> Option<SessionOwner> {
    sessions().get(&session).cloned()
}

/// Forgets the sessions of a run that is over.
pub(super) fn forget_run(run: &str) {
    sessions().retain(|_, owner| owner.run != run);
}

/// Forgets the sessions whose command has ended, but for those in which something lives.
pub(super) fn forget_but(living: &HashSet<i32>) {
    let mut sessions = sessions();
    let running = running().lock().unwrap_or_else(PoisonError::into_inner);
    let is_running = |session: i32| u32::try_from(session).is_ok_and(|one| running.contains(&one));
    sessions.retain(|session, _| living.contains(session) || is_running(*session));
}
