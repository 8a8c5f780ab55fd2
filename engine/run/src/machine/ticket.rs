//! Names of what walks a pipeline.

use serde::{Deserialize, Serialize};

/// Names a lane; the main lane is 0.
pub(crate) type LaneId = u32;

/// Names one attempt of a lane: messages about any other attempt are late and ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Ticket {
    pub(crate) lane: LaneId,
    pub(crate) step: u64,
}
