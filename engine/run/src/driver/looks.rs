//! When a supervisor looks at its sub-pipeline.

use attractor_machine::frame::FrameId;
use attractor_machine::transition::Supervision;
use tokio::time::Instant;

/// The looks of one supervisor at one run of its sub-pipeline.
pub(super) struct Looks {
    pub(super) frame: FrameId,
    pub(super) child: FrameId,
    pub(super) supervision: Supervision,
    /// `None` after the only one.
    pub(super) next: Option<Instant>,
}
