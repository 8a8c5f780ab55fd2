//! The events of a session on their way to a reader: in order, none lost, and the session waits for a slow reader.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::{AgentEvent, AgentEventKind};
use crate::clock::Clock;

/// How many events wait for the reader before the session waits too.
const CAPACITY: usize = 256;

/// Publishes events. Clones publish to the same reader.
#[derive(Debug, Clone)]
pub struct EventEmitter {
    queue: Arc<Queue>,
    clock: Arc<dyn Clock>,
}

/// Receives the events of a session. The session waits for it; when it is dropped, events are dropped too.
#[derive(Debug)]
pub struct AgentEvents {
    queue: Arc<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    inner: Mutex<Inner>,
    readable: Notify,
    writable: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    events: VecDeque<AgentEvent>,
    /// No more events follow.
    closed: bool,
    /// Nobody reads.
    unread: bool,
    /// Events published so far, those about progress left out.
    count: u64,
}

/// An emitter and its reader.
pub(crate) fn channel(clock: Arc<dyn Clock>) -> (EventEmitter, AgentEvents) {
    let queue = Arc::<Queue>::default();
    let emitter = EventEmitter {
        queue: Arc::clone(&queue),
        clock,
    };
    (emitter, AgentEvents { queue })
}

impl EventEmitter {
    /// Publishes an event; nothing after [`close`](Self::close).
    pub fn emit(&self, kind: AgentEventKind) {
        let mut inner = self.queue.lock();
        if !matches!(kind, AgentEventKind::Progress(_)) {
            inner.count += 1;
        }
        if inner.closed || inner.unread {
            return;
        }
        let is_full = inner.events.len() >= CAPACITY;
        let kind = match inner.events.back_mut() {
            // A reader that is late receives longer pieces instead of more of them.
            Some(last) if is_full => match last.kind.append(kind) {
                None => return,
                Some(kind) => kind,
            },
            _ => kind,
        };
        inner.events.push_back(AgentEvent {
            kind,
            timestamp: self.clock.now(),
        });
        drop(inner);
        self.queue.readable.notify_one();
    }

    /// Waits while the reader is far behind.
    pub async fn flow(&self) {
        loop {
            let writable = self.queue.writable.notified();
            {
                let inner = self.queue.lock();
                if inner.closed || inner.unread || inner.events.len() < CAPACITY {
                    return;
                }
            }
            writable.await;
        }
    }

    /// How many events there were, those about progress left out.
    pub(crate) fn count(&self) -> u64 {
        self.queue.lock().count
    }

    /// No more events follow.
    pub fn close(&self) {
        self.queue.lock().closed = true;
        self.queue.readable.notify_one();
        self.queue.writable.notify_waiters();
    }
}

impl AgentEvents {
    /// The next event; none when the session is closed and all were read.
    pub async fn recv(&mut self) -> Option<AgentEvent> {
        loop {
            let readable = self.queue.readable.notified();
            {
                let mut inner = self.queue.lock();
                if let Some(event) = inner.events.pop_front() {
                    drop(inner);
                    self.queue.writable.notify_waiters();
                    return Some(event);
                }
                if inner.closed {
                    return None;
                }
            }
            readable.await;
        }
    }

    /// The events that wait.
    pub fn drain(&mut self) -> Vec<AgentEvent> {
        let events = std::mem::take(&mut self.queue.lock().events);
        self.queue.writable.notify_waiters();
        events.into()
    }
}

impl Drop for AgentEvents {
    fn drop(&mut self) {
        let mut inner = self.queue.lock();
        inner.unread = true;
        inner.events.clear();
        drop(inner);
        self.queue.writable.notify_waiters();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::FixedClock;

    fn delta(text: &str) -> AgentEventKind {
        AgentEventKind::AssistantTextDelta {
            text: text.to_string(),
        }
    }

    #[tokio::test]
    async fn nothing_is_lost_and_a_late_reader_delays_the_session() {
        let (emitter, mut events) = channel(Arc::new(FixedClock(1.0)));
        for number in 0..1000 {
            emitter.emit(delta(&format!("{number} ")));
        }
        let waiting = tokio::spawn({
            let emitter = emitter.clone();
            async move { emitter.flow().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        emitter.emit(AgentEventKind::AssistantTextEnd {
            text: "end".to_owned(),
        });
        emitter.close();
        let mut text = String::new();
        let mut count = 0;
        while let Some(event) = events.recv().await {
            count += 1;
            if let AgentEventKind::AssistantTextDelta { text: piece } = event.kind {
                text += &piece;
            }
        }
        waiting.await.unwrap();
        let expected: Vec<String> = (0..1000).map(|number| format!("{number} ")).collect();
        assert_eq!(text, expected.concat());
        assert_eq!(count, CAPACITY + 1);
    }

    #[tokio::test]
    async fn a_reader_that_is_gone_delays_nothing() {
        let (emitter, events) = channel(Arc::new(FixedClock(1.0)));
        for number in 0..2 * CAPACITY {
            emitter.emit(delta(&number.to_string()));
        }
        drop(events);
        emitter.flow().await;
        emitter.emit(delta("x"));
        assert_eq!(emitter.count(), 2 * CAPACITY as u64 + 1);
    }
}
