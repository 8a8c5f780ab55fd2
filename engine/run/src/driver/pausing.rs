//! A run is paused and continues: requests of users, and the clocks that stand still meanwhile.

use std::time::Duration;

use attractor_machine::question::Answered;
use attractor_machine::transition::{InputKind, State};
use futures::future::BoxFuture;
use tokio::sync::watch;

use super::run_task::RunTask;
use crate::clock::Clock;
use crate::control::pause_request::PauseRequest;
use crate::error::RunError;

impl RunTask {
    /// Does what a user asks of a run that is paused, or is to be paused.
    pub(super) fn pause_request(&mut self, request: PauseRequest) -> Result<Answered, RunError> {
        if let Some(reason) = refusal(&request, &self.context.state) {
            return Ok(Answered::refused(reason));
        }
        let input = match request {
            PauseRequest::Pause { by } => InputKind::Pause { by },
            PauseRequest::Continue { step, by } => InputKind::Continue { step, by },
            PauseRequest::Points { points, by } => InputKind::PausePoints { points, by },
            PauseRequest::Override {
                frame,
                mut set,
                next,
                by,
            } => {
                for value in set.values_mut() {
                    self.redactor.value(value);
                }
                InputKind::Override {
                    frame,
                    set,
                    next,
                    by,
                }
            }
        };
        self.apply(input)?;
        Ok(Answered::accepted())
    }

    /// Stops the clocks of the run while it is paused. They continue afterwards. Its active time continues while a
    /// step still runs.
    pub(super) fn keep_clocks(&mut self) {
        let paused = self.context.state.is_paused();
        self.paused
            .send_if_modified(|known| std::mem::replace(known, paused) != paused);
        let works = self.running.values().any(|running| running.inbox.is_some());
        let now = self.context.clock.elapsed();
        match self.still {
            None if paused && !works => self.still = Some(now),
            Some(since) if !paused || works => {
                self.still = None;
                self.begun += now.saturating_sub(since);
            }
            _ => {}
        }
        if paused {
            self.quiet_since = now;
        }
    }
}

/// Why a request cannot be met.
fn refusal(request: &PauseRequest, state: &State) -> Option<String> {
    let not_paused = || (!state.is_paused()).then(|| "the run is not paused".to_owned());
    match request {
        PauseRequest::Pause { .. } => state
            .is_paused()
            .then(|| "the run is already paused".to_owned()),
        PauseRequest::Points { .. } => None,
        PauseRequest::Continue { .. } => not_paused(),
        PauseRequest::Override { frame, .. } => not_paused().or_else(|| {
            let is_there = state.frames.contains_key(frame);
            (!is_there).then(|| "the branch has ended".to_owned())
        }),
    }
}

/// A delay that does not pass while the run is paused.
pub(super) struct PausableSleep {
    over: BoxFuture<'static, ()>,
    begun: Duration,
    left: Duration,
}

impl PausableSleep {
    /// A delay that begins now.
    pub(super) fn new(clock: &dyn Clock, delay: Duration) -> Self {
        Self {
            over: clock.sleep(delay),
            begun: clock.elapsed(),
            left: delay,
        }
    }

    /// Until it is over.
    pub(super) async fn wait(mut self, clock: &dyn Clock, mut paused: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                () = &mut self.over => return,
                Ok(_) = paused.wait_for(|paused| *paused) => {}
            }
            let elapsed = clock.elapsed().saturating_sub(self.begun);
            self.left = self.left.saturating_sub(elapsed);
            self.over = Box::pin(std::future::pending());
            // The owner is gone when there is no sender, and its timers with it.
            if paused.wait_for(|paused| !paused).await.is_err() {
                return std::future::pending().await;
            }
            self.over = clock.sleep(self.left);
            self.begun = clock.elapsed();
        }
    }
}
