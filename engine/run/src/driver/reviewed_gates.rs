//! Who may answer gates that name reviewers.

/// Who answers gates that name reviewers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewedGates {
    /// Every sender that may answer the others.
    Anyone,
    /// Only the process that owns the run: a command could let another program of the user answer.
    OwnerOnly,
}
