//! Watches the files that open documents depend on: prompts, stylesheets, sub-pipelines, the configuration.
//!
//! Many clients watch no files, and those that do watch only what lies in their folders. So the server itself watches
//! exactly the paths that the analysis of the open documents asked for, existing or not. Where the system cannot
//! watch, those folders are polled.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

use crate::paths;
use crate::reload::reload;
use crate::session::Session;
use attractor_proto::sync::lock;

/// Files watched at most, over all documents.
const MAX_FILES: usize = 1_000;
/// How long changes are gathered before documents are read again.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// How often folders are looked at that cannot be watched.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Paths that changed, from the watching thread to the server.
#[derive(Debug, Default)]
struct Changes {
    paths: Mutex<BTreeSet<PathBuf>>,
    wake: Notify,
}

/// Watches for as long as the session lasts.
pub(crate) async fn watch_loop(session: Arc<Session>) {
    let changes = Arc::new(Changes::default());
    let mut folders = Folders::new(&changes);
    let mut wanted = BTreeSet::new();
    loop {
        tokio::select! {
            () = session.documents.dependencies_changed() => {
                let before = std::mem::replace(&mut wanted, wanted_files(&session));
                folders.watch(&wanted);
                // A file that changed after it was read and before it was watched causes no event.
                if wanted != before && session.workspace.has_outdated_configurations() {
                    session.workspace.clear_configurations();
                    reload(&session);
                }
            }
            () = changes.wake.notified() => {
                tokio::time::sleep(DEBOUNCE).await;
                let paths = std::mem::take(&mut *lock(&changes.paths));
                let concerned = concerned(&wanted, &paths);
                if concerned.is_empty() {
                    continue;
                }
                // A folder on the way to a file may have come or gone.
                folders.watch(&wanted);
                if concerned.iter().any(|file| session.workspace.is_configuration(file)) {
                    session.workspace.clear_configurations();
                }
                reload(&session);
            }
        }
    }
}

/// The files that open documents depend on, at most [`MAX_FILES`]. What was looked for outside a document's project,
/// as folders above it are, is left out.
fn wanted_files(session: &Session) -> BTreeSet<PathBuf> {
    let mut wanted = BTreeSet::new();
    for (uri, asked) in session.documents.dependencies() {
        let Some(file) = paths::path_of(&uri) else {
            continue;
        };
        let root = session.workspace.root_of(&file);
        wanted.extend(session.workspace.configuration_paths(&file));
        wanted.extend(asked.into_iter().filter(|path| path.starts_with(&root)));
    }
    wanted.into_iter().take(MAX_FILES).collect()
}

/// The files that changed, or to which a folder on the way changed.
fn concerned<'w>(wanted: &'w BTreeSet<PathBuf>, changed: &BTreeSet<PathBuf>) -> Vec<&'w PathBuf> {
    let is_concerned = |file: &&PathBuf| file.ancestors().any(|part| changed.contains(part));
    wanted.iter().filter(is_concerned).collect()
}

/// The folders under watch.
struct Folders {
    changes: Arc<Changes>,
    native: Option<RecommendedWatcher>,
    polling: Option<PollWatcher>,
    watched: BTreeSet<PathBuf>,
    polled: BTreeSet<PathBuf>,
}

impl Folders {
    fn new(changes: &Arc<Changes>) -> Self {
        Self {
            changes: Arc::clone(changes),
            native: notify::recommended_watcher(report(changes)).ok(),
            polling: None,
            watched: BTreeSet::new(),
            polled: BTreeSet::new(),
        }
    }

    /// Watches the nearest existing folder of each file, and no others.
    fn watch(&mut self, files: &BTreeSet<PathBuf>) {
        let folders: BTreeSet<PathBuf> = files.iter().filter_map(|file| folder_of(file)).collect();
        let gone: Vec<PathBuf> = self.watched.difference(&folders).cloned().collect();
        for folder in gone {
            self.watched.remove(&folder);
            // A folder that was deleted is not watched any more.
            if self.polled.remove(&folder) {
                let _ = self.polling.as_mut().map(|it| it.unwatch(&folder));
            } else {
                let _ = self.native.as_mut().map(|it| it.unwatch(&folder));
            }
        }
        for folder in folders {
            if self.watched.contains(&folder) {
                continue;
            }
            let native = self.native.as_mut();
            let native = native.map(|it| it.watch(&folder, RecursiveMode::NonRecursive));
            if !matches!(native, Some(Ok(()))) {
                self.poll(&folder);
            }
            self.watched.insert(folder);
        }
    }

    fn poll(&mut self, folder: &Path) {
        if self.polling.is_none() {
            let config = Config::default().with_poll_interval(POLL_INTERVAL);
            self.polling = PollWatcher::new(report(&self.changes), config).ok();
        }
        let polling = self.polling.as_mut();
        let polling = polling.map(|it| it.watch(folder, RecursiveMode::NonRecursive));
        if !matches!(polling, Some(Ok(()))) {
            tracing::warn!(folder = %folder.display(), "could not watch the folder");
        }
        self.polled.insert(folder.to_owned());
    }
}

/// Hands changes over to the server; reading a file is none.
fn report(changes: &Arc<Changes>) -> impl Fn(notify::Result<Event>) + Send + 'static {
    let changes = Arc::clone(changes);
    move |event| {
        let Ok(event) = event else { return };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        lock(&changes.paths).extend(event.paths);
        changes.wake.notify_one();
    }
}

/// The nearest folder above a file that exists.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let folders = file.ancestors().skip(1);
    let mut existing = folders.filter(|folder| folder.is_dir());
    existing.next().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> BTreeSet<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn a_change_concerns_a_file_or_a_folder_on_the_way_to_it() {
        let wanted = paths(&["/p/prompts/plan.md"]);
        let about = |changed| !concerned(&wanted, &paths(&[changed])).is_empty();
        assert!(about("/p/prompts/plan.md") && about("/p/prompts"));
        assert!(!about("/p/prompts/other.md") && !about("/p/prompts/plan.md/x"));
    }

    #[test]
    fn a_missing_folder_is_waited_for_in_the_one_above() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("a/b/c.md");
        assert_eq!(folder_of(&file).as_deref(), Some(folder.path()));
        std::fs::create_dir(folder.path().join("a")).expect("created");
        assert_eq!(folder_of(&file), Some(folder.path().join("a")));
    }
}
