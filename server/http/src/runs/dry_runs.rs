//! The last dry runs of the server. Nothing of a dry run is stored, so its handle is kept after its end, until the server
//! ends or there are too many later ones.

use std::collections::VecDeque;
use std::path::PathBuf;

use attractor::Run;

/// The most dry runs that are kept.
const MOST: usize = 100;

/// Dry runs with their DOT files, oldest first.
#[derive(Default)]
pub(super) struct DryRuns {
    runs: VecDeque<(Run, PathBuf)>,
}

impl DryRuns {
    /// Keeps a run, and no more than the last ones.
    pub(super) fn add(&mut self, run: Run, file: PathBuf) {
        self.runs.push_back((run, file));
        if self.runs.len() > MOST {
            self.runs.pop_front();
        }
    }

    /// A run and its DOT file.
    pub(super) fn find(&self, id: &str) -> Option<(Run, PathBuf)> {
        let found = self.runs.iter().find(|(run, _)| run.id().as_str() == id);
        found.cloned()
    }

    pub(super) fn all(&self) -> Vec<Run> {
        self.runs.iter().map(|(run, _)| run.clone()).collect()
    }
}
