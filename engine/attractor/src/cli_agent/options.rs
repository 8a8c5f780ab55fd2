//! What the agents share about the attributes of a node.

use attractor_run::{Agency, CodergenRequest};

/// Whether the node may only read: one answer without tools, or `permissions=read-only`.
pub(super) fn is_read_only(request: &CodergenRequest) -> bool {
    request.agency == Agency::OneAnswer || request.option("permissions") == Some("read-only")
}

/// Which of these attributes the node has, as warnings that the agent does not follow them.
pub(super) fn not_followed(
    request: &CodergenRequest,
    label: &str,
    attributes: &[&str],
) -> Vec<String> {
    let set = attributes
        .iter()
        .filter(|name| request.option(name).is_some());
    set.map(|name| format!("`{name}` has no effect: {label} has no such option"))
        .collect()
}
