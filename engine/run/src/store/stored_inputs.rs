//! The inputs that a run was given, as its manifest has them.

use std::collections::BTreeMap;
use std::path::Path;

use attractor_exec::Secrets;
use serde_json::Value;

use super::layout::Layout;
use super::manifest::Manifest;
use crate::error::RunError;

/// The inputs that the run in `directory` was given, without its secrets, which are not stored.
///
/// # Errors
/// It is no run.
pub fn inputs_of(directory: &Path) -> Result<BTreeMap<String, Value>, RunError> {
    let Manifest {
        mut inputs,
        secrets,
        ..
    } = Manifest::load(&Layout::new(directory.to_owned()))?;
    inputs.retain(|name, _| !secrets.contains(name));
    Ok(inputs)
}

/// Checks that the secrets of the run in `directory` can be found again: among `inputs`, or in the environment.
///
/// # Errors
/// [`RunError::MissingSecrets`] with those that cannot; it is no run.
pub fn check_secrets(directory: &Path, inputs: &BTreeMap<String, Value>) -> Result<(), RunError> {
    let manifest = Manifest::load(&Layout::new(directory.to_owned()))?;
    match Secrets::recover(&manifest.secrets, inputs) {
        Ok(_) => Ok(()),
        Err(missing) => Err(RunError::missing_secrets(&manifest.run, missing)),
    }
}
