//! Files that other programs execute or obey, and that a tool of the agent wrote with permission: they stay as they were
//! allowed, while what commands create or change of this kind is undone or set aside.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use attractor_permissions::is_self_executing;

use super::protected::{Content, ProtectedFiles, content_at, put};
use crate::RootDirectory;

/// What was allowed in a workspace.
#[derive(Debug, Default)]
pub(super) struct Approved(Mutex<ApprovedState>);

#[derive(Debug, Default)]
struct ApprovedState {
    files: BTreeMap<PathBuf, Approval>,
    /// Permitted writes until now.
    count: usize,
}

#[derive(Debug, Clone)]
struct Approval {
    /// The number of the write.
    at: usize,
    /// Nothing for a file that was removed.
    content: Option<Content>,
    /// The work in which it was written has ended: from then on a person may have changed it.
    is_settled: bool,
}

impl Approved {
    /// A tool wrote a file of the workspace (no content: removed it). Gives what it has there, where other programs
    /// execute or obey it.
    pub(super) fn note(
        &self,
        root: &Path,
        below: &Path,
        after: Option<&[u8]>,
    ) -> Option<(PathBuf, Option<Content>)> {
        if !is_self_executing(&below.to_string_lossy()) {
            return None;
        }
        let path = root.join(below);
        let content = after.and_then(|after| match content_at(&path)? {
            Content::Bytes(_, mode) => Some(Content::Bytes(after.to_vec(), mode)),
            other => Some(other),
        });
        let mut state = self.state();
        state.count += 1;
        let approval = Approval {
            at: state.count,
            content: content.clone(),
            is_settled: false,
        };
        state.files.insert(path.clone(), approval);
        Some((path, content))
    }

    /// Permitted writes until now.
    pub(super) fn count(&self) -> usize {
        self.state().count
    }

    /// Adds what was allowed after a number of writes to what is compared.
    pub(super) fn add_since(&self, count: usize, files: &mut ProtectedFiles) {
        let state = self.state();
        for (path, one) in state.files.iter().filter(|(_, one)| one.at > count) {
            files.set(path.clone(), one.content.clone());
        }
    }

    /// The files that are there by permission.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let state = self.state();
        let there = state.files.iter().filter(|(_, one)| one.content.is_some());
        there.map(|(path, _)| path.clone()).collect()
    }

    /// What of a new file or folder is not as it was allowed.
    pub(super) fn unapproved(&self, path: PathBuf) -> Vec<PathBuf> {
        if !self.paths().iter().any(|one| one.starts_with(&path)) {
            return vec![path];
        }
        let mut open = vec![path];
        let mut found = Vec::new();
        while let Some(path) = open.pop() {
            if fs::symlink_metadata(&path).is_ok_and(|entry| entry.is_dir()) {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                open.extend(entries.map(|entry| entry.path()));
            } else if !self.is_as_allowed(&path) {
                found.push(path);
            }
        }
        found
    }

    fn is_as_allowed(&self, path: &Path) -> bool {
        let state = self.state();
        let approval = state.files.get(path);
        approval.is_some_and(|one| one.is_settled || one.content == content_at(path))
    }

    /// Gives files that were moved away the content that was allowed.
    pub(super) fn restore(&self, workspace: &Arc<RootDirectory>, moved: &[PathBuf]) {
        let state = self.state();
        for (path, one) in &state.files {
            if let Some(content) = &one.content
                && moved.iter().any(|moved| path.starts_with(moved))
            {
                // What cannot be written is missing, as a person finds it in the folder it was moved to.
                let _ = put(path, content, workspace);
            }
        }
    }

    /// The work of the agent has ended.
    pub(super) fn settle(&self) {
        let mut state = self.state();
        for one in state.files.values_mut() {
            one.is_settled = true;
        }
    }

    fn state(&self) -> MutexGuard<'_, ApprovedState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
