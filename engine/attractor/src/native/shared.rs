//! What the agents of one run share, kept with the run so that a resume has it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use attractor_agent::shared::{
    JsonFilePersistenceAdapter, PersistenceAdapter, PersistenceError, SharedState,
    SqlitePersistenceAdapter,
};
use attractor_config::SharedStateStore;
use attractor_run::CodergenRequest;

/// The folder of the shared state, in that of the run.
const FOLDER: &str = "shared";
/// The database of the shared state, in the same place.
const DATABASE: &str = "shared.sqlite";

/// The shared states of the runs whose agents work at the moment.
#[derive(Debug, Default)]
pub(super) struct SharedRuns(Mutex<HashMap<String, Weak<SharedState>>>);

impl SharedRuns {
    /// What the agents of the run of a request share.
    pub(super) fn of(
        &self,
        request: &CodergenRequest,
        store: SharedStateStore,
    ) -> SharedStateOfRun {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = runs.get(&request.run).and_then(Weak::upgrade) {
            return SharedStateOfRun {
                state,
                problem: None,
            };
        }
        let loaded = open(request, store);
        runs.retain(|_, state| state.strong_count() > 0);
        runs.insert(request.run.clone(), Arc::downgrade(&loaded.state));
        loaded
    }
}

/// The shared state of a run.
pub(super) struct SharedStateOfRun {
    pub(super) state: Arc<SharedState>,
    /// Why it does not have what was kept with the run.
    pub(super) problem: Option<String>,
}

/// The state that is kept with a run. One that cannot be read is begun again: the run does not depend on it.
pub(super) fn open(request: &CodergenRequest, store: SharedStateStore) -> SharedStateOfRun {
    let loaded = |state: SharedState, problem| SharedStateOfRun {
        state: Arc::new(state),
        problem,
    };
    let Some(folder) = &request.run_dir else {
        return loaded(SharedState::default(), None);
    };
    match adapter(folder, store).and_then(SharedState::open) {
        Ok(state) => loaded(state, None),
        Err(error) => {
            let problem = format!("what earlier agents of the run shared is lost: {error}");
            loaded(SharedState::default(), Some(problem))
        }
    }
}

/// The adapter of a store in the folder of a run.
fn adapter(
    folder: &Path,
    store: SharedStateStore,
) -> Result<Box<dyn PersistenceAdapter>, PersistenceError> {
    Ok(match store {
        SharedStateStore::Json => Box::new(JsonFilePersistenceAdapter::new(folder.join(FOLDER))),
        SharedStateStore::Sqlite => {
            Box::new(SqlitePersistenceAdapter::open(&folder.join(DATABASE))?)
        }
    })
}
