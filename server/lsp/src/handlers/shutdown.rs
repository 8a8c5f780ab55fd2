//! `shutdown`.

use std::sync::Arc;

use crate::session::Session;

/// Tells the runs to stop at a checkpoint. They get there while the client makes up its mind to `exit`.
pub(crate) fn handle(session: &Arc<Session>) {
    session.shut_down();
}
