//! The keys of providers that the editor keeps in its own store. They are in memory only.

use std::sync::{Arc, Mutex};

use attractor::EditorKeys;

use attractor_proto::sync::lock;

/// The keys that the editor sent last.
#[derive(Default)]
pub(crate) struct ApiKeys(Mutex<Arc<EditorKeys>>);

impl ApiKeys {
    /// The keys now.
    pub(crate) fn get(&self) -> Arc<EditorKeys> {
        Arc::clone(&lock(&self.0))
    }

    /// Replaces all keys. Runs that have started keep theirs.
    pub(crate) fn replace(&self, keys: EditorKeys) {
        *lock(&self.0) = Arc::new(keys);
    }
}
