//! The background tasks of one connection. All of them end when the server stops.

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Spawns tasks and stops them together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tasks {
    stop: CancellationToken,
    tracker: TaskTracker,
}

impl Tasks {
    /// Runs `future` concurrently until it ends or the server stops.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop.clone();
        self.tracker.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = future => {}
            }
        });
    }

    /// Cancelled when the server stops, also without a request of the client.
    pub(crate) fn stop_token(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// Stops every task and waits for their end.
    pub(crate) async fn stop(&self) {
        self.stop.cancel();
        self.tracker.close();
        self.tracker.wait().await;
    }
}
