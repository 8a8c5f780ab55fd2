//! The server in one line, for status bars.

use attractor_run::RunState;

use crate::ext::notifications::{Health, StatusNotification, StatusParams};
use crate::session::Session;

/// Tells clients that draw how many runs there are and how many wait.
pub(crate) async fn tell(session: &Session) {
    if !session.features().run_state {
        return;
    }
    let states: Vec<_> = session.runs.all().iter().map(|live| live.state()).collect();
    let count = |wanted: RunState| states.iter().filter(|state| **state == wanted).count();
    let waiting = count(RunState::Waiting);
    let params = StatusParams {
        health: Health::Ok,
        message: None,
        running: count(RunState::Running) + waiting,
        waiting,
    };
    session
        .client
        .send_notification::<StatusNotification>(params)
        .await;
}
