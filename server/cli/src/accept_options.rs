//! What of a run `resume` and `fork` accept before they continue it.

use attractor_run::{Changes, ForeignRuns, Launch, Resume};

/// The options for it.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct AcceptOptions {
    /// Continue even if the pipeline has changed
    #[arg(long)]
    accept_changes: bool,
    /// Continue even if the run was recorded by somebody else, or on another machine
    #[arg(long)]
    accept_foreign: bool,
}

impl AcceptOptions {
    /// How a run is continued with them.
    pub fn resume(self, launch: Launch) -> Resume {
        Resume {
            launch,
            changes: if self.accept_changes {
                Changes::Accept
            } else {
                Changes::Refuse
            },
            foreign: foreign_runs(self.accept_foreign),
        }
    }
}

/// Whether what somebody else has recorded is continued.
pub const fn foreign_runs(accept: bool) -> ForeignRuns {
    if accept {
        ForeignRuns::Accept
    } else {
        ForeignRuns::Refuse
    }
}
