//! The consent document of a launch with all of its project that decides what it does.

use std::path::Path;

use attractor_agent::ProviderProfile;
use attractor_agent::prompt::{project_docs, project_rules};
use attractor_agent::skills::project_skill_files;
use attractor_config::{Configuration, Owner};
use attractor_run::{Consent, Launch, ProjectFiles, project_root};

/// Everything a run can do: what its pipeline says, the scripts that its commands execute by name, the documents that
/// instruct its agents, and the configuration of the project. Reads files.
pub fn consent(launch: &Launch, configuration: &Configuration) -> Consent {
    let folder = std::path::absolute(&launch.workdir);
    let folder = folder.unwrap_or_else(|_| launch.workdir.clone());
    let root = project_root(&launch.source.path);
    let files = ProjectFiles::new(&folder, &root);
    let consent = Consent::of(launch);
    let instructions = instructions(&folder, consent.agent_folders());
    consent.in_project(&files, instructions, settings(configuration))
}

/// What programs that are agents themselves read of a project: commands, servers and permissions of theirs.
const SETTINGS_OF_AGENTS: [&str; 5] = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".mcp.json",
];

/// What the project says to agents that work in a folder, or in those below it.
fn instructions<'f>(folder: &Path, below: impl Iterator<Item = &'f str>) -> Vec<(String, String)> {
    let mut names = ProviderProfile::all_project_documents();
    names.extend(SETTINGS_OF_AGENTS);
    let folders = below.map(|below| folder.join(below));
    let mut all: Vec<(String, String)> = Vec::new();
    for folder in std::iter::once(folder.to_owned()).chain(folders) {
        let documents = project_docs(&folder, &names).into_iter();
        let skills = project_skill_files(&folder);
        for document in documents.chain(project_rules(&folder)).chain(skills) {
            if !all.contains(&document) {
                all.push(document);
            }
        }
    }
    all
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
