//! What accompanies a run of this terminal: its output, notifications and traces.

use attractor_run::{Launch, RunHandle};
use attractor_scenario::Way;

use crate::error::Error;
use crate::exit::Exit;
use crate::follow::progress_printer::FollowOptions;
use crate::follow::terminal::follow;
use crate::launch::LaunchOptions;
use crate::notifications::Notifications;
use crate::traces::Traces;

/// Follows a run that is about to start.
pub struct TerminalRun {
    output: FollowOptions,
    notifications: Notifications,
    traces: Traces,
}

impl TerminalRun {
    /// As the options, the configuration and the environment say.
    ///
    /// # Errors
    /// The environment names a collector of traces that cannot be used.
    pub fn of(launch: &Launch, options: &LaunchOptions) -> Result<Self, Error> {
        Ok(Self {
            output: options.follow_options(launch),
            notifications: Notifications::of(launch),
            traces: Traces::from_environment()?,
        })
    }

    /// Says in the header that the run is resumed: where, and how real it is.
    pub fn with_resumed(mut self, resumed: Option<String>) -> Self {
        self.output.resumed = resumed;
        self
    }

    /// Lists the ways of a dry run at its end.
    pub fn with_ways(mut self, ways: Vec<Way>) -> Self {
        self.output.ways = ways;
        self
    }

    /// Follows it to its end.
    pub async fn follow(self, run: &RunHandle) -> Result<Exit, Error> {
        let follow = self.notifications.during(run, follow(run, self.output));
        self.traces.during(run, follow).await
    }
}
