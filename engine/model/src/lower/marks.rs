//! What a node is for the ends of a run.

use crate::catalogue::NodeKind;

/// Whether a run begins or ends at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    pub(super) start: bool,
    pub(super) terminal: bool,
    /// Terminal only because no edge leaves it.
    pub(super) implicit: bool,
}

impl Ends {
    /// The kind these marks give a node that has no work of its own.
    pub(super) fn kind(self) -> Option<NodeKind> {
        if self.start {
            Some(NodeKind::Start)
        } else if self.terminal && !self.implicit {
            Some(NodeKind::Exit)
        } else {
            None
        }
    }
}
