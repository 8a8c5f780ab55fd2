//! Notifications of the runs of this terminal, as `[notify]` in the user's configuration says.

use std::time::Duration;

use attractor::Notifier;
use attractor_config::NotifiedRuns;
use attractor_run::{Launch, Mode, RunHandle};

use crate::configuration;
use crate::console;

/// How long the end of the program waits for notifications.
const PATIENCE: Duration = Duration::from_secs(15);

/// Who is notified of a run, if anybody is.
pub struct Notifications(Option<Notifier>);

impl Notifications {
    /// Those of a launch. Settings that cannot be used are a warning: the run matters more. Nobody is notified of a dry run.
    pub fn of(launch: &Launch) -> Self {
        if matches!(launch.mode, Mode::DryRun(_)) {
            return Self(None);
        }
        let path = std::path::absolute(&launch.source.path);
        let path = path.unwrap_or_else(|_| launch.source.path.clone());
        let notifier = Notifier::of(&configuration::read(&path), NotifiedRuns::Terminal);
        Self(notifier.unwrap_or_else(|error| {
            console::remark(&format!(
                "warning: notifications are off for this run: {error}"
            ));
            None
        }))
    }

    /// Notifies of a run while it is followed, and waits for the notification of its end.
    pub async fn during<T>(self, run: &RunHandle, follow: impl Future<Output = T>) -> T {
        let Some(notifier) = self.0 else {
            return follow.await;
        };
        notifier.follow(run);
        let followed = follow.await;
        // A program that is stopped at once does not wait.
        if run.snapshot().state.is_end() && !notifier.finish(PATIENCE).await {
            let seconds = PATIENCE.as_secs();
            console::remark(&format!(
                "warning: a notification could not be sent in {seconds} s"
            ));
        }
        followed
    }
}
