//! Where a failure may go without an edge that asks for it: `on_failure`, and the words that mean the same.

use attractor_model::analysis::OnFailure;

use super::plan::Site;

/// Whether a failure of this node is only noted, and the run goes on as after a success.
pub(super) fn only_notes_failure(site: Site<'_>) -> bool {
    OnFailure::of(site.node) == OnFailure::Continue
}

/// Whether a failure of this node may go where a success would.
pub(super) fn leads_failure_on(site: Site<'_>) -> bool {
    OnFailure::of(site.node).leads_on()
}
