//! `shutdown`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::session::Session;

/// Interrupts the runs at a checkpoint. They reach it while the client prepares `exit`.
pub(crate) fn handle(session: &Arc<Session>) {
    session.shutdown_requested.store(true, Ordering::Relaxed);
    session.runs.interrupt_all();
}
