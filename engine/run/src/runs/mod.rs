//! Looking at runs on disk, also those another process owns. Nothing here changes a run.

pub(crate) mod status_report;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use attractor_machine::event::{Event, NodeAttempt};
use attractor_machine::outcome::Usage;
use attractor_machine::snapshot::RunSnapshot;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::file_changes::{snapshot_store, snapshots_of_run};
use crate::id::RunId;
use crate::launch::ModeName;
use crate::project::runs_dir::refuse_links;
use crate::replay::recover::{not_started, view_of};
use crate::store::{Layout, Lock, Manifest, load};
use crate::worktrees;
use attractor_model::{Reality, RunState};

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct RunSummary {
    /// The run's id.
    pub run: String,
    /// The pipeline's name.
    pub pipeline: String,
    /// The DOT file.
    pub path: PathBuf,
    /// The run's directory.
    pub directory: PathBuf,
    /// Where its commands run.
    pub workdir: PathBuf,
    /// Its state; `interrupted` when it has not ended and no process owns it.
    pub state: RunState,
    /// What it was started as.
    pub mode: ModeName,
    /// How real it is.
    #[serde(default)]
    pub reality: Reality,
    /// When it began, RFC 3339.
    pub started_at: String,
    /// When it ended, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// The node that was entered last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Nodes executed, repetitions counted.
    pub steps: u64,
    /// How many different nodes are done.
    pub done: u32,
    /// How many nodes the pipeline has.
    pub nodes: u32,
    /// What it cost.
    pub usage: Usage,
}

/// A run in a list whose records cannot be read: they are damaged, empty, or of another version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct UnreadableRun {
    /// The run's id.
    pub run: String,
    /// The run's directory.
    pub directory: PathBuf,
    /// Why, and what could be saved.
    pub reason: String,
}

/// What becomes of runs that cannot be read when runs are deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadableRuns {
    /// They stay.
    Keep,
    /// They are deleted, too.
    Prune,
}

/// The runs below `runs_dir`, newest first. What is not a run, or cannot be read, is left out.
pub fn list_runs(runs_dir: &Path) -> Vec<RunSummary> {
    survey_runs(runs_dir).0
}

/// The runs below `runs_dir`, newest first, and those that cannot be read.
pub fn survey_runs(runs_dir: &Path) -> (Vec<RunSummary>, Vec<UnreadableRun>) {
    let mut unreadable = Vec::new();
    let runs = each_run(runs_dir).filter_map(|(id, run)| match run {
        Ok(run) => Some(run),
        Err(error) => {
            unreadable.push(UnreadableRun {
                run: id.to_string(),
                directory: runs_dir.join(id.as_str()),
                reason: error.to_string(),
            });
            None
        }
    });
    (runs.collect(), unreadable)
}

/// The newest run below `runs_dir` that fits.
pub fn newest_run(runs_dir: &Path, fits: impl Fn(&RunSummary) -> bool) -> Option<RunSummary> {
    let mut runs = each_run(runs_dir).filter_map(|(_, run)| run.ok());
    runs.find(fits)
}

/// The runs below `runs_dir`, newest first; each is read when it is taken.
fn each_run(runs_dir: &Path) -> impl Iterator<Item = (RunId, Result<RunSummary, RunError>)> {
    let runs_dir = runs_dir.to_owned();
    let entries = fs::read_dir(&runs_dir).into_iter().flatten();
    let mut ids: Vec<RunId> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    ids.sort_by(|left, right| right.cmp(left));
    ids.into_iter().map(move |id| {
        let run = summary(&runs_dir.join(id.as_str()));
        (id, run)
    })
}

/// The run in `directory`.
///
/// # Errors
/// It is no run, or its journal is damaged.
pub fn summary(directory: &Path) -> Result<RunSummary, RunError> {
    let manifest = Manifest::load(&Layout::new(directory.to_owned()))?;
    let snapshot = snapshot_of(directory)?;
    Ok(RunSummary {
        run: manifest.run,
        pipeline: manifest.pipeline,
        path: manifest.source.path,
        directory: directory.to_owned(),
        workdir: manifest.workdir,
        state: snapshot.state,
        mode: manifest.mode,
        reality: snapshot.reality,
        started_at: manifest.started_at,
        ended_at: snapshot.ended_at,
        node: snapshot.current,
        steps: snapshot.steps,
        done: snapshot.done,
        nodes: snapshot.total,
        usage: snapshot.usage,
    })
}

/// The run in `directory` as it is now, from its last checkpoint and the events after it; `interrupted` when it has not
/// ended and no process owns it.
///
/// # Errors
/// It is no run, or its journal is damaged.
pub fn snapshot_of(directory: &Path) -> Result<RunSnapshot, RunError> {
    let layout = Layout::new(directory.to_owned());
    let mut snapshot = view_of(&layout)?;
    if snapshot.run.is_empty() {
        return Err(not_started(&layout));
    }
    if !snapshot.state.is_end() && owner_of(directory).is_none() {
        snapshot.interrupt();
    }
    Ok(snapshot)
}

/// The runs of sub-pipelines in the run in `directory`, named `RUN/CHILD`.
///
/// # Errors
/// It is no run, or its journal is damaged.
pub fn children(directory: &Path) -> Result<Vec<RunSummary>, RunError> {
    let parent = summary(directory)?;
    let snapshot = snapshot_of(directory)?;
    let mut found = Vec::new();
    let mut open = vec![&snapshot];
    while let Some(run) = open.pop() {
        for child in run.children.values() {
            let run = &child.run;
            open.push(run);
            found.push(RunSummary {
                run: run.run.clone(),
                pipeline: run.pipeline.clone(),
                state: run.state,
                started_at: run.started_at.clone(),
                ended_at: run.ended_at.clone(),
                node: run.current.clone(),
                steps: run.steps,
                done: run.done,
                nodes: run.total,
                usage: run.usage,
                ..parent.clone()
            });
        }
    }
    Ok(found)
}

/// Bytes of the journal of the run in `directory`, by which a reader sees that there is more than before; 0 where there is
/// none.
pub fn journal_bytes(directory: &Path) -> u64 {
    let journal = Layout::new(directory.to_owned()).journal();
    fs::metadata(journal).map_or(0, |journal| journal.len())
}

/// The text of the pipeline of the run in `directory` as the run began with it, secrets masked.
pub fn stored_pipeline(directory: &Path) -> Option<String> {
    fs::read_to_string(Layout::new(directory.to_owned()).pipeline()).ok()
}

/// The events of the run in `directory`, also while it runs.
///
/// # Errors
/// There is no journal, it is empty, or it is damaged before its end.
pub fn load_events(directory: &Path) -> Result<Vec<Event>, RunError> {
    let layout = Layout::new(directory.to_owned());
    let loaded = load(&layout.journal())?;
    if loaded.records.is_empty() {
        return Err(not_started(&layout));
    }
    Ok(loaded
        .records
        .into_iter()
        .map(|record| record.event)
        .collect())
}

/// Where the run in `directory` keeps the files of one attempt of a node.
pub fn stage_directory(directory: &Path, at: &NodeAttempt) -> PathBuf {
    Layout::new(directory.to_owned()).stage(at)
}

/// The copy of its DOT file that the run in `directory` keeps.
pub fn source_file(directory: &Path) -> PathBuf {
    Layout::new(directory.to_owned()).pipeline()
}

/// The directory of a run, by its id, the beginning of its id, or its directory itself.
///
/// # Errors
/// There is no such run, or more than one id begins so.
pub fn find_run(runs_dir: &Path, run: &str) -> Result<PathBuf, RunError> {
    let directory = Path::new(run);
    let name = directory.file_name().and_then(|name| name.to_str());
    let is_named = name.is_some_and(|name| name.parse::<RunId>().is_ok()) && directory.is_dir();
    if is_named || Layout::new(directory.to_owned()).manifest().exists() {
        return Ok(directory.to_owned());
    }
    let unknown = || RunError::UnknownRun {
        run: run.to_owned(),
        runs_dir: runs_dir.to_owned(),
    };
    let beginning = run.to_ascii_uppercase();
    if beginning.is_empty()
        || !beginning
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric())
    {
        return Err(unknown());
    }
    let entries = fs::read_dir(runs_dir).into_iter().flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with(&beginning) && name.parse::<RunId>().is_ok())
        .collect();
    found.sort();
    match found.as_slice() {
        [] => Err(unknown()),
        [name] => Ok(runs_dir.join(name)),
        _ => Err(RunError::AmbiguousRun {
            prefix: run.to_owned(),
            candidates: found,
        }),
    }
}

/// The process that owns the run in `directory`, if one does.
pub fn owner_of(directory: &Path) -> Option<u32> {
    Lock::owner(directory).map(|owner| u32::try_from(owner.process.pid).unwrap_or_default())
}

/// Removes all but the newest `keep` runs; runs that a process owns or that can be resumed stay. Directories of
/// runs that were never recorded go too. Gives the directories removed.
///
/// # Errors
/// A directory cannot be removed.
pub fn prune(
    runs_dir: &Path,
    keep: usize,
    unreadable: UnreadableRuns,
) -> Result<Vec<PathBuf>, RunError> {
    refuse_links(runs_dir)?;
    let removed = prunable(runs_dir, keep, unreadable);
    for directory in &removed {
        remove(directory)?;
    }
    prune_snapshots(runs_dir)?;
    Ok(removed)
}

/// The directories that [`prune`] would remove now.
pub fn prunable(runs_dir: &Path, keep: usize, unreadable: UnreadableRuns) -> Vec<PathBuf> {
    let (runs, damaged) = survey_runs(runs_dir);
    let finished = runs
        .into_iter()
        .skip(keep)
        .filter(|run| run.state.is_end())
        .map(|run| run.directory);
    let damaged = damaged
        .into_iter()
        .filter(|_| unreadable == UnreadableRuns::Prune)
        .map(|run| run.directory);
    let mut found: Vec<PathBuf> = finished
        .chain(damaged)
        .chain(abandoned(runs_dir))
        .filter(|directory| owner_of(directory).is_none())
        .collect();
    // An abandoned run is unreadable, too.
    let mut seen = HashSet::new();
    found.retain(|directory| seen.insert(directory.clone()));
    found
}

/// Removes the stored files that only runs that are gone needed.
fn prune_snapshots(runs_dir: &Path) -> Result<(), RunError> {
    let needed = || {
        let runs = fs::read_dir(runs_dir).into_iter().flatten().flatten();
        let snapshots = runs.flat_map(|run| snapshots_of_run(&run.path()));
        snapshots.collect()
    };
    snapshot_store(runs_dir).retain(needed)?;
    Ok(())
}

/// How old a directory without a run must be: a younger one may be a run that is just starting.
const ABANDONED: Duration = Duration::from_mins(1);

/// Directories whose process ended before it had recorded a run, or had removed one.
fn abandoned(runs_dir: &Path) -> Vec<PathBuf> {
    let is_old = |path: &Path| {
        let changed = fs::metadata(path).and_then(|about| about.modified()).ok();
        changed.is_some_and(|changed| changed.elapsed().is_ok_and(|age| age > ABANDONED))
    };
    let entries = fs::read_dir(runs_dir).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| {
                Layout::is_draft(name)
                    || name.parse::<RunId>().is_ok()
                        && matches!(summary(path), Err(RunError::Incomplete { .. }))
            })
        })
        .filter(|path| is_old(path))
        .collect()
}

/// Removes a run. It is renamed first, so that no reader sees part of it.
fn remove(directory: &Path) -> Result<(), RunError> {
    let name = directory.file_name().and_then(|name| name.to_str());
    let (Some(parent), Some(name)) = (directory.parent(), name) else {
        return Ok(());
    };
    worktrees::remove_all(directory)?;
    let leaving = Layout::draft(parent, name.trim_start_matches('.'));
    let removed =
        fs::rename(directory, leaving.root()).and_then(|()| fs::remove_dir_all(leaving.root()));
    match removed {
        // Another process was first.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(RunError::io("cannot remove", directory)),
    }
}
