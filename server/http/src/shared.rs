//! What all paths share.

use std::path::Path;
use std::sync::Arc;

use attractor::{Approvals, Engine, Launcher};
use attractor_run::summary;
use axum::extract::FromRef;

use crate::guard::Guard;
use crate::limits::Limiter;
use crate::project::Project;
use crate::runs::Runs;
use crate::submission_policy::{AllowedHandlers, Submissions};

/// What all paths share.
#[derive(Clone)]
pub(crate) struct Shared {
    /// Continues runs of the terminal and the editor.
    pub(crate) engine: Engine,
    pub(crate) submissions: Submissions,
    pub(crate) project: Project,
    /// What of the project a person has approved.
    pub(crate) approvals: Arc<Approvals>,
    pub(crate) runs: Runs,
    pub(crate) guard: Guard,
    pub(crate) limiter: Limiter,
}

impl Shared {
    /// The project, for clients over HTTP: only where they may do everything. What continues the run of a file is the
    /// engine of the project, which no list of handlers limits.
    pub(crate) fn open_project(&self) -> Option<&Project> {
        (self.submissions.handlers == AllowedHandlers::All).then_some(&self.project)
    }

    /// Continues with the run in a directory, as it was started: a submitted pipeline may not do more than before.
    pub(crate) fn resume(&self, directory: &Path) -> Launcher {
        self.engine_of(directory).resume(directory)
    }

    /// The engine that ran the run in a directory.
    pub(crate) fn engine_of(&self, directory: &Path) -> &Engine {
        let is_submitted = summary(directory).is_ok_and(|run| self.submissions.has(&run.workdir));
        if is_submitted {
            &self.submissions.engine
        } else {
            &self.engine
        }
    }
}

impl FromRef<Shared> for Guard {
    fn from_ref(shared: &Shared) -> Self {
        shared.guard.clone()
    }
}
