//! What all paths share.

use std::path::PathBuf;

use attractor::Engine;
use axum::extract::FromRef;

use crate::guard::Guard;
use crate::runs::Runs;

/// What all paths share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) runs: Runs,
    pub(crate) submissions_dir: PathBuf,
    pub(crate) allow_commands: bool,
    pub(crate) guard: Guard,
}

impl FromRef<Shared> for Guard {
    fn from_ref(shared: &Shared) -> Self {
        shared.guard.clone()
    }
}
