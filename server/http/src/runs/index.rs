//! The list of runs, kept in memory and current, for any number of readers.
//!
//! A request for the list looks at what changed since the one before. While somebody reads the changes as they happen,
//! one task looks whenever a run of this process or the watcher reports something, for all readers.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use attractor::Run;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;
use ulid::Ulid;

use super::scanner::RunScanner;
use super::table::RunTable;

/// How long changes are gathered before readers get them.
const GATHER: Duration = Duration::from_millis(50);

/// How often the runs of other processes are looked at: one that was killed reports nothing.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The list of runs.
pub(crate) struct RunIndex {
    /// Distinguishes the revisions of this list from those of an earlier process.
    pub(crate) epoch: String,
    scanner: Mutex<RunScanner>,
    table: Mutex<RunTable>,
    /// Notified when it is worth while to look at runs again.
    wake: Arc<Notify>,
    news: watch::Sender<News>,
    /// Whether a task keeps the list current.
    is_kept_current: Mutex<bool>,
}

/// What readers wait for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct News {
    /// The revision of the last change.
    pub(crate) revision: u64,
    /// Whether there will be no more.
    pub(crate) is_closed: bool,
}

impl RunIndex {
    pub(crate) fn new(folder: PathBuf) -> Self {
        let wake = Arc::new(Notify::new());
        Self {
            epoch: Ulid::generate().to_string(),
            scanner: Mutex::new(RunScanner::new(folder, Arc::clone(&wake))),
            table: Mutex::default(),
            wake,
            news: watch::Sender::default(),
            is_kept_current: Mutex::default(),
        }
    }

    /// The runs, as of the last look.
    pub(crate) fn table(&self) -> MutexGuard<'_, RunTable> {
        lock(&self.table)
    }

    /// Looks at what may have changed. Reads files.
    pub(crate) fn refresh(&self, own: &[Run]) {
        // Held until the table is current, so that a later look does not overtake this one.
        let mut scanner = lock(&self.scanner);
        let updates = scanner.scan(own);
        let mut table = self.table();
        for (id, run) in updates {
            match run {
                Some(run) => table.set(run),
                None => table.remove(&id),
            }
        }
        let revision = table.revision();
        drop(table);
        self.news.send_if_modified(|news| {
            let is_new = news.revision != revision;
            news.revision = revision;
            is_new
        });
    }

    /// A run of this process has changed.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    /// A reader of changes. `true` if a task has to be started that calls [`RunIndex::keep_current`].
    pub(crate) fn subscribe(&self) -> (watch::Receiver<News>, bool) {
        let mut is_kept_current = lock(&self.is_kept_current);
        let is_first = !std::mem::replace(&mut *is_kept_current, true);
        (self.news.subscribe(), is_first)
    }

    /// Looks at runs whenever something is reported, until nobody reads.
    pub(crate) async fn keep_current<F: Future<Output = ()>>(&self, mut look: impl FnMut() -> F) {
        loop {
            look().await;
            tokio::select! {
                () = self.wake.notified() => sleep(GATHER).await,
                () = sleep(LOOK_EVERY) => {}
            }
            let mut is_kept_current = lock(&self.is_kept_current);
            if self.news.receiver_count() == 0 || self.news.borrow().is_closed {
                *is_kept_current = false;
                return;
            }
        }
    }

    /// Readers get what has changed, and no more.
    pub(crate) fn close(&self) {
        self.news.send_modify(|news| news.is_closed = true);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
