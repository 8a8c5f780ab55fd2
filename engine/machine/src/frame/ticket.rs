//! Names of what walks a pipeline.

use serde::{Deserialize, Serialize};

/// Names a frame; the main frame is 0.
pub type FrameId = u32;

/// Names one attempt of a frame: messages about any other attempt are late and ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ticket {
    pub(crate) frame: FrameId,
    pub(crate) step: u64,
}
