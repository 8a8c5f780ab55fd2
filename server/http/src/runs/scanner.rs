//! Looks at the files of runs, and only of those that may have changed: the list of directories when the folder has
//! changed, a run when the watcher reports it, and the runs that other processes work on.
//!
//! So a scan costs what changed and what is at work, however many runs are stored.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use attractor::Run;
use attractor_run::{RunId, RunState, owner_of, snapshot_of};
use tokio::sync::Notify;

use super::watcher::RunWatcher;
use crate::view::ListedRun;

/// The resolution of the times of files, with much to spare: a folder that changed so short a time ago may change again
/// without another time.
const RESOLUTION: Duration = Duration::from_millis(100);

/// Finds the runs that changed.
pub(crate) struct RunScanner {
    folder: PathBuf,
    wake: Arc<Notify>,
    /// None while there is no folder.
    watcher: Option<RunWatcher>,
    /// The directories with the name of a run.
    stored: BTreeSet<String>,
    /// When the folder was changed last, as of when they were listed; none if they have to be listed again.
    listed: Option<SystemTime>,
    /// Whether all of them have to be read, since nobody has watched them.
    is_new: bool,
    /// The runs of this process, with the number of the last event that is in the table.
    own: HashMap<String, u64>,
    /// Stored runs that are looked at every time, since another process works on them or nobody watches them.
    open: BTreeMap<String, Stamp>,
}

/// What shows that the files of a run changed.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    journal: Option<(u64, SystemTime)>,
    lock: Option<SystemTime>,
    is_owned: bool,
}

/// A run as it is now; none if it is not stored any more.
pub(crate) type Update = (String, Option<ListedRun>);

impl RunScanner {
    /// Looks at the runs in a folder, which need not exist. `wake` is notified when it is worth while to look again.
    pub(crate) fn new(folder: PathBuf, wake: Arc<Notify>) -> Self {
        Self {
            folder,
            wake,
            watcher: None,
            stored: BTreeSet::new(),
            listed: None,
            is_new: true,
            own: HashMap::new(),
            open: BTreeMap::new(),
        }
    }

    /// What may have changed since the scan before. `own` are the runs of this process.
    pub(crate) fn scan(&mut self, own: &[Run]) -> Vec<Update> {
        self.watch_folder();
        let mut suspects = self.changed_list();
        if let Some(watcher) = &self.watcher {
            suspects.extend(watcher.take());
        }
        let open = self.open.iter();
        let changed = open.filter(|(run, stamp)| Stamp::of(&self.folder.join(run)) != **stamp);
        suspects.extend(changed.map(|(run, _)| run.clone()));
        let own_ids: HashSet<&str> = own.iter().map(|run| run.id().as_str()).collect();
        let ended = self
            .own
            .extract_if(|run, _| !own_ids.contains(run.as_str()));
        suspects.extend(ended.map(|(run, _)| run));
        suspects.retain(|run| !own_ids.contains(run.as_str()));
        let mut updates: Vec<Update> = own.iter().filter_map(|run| self.own_update(run)).collect();
        updates.extend(suspects.into_iter().filter_map(|run| self.update(run)));
        updates
    }

    /// Watches the folder as soon as there is one, and again where it was replaced by another.
    fn watch_folder(&mut self) {
        let is_there = self.folder.is_dir();
        if self
            .watcher
            .as_ref()
            .is_some_and(|it| it.is_over() || !is_there)
        {
            self.watcher = None;
            self.listed = None;
            self.is_new = true;
            self.open.clear();
        }
        if self.watcher.is_none() && is_there {
            self.watcher = Some(RunWatcher::new(&self.folder, Arc::clone(&self.wake)));
        }
    }

    /// The runs that came or went since the directories were listed.
    fn changed_list(&mut self) -> BTreeSet<String> {
        let changed = fs::metadata(&self.folder).and_then(|about| about.modified());
        let changed = changed.ok();
        if changed.is_some() && changed == self.listed {
            return BTreeSet::new();
        }
        // What changes while the list is read, or just after, may leave the time as it is.
        let is_settled = |time: &SystemTime| time.elapsed().is_ok_and(|age| age > RESOLUTION);
        self.listed = changed.filter(is_settled);
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        // A link could lead out of the folder.
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let names = folders.filter_map(|entry| entry.file_name().into_string().ok());
        let stored: BTreeSet<String> = names.filter(|name| name.parse::<RunId>().is_ok()).collect();
        let before = std::mem::replace(&mut self.stored, stored);
        if std::mem::take(&mut self.is_new) {
            return before.union(&self.stored).cloned().collect();
        }
        before.symmetric_difference(&self.stored).cloned().collect()
    }

    fn own_update(&mut self, run: &Run) -> Option<Update> {
        let id = run.id().as_str();
        let last = run.last();
        if last == 0 || self.own.get(id) == Some(&last) {
            return None;
        }
        self.own.insert(id.to_owned(), last);
        self.forget(id);
        Some((id.to_owned(), Some(ListedRun::of(run.snapshot()))))
    }

    /// The run of another process, or of none.
    fn update(&mut self, run: String) -> Option<Update> {
        run.parse::<RunId>().ok()?;
        let directory = self.folder.join(&run);
        let stamp = Stamp::of(&directory);
        let Ok(snapshot) = snapshot_of(&directory) else {
            self.forget(&run);
            return Some((run, None));
        };
        let may_change = snapshot.state != RunState::Success;
        let watcher = self.watcher.as_mut();
        let is_watched = may_change && watcher.is_some_and(|watcher| watcher.watch(&run));
        // The end of a process that is killed need not change a file.
        if may_change && (stamp.is_owned || !is_watched || Stamp::of(&directory) != stamp) {
            self.open.insert(run.clone(), stamp);
        } else {
            self.open.remove(&run);
        }
        if !may_change {
            self.forget(&run);
        }
        Some((run, Some(ListedRun::of(snapshot))))
    }

    /// Does not look at the files of a run any more.
    fn forget(&mut self, run: &str) {
        self.open.remove(run);
        if let Some(watcher) = &mut self.watcher {
            watcher.unwatch(run);
        }
    }
}

impl Stamp {
    fn of(directory: &Path) -> Self {
        let about = |name: &str| fs::metadata(directory.join(name)).ok();
        let journal = about("journal.jsonl");
        let lock = about("lock");
        Self {
            journal: journal.and_then(|about| Some((about.len(), about.modified().ok()?))),
            lock: lock.and_then(|about| about.modified().ok()),
            is_owned: owner_of(directory).is_some(),
        }
    }
}
