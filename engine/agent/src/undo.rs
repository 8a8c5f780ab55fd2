//! Undo of what tools changed in files: by change, by turn, by file. Each change is undone at most once, and only while
//! the file is as the change left it, so that nothing of others is lost.

mod diff;

use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clock::Clock;
use crate::workspace::{FileChange, FileError, Workspace};

/// Changes that can be undone; older ones are dropped.
const MAX_CHANGES: usize = 100;

/// Bytes of contents that are remembered; older changes are dropped.
const MAX_BYTES: usize = 256 * 1024 * 1024;

/// A change that a tool made.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackedChange {
    /// Its number, from 1, in the order of the changes.
    pub number: u64,
    /// What changed.
    pub change: FileChange,
    /// The tool.
    pub tool: String,
    /// The turn of the model.
    pub turn: u64,
    /// When, in seconds since the Unix epoch.
    pub timestamp: f64,
    /// Whether it has been undone.
    pub is_undone: bool,
}

/// What to undo.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndoScope {
    /// The latest change.
    Last,
    /// The change of this number.
    Change(u64),
    /// All changes of the latest turn that has any.
    Turn,
    /// The latest change of this file.
    File(PathBuf),
}

/// A change that was undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoneChange {
    /// The file.
    pub path: PathBuf,
    /// What was done to it.
    pub action: UndoAction,
}

/// What undoing does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndoAction {
    /// It had been created, and is deleted.
    Deleted,
    /// It had been deleted, and is there again.
    Restored,
    /// It has its former content.
    Reverted,
}

impl fmt::Display for UndoneChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            UndoAction::Deleted => "deleted",
            UndoAction::Restored => "restored",
            UndoAction::Reverted => "reverted",
        };
        write!(f, "{action} {}", self.path.display())
    }
}

/// Why a change is not undone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UndoError {
    /// There is no such change.
    #[error("nothing to undo")]
    Nothing,
    /// It has been undone already.
    #[error("change {0} has already been undone")]
    AlreadyUndone(u64),
    /// The file is not as the change left it.
    #[error("`{}` has changed since; undo the later changes first, or edit it by hand", .0.display())]
    Changed(PathBuf),
    /// The file cannot be changed.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The changes of a session.
#[derive(Debug)]
pub struct FileChangeTracker {
    clock: Arc<dyn Clock>,
    history: Mutex<History>,
}

#[derive(Debug, Default)]
struct History {
    changes: VecDeque<TrackedChange>,
    /// Bytes of their contents.
    bytes: usize,
    last_number: u64,
    turn: u64,
}

impl FileChangeTracker {
    /// No changes yet.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            history: Mutex::default(),
        }
    }

    /// The changes that follow belong to a new turn.
    pub fn begin_turn(&self) {
        self.history().turn += 1;
    }

    /// Remembers a change.
    pub fn record(&self, tool: &str, change: FileChange) {
        let timestamp = self.clock.now();
        let mut history = self.history();
        history.last_number += 1;
        history.bytes += size(&change);
        let tracked = TrackedChange {
            number: history.last_number,
            change,
            tool: tool.to_owned(),
            turn: history.turn,
            timestamp,
            is_undone: false,
        };
        history.changes.push_back(tracked);
        while history.changes.len() > MAX_CHANGES || history.bytes > MAX_BYTES {
            let Some(dropped) = history.changes.pop_front() else {
                break;
            };
            history.bytes -= size(&dropped.change);
        }
    }

    /// The changes, in order.
    pub fn changes(&self) -> Vec<TrackedChange> {
        self.history().changes.iter().cloned().collect()
    }

    /// The difference that the changes make that are not undone, as a unified diff.
    pub fn pending_diff(&self) -> String {
        let history = self.history();
        let pending = history.changes.iter().filter(|one| !one.is_undone);
        diff::unified(pending.map(|one| &one.change))
    }

    /// The difference that the latest change of each of these files makes, as a unified diff.
    pub fn latest_diff(&self, paths: &[String]) -> String {
        let history = self.history();
        let latest = paths.iter().filter_map(|path| {
            let mut newest = history.changes.iter().rev();
            newest.find(|one| one.change.path == Path::new(path))
        });
        diff::unified(latest.map(|one| &one.change))
    }

    /// Undoes changes, the latest first.
    ///
    /// # Errors
    /// A change cannot be undone. Of a turn, the changes that were undone before it stay undone.
    pub fn undo(
        &self,
        scope: &UndoScope,
        workspace: &Workspace,
    ) -> Result<Vec<UndoneChange>, UndoError> {
        let mut history = self.history();
        let selected = history.select(scope)?;
        let mut undone = Vec::new();
        for index in selected.into_iter().rev() {
            let Some(tracked) = history.changes.get_mut(index) else {
                continue;
            };
            undone.push(revert(&tracked.change, workspace)?);
            tracked.is_undone = true;
        }
        Ok(undone)
    }

    /// A panic elsewhere leaves a list of changes that is still true.
    fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl History {
    /// The positions of the changes to undo, ascending; at least one.
    fn select(&self, scope: &UndoScope) -> Result<Vec<usize>, UndoError> {
        let last = |fits: &dyn Fn(&TrackedChange) -> bool| {
            let mut pending = self.changes.iter().enumerate().rev();
            pending.find(|(_, one)| !one.is_undone && fits(one))
        };
        let one = match scope {
            UndoScope::Last => last(&|_| true),
            UndoScope::File(path) => last(&|one| one.change.path == *path),
            UndoScope::Change(number) => {
                let found = self.changes.iter().enumerate();
                let found = found.into_iter().find(|(_, one)| one.number == *number);
                if found.is_some_and(|(_, one)| one.is_undone) {
                    return Err(UndoError::AlreadyUndone(*number));
                }
                found
            }
            UndoScope::Turn => {
                let turn = last(&|_| true).map(|(_, one)| one.turn);
                let all = self.changes.iter().enumerate();
                let all = all.filter(|(_, one)| Some(one.turn) == turn && !one.is_undone);
                let all: Vec<usize> = all.map(|(index, _)| index).collect();
                return if all.is_empty() {
                    Err(UndoError::Nothing)
                } else {
                    Ok(all)
                };
            }
        };
        one.map(|(index, _)| vec![index]).ok_or(UndoError::Nothing)
    }
}

fn size(change: &FileChange) -> usize {
    let length = |content: &Option<Vec<u8>>| content.as_ref().map_or(0, Vec::len);
    length(&change.before) + length(&change.after)
}

fn revert(change: &FileChange, workspace: &Workspace) -> Result<UndoneChange, UndoError> {
    let path: &Path = &change.path;
    // A folder on the way may be a link by now.
    let below = workspace.resolve_for_change(path)?;
    let now = workspace.read_if_exists(&below)?;
    if below != path || now.content != change.after {
        return Err(UndoError::Changed(path.to_owned()));
    }
    let action = match (&change.before, &change.after) {
        (None, _) => UndoAction::Deleted,
        (Some(_), None) => UndoAction::Restored,
        (Some(_), Some(_)) => UndoAction::Reverted,
    };
    workspace.change_with_mode(&below, now, change.before.clone(), change.mode)?;
    Ok(UndoneChange {
        path: path.to_owned(),
        action,
    })
}

#[cfg(test)]
mod tests;
