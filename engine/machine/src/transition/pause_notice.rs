//! What a transition has noticed that pauses the run once it is done.

use crate::control::PauseReason;
use crate::frame::FrameId;

/// Why the run pauses before a frame continues with its next node.
pub(super) struct PauseNotice {
    pub(super) frame: FrameId,
    pub(super) reason: PauseReason,
    pub(super) detail: Option<String>,
}
