//! What of a project decides what a run does, besides its pipeline: scripts that its commands execute, documents that
//! instruct its agents, and the configuration.

use attractor_model::Files;

use super::project_content::ProjectContent;
use super::{Consent, ConsentCommand, scripts};

impl Consent {
    /// Knows what of the project decides what the run does. `files` are those beneath the folder that commands run in;
    /// `instructions` are those of its agents, and left out where it has none.
    #[must_use]
    pub fn in_project(
        mut self,
        files: &dyn Files,
        instructions: Vec<(String, String)>,
        configuration: Option<(String, String)>,
    ) -> Self {
        let has_agents = self.steps().any(|step| step.agent.is_some());
        let scripts = scripts::named(self.commands().flat_map(texts), files);
        self.project = ProjectContent {
            scripts,
            instructions: instructions.into_iter().filter(|_| has_agents).collect(),
            configuration,
        };
        self
    }
}

impl Consent {
    /// The folders that agents work in, where that is not the folder of the run and is known.
    pub fn agent_folders(&self) -> impl Iterator<Item = &str> {
        let agents = self.steps().filter(|step| step.agent.is_some());
        let folders = agents.filter_map(|step| step.setting("working_dir"));
        folders.filter(|folder| !folder.contains(['{', '$']))
    }
}

/// The texts of a command in which a script may be named, with the folder it runs in.
fn texts(command: &ConsentCommand) -> impl Iterator<Item = (String, String)> {
    let folder = command
        .folder
        .as_deref()
        .filter(|folder| !folder.contains(['{', '$']));
    let folder = folder.unwrap_or_default().to_owned();
    let texts = command.program.iter().chain(&command.text).cloned();
    // `BASH_ENV=x.sh`
    let variables = command.environment.iter();
    let variables = variables.map(|(name, value)| format!("{name}={value}"));
    texts
        .chain(variables)
        .map(move |text| (folder.clone(), text))
}
