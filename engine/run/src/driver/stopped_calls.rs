//! Model calls that were stopped with their branch, and have not reported yet what they used.
//!
//! The run waits for these reports before its next step, so that budgets hold and the journal has them in order. A call
//! ends as soon as its connection is closed; one that does not is not waited for.

use std::collections::HashSet;
use std::time::Duration;

use attractor_machine::frame::Ticket;
use tokio::time::Instant;

/// How long to wait for the reports.
const PATIENCE: Duration = Duration::from_secs(1);

/// The calls that are waited for.
#[derive(Debug, Default)]
pub(super) struct StoppedCalls {
    tickets: HashSet<Ticket>,
    until: Option<Instant>,
}

impl StoppedCalls {
    /// Waits for one more.
    pub(super) fn add(&mut self, ticket: Ticket) {
        self.tickets.insert(ticket);
        self.until = Some(Instant::now() + PATIENCE);
    }

    /// One has reported.
    pub(super) fn reported(&mut self, ticket: Ticket) {
        self.tickets.remove(&ticket);
        if self.tickets.is_empty() {
            self.until = None;
        }
    }

    /// Whether the run may continue.
    pub(super) fn is_over(&self) -> bool {
        self.tickets.is_empty()
    }

    /// When the rest is not waited for any more.
    pub(super) fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Waits no more.
    pub(super) fn give_up(&mut self) {
        *self = Self::default();
    }
}
