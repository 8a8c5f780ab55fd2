//! Files of a project that decide what a run does.

/// Files of a project: path, and content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectContent {
    /// Scripts that commands execute by name.
    pub scripts: Vec<(String, String)>,
    /// Documents that instruct agents: `AGENTS.md`, rules.
    pub instructions: Vec<(String, String)>,
    /// The configuration of the project.
    pub configuration: Option<(String, String)>,
}
