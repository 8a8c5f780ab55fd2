//! Starting a session of the agent.

use std::path::Path;
use std::sync::Arc;

use attractor::{
    AgentOptions, AgentSettings, Providers, StartAgentError, StartedAgent, start_agent,
};
use attractor_agent::Person;

use crate::console;
use crate::error::Error;
use crate::style::{ATTENTION, paint};

/// Starts a session; says what a user should know before it works.
pub async fn start(
    providers: &Providers,
    settings: &AgentSettings,
    here: &Path,
    options: AgentOptions,
    person: &Arc<dyn Person>,
) -> Result<StartedAgent, Error> {
    let started = start_agent(providers, settings, here, options, Arc::clone(person)).await;
    let started = started.map_err(|error| match error {
        StartAgentError::UnknownSession { .. } => Error::UnknownSession(error.to_string()),
        StartAgentError::NotSigned { .. } => {
            Error::Agent(format!("{error}; --accept-foreign continues it"))
        }
        error => Error::Agent(error.to_string()),
    })?;
    for warning in &started.warnings {
        let warning = format!("warning: {}", console::plain(warning));
        console::remark(&paint(ATTENTION, warning));
    }
    Ok(started)
}
