//! A value of the context of a run on disk, whole.

use std::path::Path;

use attractor_machine::context::ROOT;
use attractor_machine::context::large_values::LargeValues;
use serde_json::Value;

use crate::error::RunError;
use crate::store::artifact_store::ArtifactStore;
use crate::store::artifacts::Artifacts;
use crate::store::{Layout, Snapshot};

/// The value of a context key in the last checkpoint of the run in `directory`; of a run that is over, at its end. A
/// large value is read from its artifact, which the id of the artifact names, too. Otherwise the keys that exist.
///
/// # Errors
/// The checkpoint or the artifact cannot be read.
pub fn context_value(directory: &Path, key: &str) -> Result<Result<Value, Vec<String>>, RunError> {
    if let Some(text) = ArtifactStore::of_run(directory).get(key)? {
        return Ok(Ok(Value::String(text)));
    }
    let layout = Layout::new(directory.to_owned());
    let context = match Snapshot::load(&layout.checkpoint()) {
        Ok(snapshot) => snapshot.state.contexts.flatten(ROOT),
        // A run that has just begun has none.
        Err(_) if !layout.checkpoint().exists() => std::collections::BTreeMap::default(),
        Err(error) => return Err(error),
    };
    let Some(value) = context.get(key) else {
        return Ok(Err(context.into_keys().collect()));
    };
    let whole = Artifacts::new(layout.artifacts()).whole(value);
    Ok(Ok(whole.unwrap_or_else(|| value.clone())))
}
