//! A new run from the beginning of a visit of another one: what to fork, and what to do about files.

use std::path::PathBuf;

/// Where a new run begins.
#[derive(Debug, Clone, Default)]
pub struct Fork {
    /// The directory of the run to fork.
    pub run: PathBuf,
    /// A node, `GRAPH/NODE` in a sub-pipeline; not one of a parallel branch.
    pub node: String,
    /// The visit of the node, from 1; the last one without it.
    pub visit: Option<u32>,
    /// What to do about files that are not as they were.
    pub files: ForkFiles,
}

/// What to do about files that are not as they were when the visit began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForkFiles {
    /// Refuse, with [`RunError::FilesDiffer`](crate::RunError::FilesDiffer).
    #[default]
    Refuse,
    /// Use them as they are.
    Keep,
    /// Give them the content of that moment. The present content is stored: [`changes_of_run`](crate::changes_of_run) of
    /// the new run, reverted, brings it back.
    Restore,
    /// Write the files of that moment into this new folder, and run there.
    Into(PathBuf),
}
