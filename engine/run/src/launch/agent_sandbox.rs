//! What commands of the agents of a run run in.

use attractor_exec::AgentSandbox;
use attractor_machine::plan::NodeRef;

use crate::handlers::{codergen, is_agent};
use crate::launch::{Launch, Mode};

/// The weakest sandbox of the agents of a run; none when no agent runs commands.
pub(crate) fn agent_sandbox(launch: &Launch) -> Option<AgentSandbox> {
    if !matches!(launch.mode, Mode::Run) {
        return None;
    }
    let pipelines = launch.library.iter().chain([&launch.pipeline]);
    let nodes = pipelines.flat_map(|pipeline| {
        let nodes = pipeline.indexed_nodes();
        nodes.map(|(ix, node)| NodeRef { pipeline, ix, node })
    });
    let agents = nodes.filter(|node| is_agent(*node));
    agents
        .filter_map(|node| codergen::sandbox(node, &launch.backends))
        .max_by_key(|sandbox| sandbox.open().len())
}
