//! Messages to the work of a node, from people and supervisors.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError};

use attractor_machine::control::SteeringMessage;
use tokio::sync::{Mutex, mpsc};

type Returned = std::sync::Mutex<Vec<SteeringMessage>>;

/// The messages of one attempt.
#[derive(Clone)]
pub(crate) struct Inbox {
    send: mpsc::UnboundedSender<SteeringMessage>,
    received: Arc<Mutex<mpsc::UnboundedReceiver<SteeringMessage>>>,
    /// Whether the work has asked for messages.
    read: Arc<AtomicBool>,
    /// Messages that the work took and could not use.
    returned: Arc<Returned>,
}

impl Default for Inbox {
    fn default() -> Self {
        let (send, received) = mpsc::unbounded_channel();
        Self {
            send,
            received: Arc::new(Mutex::new(received)),
            read: Arc::default(),
            returned: Arc::default(),
        }
    }
}

impl Inbox {
    /// Whether somebody reads it.
    pub(crate) fn is_read(&self) -> bool {
        self.read.load(Ordering::SeqCst)
    }

    /// Somebody will read it.
    pub(super) fn open(&self) {
        self.read.store(true, Ordering::SeqCst);
    }

    pub(crate) fn send(&self, message: SteeringMessage) {
        // The receiver lives as long as this.
        let _ = self.send.send(message);
    }

    /// The work has taken messages that it cannot use any more.
    pub(super) fn give_back(&self, messages: Vec<SteeringMessage>) {
        self.returned().extend(messages);
    }

    /// The messages that the work, which has ended, has not used.
    pub(crate) fn unread(&self) -> Vec<SteeringMessage> {
        let mut unread = std::mem::take(&mut *self.returned());
        unread.extend(self.arrived());
        unread
    }

    fn returned(&self) -> MutexGuard<'_, Vec<SteeringMessage>> {
        self.returned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The messages that have arrived.
    pub(super) fn take(&self) -> Vec<SteeringMessage> {
        self.open();
        self.arrived()
    }

    fn arrived(&self) -> Vec<SteeringMessage> {
        // A task that waits for the next message gets it.
        let Ok(mut received) = self.received.try_lock() else {
            return Vec::new();
        };
        std::iter::from_fn(|| received.try_recv().ok()).collect()
    }

    /// The next message, when there is one.
    pub(super) async fn next(&self) -> SteeringMessage {
        self.open();
        match self.received.lock().await.recv().await {
            Some(message) => message,
            // The sender lives as long as this.
            None => std::future::pending().await,
        }
    }
}
