//! Values too large for the journal, in files: each is a file in `artifacts/`, named by the hash of its content, and the
//! context holds a [`Reference`] to it.

use std::fs;
use std::path::PathBuf;

use attractor_exec::{Disk, sha256};
use attractor_machine::context::large_values::{Form, LargeValues, Reference};
use attractor_machine::outcome::Outcome;
use serde_json::Value;

use crate::error::RunError;

/// A value with more bytes is kept in a file (Attractor specification, artifact store).
const LARGEST: usize = 100 * 1024;

/// Characters of a value that people are shown.
const PREVIEW: usize = 400;

/// The artifacts of one run. A dry run has none and keeps its values where they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Artifacts {
    folder: Option<PathBuf>,
}

impl Artifacts {
    /// Those in `folder`, which need not exist.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder: Some(folder),
        }
    }

    /// Moves what is too large in an outcome to files; durable when this returns.
    pub(crate) fn keep(&self, outcome: &mut Outcome, disk: &dyn Disk) -> Result<(), RunError> {
        let values = outcome.context_updates.values_mut();
        for value in values.chain([&mut outcome.output]) {
            self.move_out(value, disk)?;
        }
        Ok(())
    }

    fn move_out(&self, value: &mut Value, disk: &dyn Disk) -> Result<(), RunError> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let (form, text) = match value {
            Value::String(text) if text.len() > LARGEST => (Form::Text, std::mem::take(text)),
            Value::Array(_) | Value::Object(_) => match value.to_string() {
                text if text.len() > LARGEST => (Form::Json, text),
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        let hash = sha256(&text);
        let path = folder.join(&hash);
        if !path.exists() {
            fs::create_dir_all(folder).map_err(RunError::io("cannot make", folder))?;
            disk.replace(&path, text.as_bytes())
                .map_err(RunError::io("cannot write", &path))?;
        }
        let reference = Reference {
            hash,
            form,
            bytes: text.len(),
            preview: text.chars().take(PREVIEW).collect(),
        };
        *value = serde_json::to_value(reference).unwrap_or_default();
        Ok(())
    }
}

impl LargeValues for Artifacts {
    fn whole(&self, value: &Value) -> Option<Value> {
        let reference = Reference::read(value)?;
        let path = self.folder.as_ref()?.join(&reference.hash);
        let text = fs::read_to_string(&path)
            .inspect_err(
                |error| tracing::warn!(%error, path = %path.display(), "an artifact is gone"),
            )
            .ok();
        Some(match (text, reference.form) {
            (Some(text), Form::Text) => Value::String(text),
            (Some(text), Form::Json) => serde_json::from_str(&text).unwrap_or_default(),
            (None, _) => Value::Null,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use attractor_exec::RealDisk;

    #[test]
    fn large_values_leave_a_reference_and_come_back_whole() {
        let folder = tempfile::tempdir().unwrap();
        let artifacts = Artifacts::new(folder.path().join("artifacts"));
        let large = "é".repeat(LARGEST);
        let list = json!(vec!["item"; 20_000]);
        let mut outcome = Outcome::success()
            .with("large", large.as_str())
            .with("again", large.as_str())
            .with("list", list.clone())
            .with("small", "x".repeat(LARGEST));
        artifacts.keep(&mut outcome, &RealDisk).unwrap();
        let found = |key: &str| outcome.context_updates.get(key).unwrap();
        assert_eq!(artifacts.whole(found("large")), Some(json!(large)));
        assert_eq!(artifacts.whole(found("list")), Some(list));
        assert_eq!(found("large"), found("again"));
        assert_eq!(artifacts.whole(found("small")), None);
        assert_eq!(
            fs::read_dir(folder.path().join("artifacts"))
                .unwrap()
                .count(),
            2
        );
        assert!(serde_json::to_string(found("list")).unwrap().len() < 1000);
    }

    #[test]
    fn a_forged_reference_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let artifacts = Artifacts::new(folder.path().to_owned());
        fs::write(folder.path().join("secret"), "x").unwrap();
        let forged =
            |name: &str| json!({"$artifact": name, "type": "text", "bytes": 1, "preview": ""});
        assert_eq!(artifacts.whole(&forged("../secret")), None);
        assert_eq!(artifacts.whole(&forged(&"0".repeat(64))), Some(Value::Null));
    }
}
