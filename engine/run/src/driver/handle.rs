//! A run seen from outside: follow its events, answer its questions, stop it, wait for its end.
//!
//! A handle holds no state of the run, only the log of its events and a line to its owner. Cloning is
//! cheap; dropping every handle does not stop the run.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_machine::event::Event;
use attractor_machine::question::{Answer, Answered, Question};
use attractor_machine::report::RunReport;
use attractor_machine::snapshot::RunSnapshot;
use futures::stream::{self, Stream};
use tokio::sync::{mpsc, oneshot, watch};

use crate::control::pause_request::PauseRequest;
use crate::id::RunId;
use crate::store::checkpoint_file::Checkpoint;

/// A running (or just finished) run.
#[derive(Clone)]
pub struct RunHandle {
    shared: Arc<Shared>,
}

/// What happens to a message that cannot be delivered now.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Undelivered {
    /// It is refused.
    Refused,
    /// It is kept for the next prompt of its node.
    Kept,
}

/// What a handle asks of the run's owner.
pub(crate) enum RunCommand {
    /// Someone answers a question.
    Answer {
        question: String,
        answer: Answer,
        reply: oneshot::Sender<Answered>,
    },
    /// Someone sends a message to a running node.
    Steer {
        node: String,
        message: String,
        by: String,
        undelivered: Undelivered,
        reply: oneshot::Sender<Answered>,
    },
    /// Someone looks at where the run is.
    Inspect { reply: oneshot::Sender<Checkpoint> },
    /// Someone pauses the run, or changes one that is paused.
    Pausing {
        request: PauseRequest,
        reply: oneshot::Sender<Answered>,
    },
    /// Someone stops the run.
    Cancel { by: String },
    /// The process is about to end.
    Interrupt { by: String },
}

/// What the owner and the handles share.
pub(super) struct Shared {
    id: RunId,
    directory: PathBuf,
    log: Mutex<Log>,
    /// The number of the last event of earlier processes.
    inherited: u64,
    /// Number of events in the log, and whether there will be more.
    progress: watch::Sender<Progress>,
    report: watch::Sender<Option<Arc<RunReport>>>,
    /// Where the run ended.
    last: Mutex<Checkpoint>,
    orders: mpsc::UnboundedSender<RunCommand>,
}

/// What has happened so far, as far as anyone asked.
#[derive(Default)]
pub(super) struct Log {
    /// How many events lie before `events`: those of an earlier process, which are on disk.
    base: usize,
    /// Loaded on first use.
    earlier: Option<Vec<Arc<Event>>>,
    events: Vec<Arc<Event>>,
    snapshot: RunSnapshot,
}

impl Log {
    /// The log of a resumed run: `view` is the snapshot after its first `base` events, `events` follow.
    pub(super) fn after(base: u64, view: RunSnapshot, events: Vec<Event>) -> Self {
        let mut log = Self {
            base: usize::try_from(base).unwrap_or(usize::MAX),
            snapshot: view,
            ..Self::default()
        };
        log.push(events);
        log
    }

    /// The number of its last event.
    pub(super) fn last(&self) -> u64 {
        self.len() as u64
    }

    fn len(&self) -> usize {
        self.base + self.events.len()
    }

    fn push(&mut self, events: impl IntoIterator<Item = Event>) {
        for event in events {
            self.snapshot.apply(&event);
            self.events.push(Arc::new(event));
        }
    }

    /// The events after the first `position`, to the last. What an earlier process left is read when it is wanted.
    fn since(&mut self, position: usize, directory: &Path) -> Vec<Arc<Event>> {
        let Some(missing) = self
            .base
            .checked_sub(position)
            .filter(|missing| *missing > 0)
        else {
            let at = position - self.base;
            return self.events.get(at..).unwrap_or_default().to_vec();
        };
        let base = self.base;
        let earlier = self.earlier.get_or_insert_with(|| earlier(directory, base));
        let from = earlier.len().saturating_sub(missing);
        let earlier = earlier.get(from..).unwrap_or_default().iter();
        earlier.chain(&self.events).cloned().collect()
    }
}

/// The first `count` events of the run in `directory`.
fn earlier(directory: &Path, count: usize) -> Vec<Arc<Event>> {
    let events = crate::runs::load_events(directory).unwrap_or_else(|error| {
        tracing::warn!(%error, "what happened before cannot be shown");
        Vec::new()
    });
    events.into_iter().take(count).map(Arc::new).collect()
}

#[derive(Clone, Copy, Default)]
struct Progress {
    events: usize,
    closed: bool,
}

impl RunHandle {
    /// The run's id.
    pub fn id(&self) -> &RunId {
        &self.shared.id
    }

    /// The run's directory. A dry run has none on disk.
    pub fn directory(&self) -> &Path {
        &self.shared.directory
    }

    /// The number of the last event that was there before this process began to work on the run: 0 for a new one.
    pub fn inherited(&self) -> u64 {
        self.shared.inherited
    }

    /// All events after number `after` (0 for all), past ones first, then new ones as they come, in order
    /// and without holes. The stream ends with the run.
    pub fn subscribe(&self, after: u64) -> impl Stream<Item = Arc<Event>> + Send + use<> {
        let position = usize::try_from(after).unwrap_or(usize::MAX);
        let reader = Subscriber {
            progress: self.shared.progress.subscribe(),
            shared: self.shared.clone(),
            position,
            waiting: VecDeque::new(),
        };
        stream::unfold(reader, |mut reader| async move {
            let event = reader.next().await?;
            Some((event, reader))
        })
    }

    /// The events so far, after number `after`.
    pub fn events(&self, after: u64) -> Vec<Arc<Event>> {
        let position = usize::try_from(after).unwrap_or(usize::MAX);
        let directory = self.directory();
        self.shared.log().since(position, directory)
    }

    /// The run as it is now.
    pub fn snapshot(&self) -> RunSnapshot {
        self.shared.log().snapshot.clone()
    }

    /// After how many model turns the run expires, if it is to expire now.
    pub(super) fn stale(&self) -> Option<u32> {
        self.shared.log().snapshot.trail.stale()
    }

    /// The number of its last event.
    pub fn last(&self) -> u64 {
        self.shared.progress.borrow().events as u64
    }

    /// Questions that are open now.
    pub fn questions(&self) -> Vec<Question> {
        self.shared.log().snapshot.questions.clone()
    }

    /// Answers a question. The first answer that fits counts, and is durable when this returns.
    pub async fn answer(&self, question: &str, answer: Answer) -> Answered {
        let (reply, answered) = oneshot::channel();
        let order = RunCommand::Answer {
            question: question.to_owned(),
            answer,
            reply,
        };
        let sent = self.shared.orders.send(order).is_ok();
        match answered.await {
            Ok(answered) if sent => answered,
            // The run is over.
            _ => self.too_late(question),
        }
    }

    /// Sends a message to a node that runs. It is recorded (event `steering_injected`) when this returns, and the node
    /// reads it when it will.
    pub async fn steer(&self, node: &str, message: &str, by: &str) -> Answered {
        self.send_message(node, message, by, Undelivered::Refused)
            .await
    }

    /// The same as `attractor steer`: a message to a node that does not run, or reads none while it does, is kept for
    /// its next prompt.
    pub async fn steer_or_keep(&self, node: &str, message: &str, by: &str) -> Answered {
        self.send_message(node, message, by, Undelivered::Kept)
            .await
    }

    async fn send_message(
        &self,
        node: &str,
        message: &str,
        by: &str,
        undelivered: Undelivered,
    ) -> Answered {
        let (reply, steered) = oneshot::channel();
        let order = RunCommand::Steer {
            node: node.to_owned(),
            message: message.to_owned(),
            by: by.to_owned(),
            undelivered,
            reply,
        };
        let sent = self.shared.orders.send(order).is_ok();
        match steered.await {
            Ok(steered) if sent => steered,
            _ => Answered::refused("the run is over".to_owned()),
        }
    }

    /// Pauses the run, lets it continue, or changes it while it is paused. What is accepted is durable when this returns.
    pub async fn pausing(&self, request: PauseRequest) -> Answered {
        let (reply, answered) = oneshot::channel();
        let order = RunCommand::Pausing { request, reply };
        let sent = self.shared.orders.send(order).is_ok();
        match answered.await {
            Ok(answered) if sent => answered,
            _ => Answered::refused("the run is over".to_owned()),
        }
    }

    /// Where the run is now, as a checkpoint file would say it; of a run that is over, where it ended. Secrets are
    /// masked.
    pub async fn checkpoint(&self) -> Checkpoint {
        let (reply, inspected) = oneshot::channel();
        let sent = self.shared.orders.send(RunCommand::Inspect { reply });
        if sent.is_ok()
            && let Ok(checkpoint) = inspected.await
        {
            return checkpoint;
        }
        // The run is over, or about to be.
        self.wait().await;
        let last = self.shared.last.lock();
        last.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops the run: its processes get TERM, then KILL. Returns at once; [`RunHandle::wait`] sees the end.
    pub fn cancel(&self, by: &str) {
        // A run that is over needs no stopping.
        let _ = self
            .shared
            .orders
            .send(RunCommand::Cancel { by: by.to_owned() });
    }

    /// Stops the run because its process is about to end: as [`RunHandle::cancel`], but nobody wanted the run to
    /// end, and lists say `interrupted`.
    pub fn interrupt(&self, by: &str) {
        let _ = self
            .shared
            .orders
            .send(RunCommand::Interrupt { by: by.to_owned() });
    }

    /// Waits for the end.
    pub async fn wait(&self) -> Arc<RunReport> {
        let mut report = self.shared.report.subscribe();
        loop {
            if let Some(report) = report.borrow_and_update().clone() {
                return report;
            }
            if report.changed().await.is_err() {
                // The sender lives in `shared`, which this handle keeps.
                std::future::pending::<()>().await;
            }
        }
    }
}

struct Subscriber {
    shared: Arc<Shared>,
    progress: watch::Receiver<Progress>,
    /// How many events have been taken from the log.
    position: usize,
    /// Those that were taken and not given yet.
    waiting: VecDeque<Arc<Event>>,
}

impl Subscriber {
    async fn next(&mut self) -> Option<Arc<Event>> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let progress = *self.progress.borrow_and_update();
            if self.position < progress.events {
                let mut log = self.shared.log();
                self.waiting
                    .extend(log.since(self.position, &self.shared.directory));
                self.position = log.len();
                continue;
            }
            if progress.closed || self.progress.changed().await.is_err() {
                return None;
            }
        }
    }
}

impl Shared {
    /// A handle, and the owner's end of its line.
    pub(super) fn open(
        id: RunId,
        directory: PathBuf,
        log: Log,
    ) -> (RunHandle, mpsc::UnboundedReceiver<RunCommand>) {
        let (orders, received) = mpsc::unbounded_channel();
        let progress = Progress {
            events: log.len(),
            closed: false,
        };
        let shared = Self {
            id,
            directory,
            inherited: log.last(),
            log: Mutex::new(log),
            progress: watch::Sender::new(progress),
            report: watch::Sender::default(),
            last: Mutex::default(),
            orders,
        };
        let handle = RunHandle {
            shared: Arc::new(shared),
        };
        (handle, received)
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunHandle {
    /// Publishes events; only the owner does.
    pub(crate) fn publish(&self, events: impl IntoIterator<Item = Event>) {
        let mut log = self.shared.log();
        log.push(events);
        let events = log.len();
        drop(log);
        self.shared
            .progress
            .send_modify(|progress| progress.events = events);
    }

    /// Ends the streams and gives everyone the report; only the owner does.
    pub(crate) fn close(&self, report: RunReport, last: Checkpoint) {
        *self
            .shared
            .last
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = last;
        self.shared
            .progress
            .send_modify(|progress| progress.closed = true);
        self.shared.report.send_replace(Some(Arc::new(report)));
    }
}
