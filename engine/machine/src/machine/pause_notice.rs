//! What a transition has noticed that pauses the run once it is done.

use super::ticket::FrameId;
use crate::pause::PauseReason;

/// Why the run pauses before a frame continues with its next node.
pub(super) struct PauseNotice {
    pub(super) frame: FrameId,
    pub(super) reason: PauseReason,
    pub(super) detail: Option<String>,
}
