//! What may be changed about a session while it works: the messages that wait for the model, the effort, and whether
//! it continues.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use attractor_llm::ReasoningEffort;
use tokio_util::sync::CancellationToken;

/// Shared between the owner of a session, which changes it, and the work, which reads it.
#[derive(Debug)]
pub(super) struct Controls {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    steering: VecDeque<String>,
    effort: Option<ReasoningEffort>,
    /// Ends the work on the input.
    stop: CancellationToken,
    /// Ends what runs now, a model call or tools; the work continues with the messages that wait.
    interrupt: CancellationToken,
}

impl Controls {
    pub(super) fn new(effort: Option<ReasoningEffort>) -> Self {
        let stop = CancellationToken::new();
        Self {
            inner: Mutex::new(Inner {
                steering: VecDeque::new(),
                effort,
                interrupt: stop.child_token(),
                stop,
            }),
        }
    }

    /// Prepares for the next input.
    pub(super) fn begin(&self) {
        let mut inner = self.lock();
        inner.stop = CancellationToken::new();
        inner.interrupt = inner.stop.child_token();
    }

    pub(super) fn steer(&self, message: String) {
        self.lock().steering.push_back(message);
    }

    pub(super) fn interrupt(&self, message: String) {
        let mut inner = self.lock();
        if !message.is_empty() {
            inner.steering.push_back(message);
        }
        inner.interrupt.cancel();
    }

    pub(super) fn stop(&self) {
        self.lock().stop.cancel();
    }

    pub(super) fn set_effort(&self, effort: Option<ReasoningEffort>) {
        self.lock().effort = effort;
    }

    pub(super) fn effort(&self) -> Option<ReasoningEffort> {
        self.lock().effort
    }

    /// The messages that wait.
    pub(super) fn take_steering(&self) -> Vec<String> {
        self.lock().steering.drain(..).collect()
    }

    pub(super) fn has_steering(&self) -> bool {
        !self.lock().steering.is_empty()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.lock().stop.is_cancelled()
    }

    /// Ends with what runs next: when the input is stopped, and when it is interrupted.
    pub(super) fn token(&self) -> CancellationToken {
        let mut inner = self.lock();
        if inner.interrupt.is_cancelled() && !inner.stop.is_cancelled() {
            inner.interrupt = inner.stop.child_token();
        }
        inner.interrupt.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
