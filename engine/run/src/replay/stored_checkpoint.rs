//! Where a run is, from what its directory says.

use std::path::Path;

use attractor_machine::context::ROOT;

use super::recover::not_started;
use super::time::seconds;
use crate::error::RunError;
use crate::store::checkpoint_file::Checkpoint;
use crate::store::{Layout, Manifest, Snapshot};

/// Where the run in `directory` is, as its last snapshot says. Of a run that a process works on, its handle knows more.
///
/// # Errors
/// It is not a run, or no step of it is done.
pub fn stored_checkpoint(directory: &Path) -> Result<Checkpoint, RunError> {
    let layout = Layout::new(directory.to_owned());
    let manifest = Manifest::load(&layout)?;
    let path = layout.checkpoint();
    if !path.exists() {
        return Err(not_started(&layout));
    }
    let Snapshot { state, view, .. } = Snapshot::load(&path)?;
    let time = view.ended_at.as_ref().unwrap_or(&view.started_at);
    Ok(Checkpoint {
        pipeline_name: manifest.pipeline,
        current_node: view.current.unwrap_or_default(),
        context: state.contexts.flatten(ROOT),
        completed_nodes: state.succeeded_nodes(),
        timestamp: time.parse().map_or(0.0, seconds),
        next_node: state.next_node(),
    })
}
