//! Where a run is, from what its directory says.

use std::path::Path;

use jiff::Timestamp;

use super::recover::not_started;
use crate::checkpoint::Checkpoint;
use crate::context::ROOT;
use crate::error::RunError;
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
    let Snapshot {
        state, view, next, ..
    } = Snapshot::load(&path)?;
    let succeeded = |node: &&String| {
        let status = state.nodes.get(*node).and_then(|node| node.status.as_ref());
        status.is_none_or(|status| !status.is_failure())
    };
    let time = view.ended_at.as_ref().unwrap_or(&view.started_at);
    #[expect(
        clippy::cast_precision_loss,
        reason = "milliseconds since 1970 fit for a while"
    )]
    let timestamp = time
        .parse::<Timestamp>()
        .map_or(0.0, |time| time.as_millisecond() as f64 / 1000.0);
    Ok(Checkpoint {
        pipeline_name: manifest.pipeline,
        current_node: view.current.unwrap_or_default(),
        context: state.contexts.flatten(ROOT),
        completed_nodes: state.completed.iter().filter(succeeded).cloned().collect(),
        timestamp,
        next_node: next,
    })
}
