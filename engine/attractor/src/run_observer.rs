//! What is informed of the runs of an engine.

use attractor_run::RunHandle;

/// Is informed of every run that starts or continues. It reads the events of the run by its handle.
pub trait RunObserver: Send + Sync {
    /// A run has started or continues. Called within the runtime of the run.
    fn started(&self, run: &RunHandle);
}
