//! The consent document of a launch with all of its project that decides what it does.

use std::path::Path;

use attractor_agent::ProviderProfile;
use attractor_agent::prompt::{project_docs, project_rules};
use attractor_config::{Configuration, Owner};
use attractor_run::{Consent, Launch, ProjectFiles, project_root};

/// Everything a run can do: what its pipeline says, the scripts that its commands execute by name, the documents that
/// instruct its agents, and the configuration of the project. Reads files.
pub fn consent(launch: &Launch, configuration: &Configuration) -> Consent {
    let folder = std::path::absolute(&launch.workdir);
    let folder = folder.unwrap_or_else(|_| launch.workdir.clone());
    let root = project_root(&launch.source.path);
    let files = ProjectFiles::new(&folder, &root);
    Consent::of(launch).in_project(&files, instructions(&folder), settings(configuration))
}

/// What the project says to agents that work in a folder.
fn instructions(folder: &Path) -> Vec<(String, String)> {
    let documents = project_docs(folder, &ProviderProfile::all_project_documents());
    documents.into_iter().chain(project_rules(folder)).collect()
}

/// The project's configuration: models, permissions, hooks, handlers, servers.
fn settings(configuration: &Configuration) -> Option<(String, String)> {
    let mut layers = configuration.layers().iter();
    let project = layers.find(|layer| layer.owner == Owner::Project)?;
    let text = std::fs::read_to_string(&project.path).ok()?;
    let path = project
        .path
        .strip_prefix(&project.root)
        .unwrap_or(&project.path);
    (!text.trim().is_empty()).then(|| (path.display().to_string(), text))
}
