//! Watches the folder of the runs, for those that other processes start, continue and remove.
//!
//! The directories of runs that cannot change any more are not watched. Where the system does not watch, or has no watches
//! left, the caller looks at the files of the run itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_exec::WATCHES_TREES;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

/// The most directories of runs that are watched.
const MOST: usize = 10_000;

/// Reports the runs whose files changed.
pub(crate) struct RunWatcher {
    folder: PathBuf,
    native: Option<RecommendedWatcher>,
    watched: BTreeSet<String>,
    changes: Arc<Changes>,
}

/// What changed, from the thread that watches to the scanner.
struct Changes {
    runs: Mutex<BTreeSet<String>>,
    /// Whether the folder was removed, or has another name.
    is_over: AtomicBool,
    wake: Arc<Notify>,
}

impl RunWatcher {
    /// Watches a folder, which exists. `wake` is notified of changes.
    pub(crate) fn new(folder: &Path, wake: Arc<Notify>) -> Self {
        // The system reports paths without symbolic links.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let changes = Arc::new(Changes {
            runs: Mutex::default(),
            is_over: AtomicBool::default(),
            wake,
        });
        let mode = if WATCHES_TREES {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        let mut native = notify::recommended_watcher(report(&folder, &changes)).ok();
        if let Some(Err(error)) = native.as_mut().map(|native| native.watch(&folder, mode)) {
            tracing::warn!(%error, folder = %folder.display(), "cannot watch the folder of the runs");
            native = None;
        }
        Self {
            folder,
            native,
            watched: BTreeSet::new(),
            changes,
        }
    }

    /// Whether the folder is not there any more, even if another one has its name.
    pub(crate) fn is_over(&self) -> bool {
        self.changes.is_over.load(Ordering::Relaxed)
    }

    /// The runs whose files changed since this was called before.
    pub(crate) fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.changes.lock())
    }

    /// Watches the directory of a run. Whether its changes are reported from now on.
    pub(crate) fn watch(&mut self, run: &str) -> bool {
        let Some(native) = &mut self.native else {
            return false;
        };
        if WATCHES_TREES || self.watched.contains(run) {
            return true;
        }
        let directory = self.folder.join(run);
        let is_watched = self.watched.len() < MOST
            && native
                .watch(&directory, RecursiveMode::NonRecursive)
                .is_ok();
        if is_watched {
            self.watched.insert(run.to_owned());
        }
        is_watched
    }

    /// Does not watch the directory of a run any more.
    pub(crate) fn unwatch(&mut self, run: &str) {
        if self.watched.remove(run)
            && let Some(native) = &mut self.native
        {
            // A directory that was removed is not watched any more.
            let _ = native.unwatch(&self.folder.join(run));
        }
    }
}

impl Changes {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes the runs whose files changed. Opening and reading them changes nothing; that a writer has closed one may be the
/// end of its process.
fn report(
    folder: &Path,
    changes: &Arc<Changes>,
) -> impl Fn(notify::Result<Event>) + Send + 'static {
    let (folder, changes) = (folder.to_owned(), Arc::clone(changes));
    move |event| {
        let Ok(event) = event else { return };
        let is_read = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            EventKind::Access(_) => true,
            _ => false,
        };
        if is_read {
            return;
        }
        let is_move = matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        if is_move && event.paths.contains(&folder) {
            changes.is_over.store(true, Ordering::Relaxed);
            changes.wake.notify_one();
        }
        let runs = event.paths.iter().filter_map(|path| {
            let name = path.strip_prefix(&folder).ok()?.iter().next()?;
            Some(name.to_str()?.to_owned())
        });
        let mut noted = changes.lock();
        let before = noted.len();
        noted.extend(runs);
        let is_new = noted.len() > before;
        drop(noted);
        if is_new {
            changes.wake.notify_one();
        }
    }
}
