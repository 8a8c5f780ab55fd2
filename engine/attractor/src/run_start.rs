//! What a run begins with: a pipeline, or another run.

use std::path::{Path, PathBuf};

use attractor_run::Fork;

use crate::pipeline::Pipeline;

/// What is run.
pub(crate) enum Start {
    File(PathBuf),
    Pipeline(Box<Pipeline>),
    /// The run in this directory, once more.
    Run(PathBuf),
    /// Another run from a visit of a run.
    Fork(Fork),
}

impl Start {
    /// The directory of the run that is continued or forked.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match self {
            Self::Run(directory) | Self::Fork(Fork { run: directory, .. }) => Some(directory),
            Self::File(_) | Self::Pipeline(_) => None,
        }
    }
}
