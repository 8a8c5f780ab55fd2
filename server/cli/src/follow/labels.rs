//! Short names, for lines and tables.

use attractor_run::NodeAttempt;

/// Columns of a node's name.
pub const NAME_COLUMNS: usize = 22;

/// `node`, `graph/node` in a sub-pipeline, with the visit when it is not the first.
pub fn name(at: &NodeAttempt) -> String {
    let node = match &at.graph {
        Some(graph) => format!("{graph}/{}", at.node),
        None => at.node.clone(),
    };
    if at.visit > 1 {
        format!("{node} ({})", at.visit)
    } else {
        node
    }
}
