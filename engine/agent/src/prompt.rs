//! The system prompt of a session, in layers: the provider's instructions, the environment, the rules of user and
//! project, the documents of the project, and the user's own instructions. What follows takes precedence.
//!
//! It is built once and then stays the same for the session: it is the beginning of every request, which providers
//! cache.

mod changes;
mod documents;
mod environment;
mod limits;
mod rules;

use std::path::Path;

use attractor_exec::ExecutionEnvironment;

pub use changes::prompt_changes;
pub(crate) use documents::repository_root;
pub use documents::{DOCUMENTS_LIMIT, discover_project_docs, project_docs};
pub use environment::{EnvironmentFacts, environment_facts, environment_pattern};
pub use limits::SessionLimits;
pub(crate) use limits::shell;
pub use rules::{load_rules, project_rules};

use crate::profile::ProviderProfile;

/// What the prompt is built from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptParts {
    /// Where the session works.
    pub environment: EnvironmentFacts,
    /// What it may do.
    pub limits: SessionLimits,
    /// The model, as it is called.
    pub model_id: String,
    /// Rules of the user and the project.
    pub rules: String,
    /// Documents of the project.
    pub project_docs: String,
    /// The skills that can be loaded.
    pub skills: String,
    /// Instructions of the caller.
    pub user_instructions: String,
}

impl PromptParts {
    /// Reads them: the state of the repository, rules, documents.
    ///
    /// `date` is today, as `2026-11-23`; `home` is the user's folder; `execution` is that of the engine, without a sandbox.
    pub async fn read(
        profile: &ProviderProfile,
        root: &Path,
        home: Option<&Path>,
        date: &str,
        execution: &dyn ExecutionEnvironment,
    ) -> Self {
        Self {
            environment: environment_facts(root, date, execution).await,
            rules: load_rules(root, home),
            project_docs: discover_project_docs(root, profile.project_documents),
            ..Self::default()
        }
    }
}

/// Builds the system prompt.
pub fn build_system_prompt(profile: &ProviderProfile, parts: &PromptParts) -> String {
    let environment = &parts.environment;
    let values = [
        ("working_dir", environment.working_dir.as_str()),
        ("platform", environment.platform.as_str()),
        ("date", environment.date.as_str()),
        ("model_id", parts.model_id.as_str()),
        ("git_branch", environment.git_branch.as_str()),
        ("git_status", environment.git_status.as_str()),
        ("project_docs", parts.project_docs.as_str()),
        ("user_instructions", parts.user_instructions.as_str()),
    ];
    let mut prompt = profile.format_system_prompt(&values);
    prompt.push('\n');
    prompt.push_str(&environment.block(&parts.model_id, &parts.limits));
    let sections = [
        ("# Rules", &parts.rules),
        ("# Documents of the project", &parts.project_docs),
        ("# Skills", &parts.skills),
        ("# Instructions of the user", &parts.user_instructions),
    ];
    for (title, text) in sections {
        let text = text.trim();
        if !text.is_empty() {
            prompt.extend(["\n", title, "\n\n", text, "\n"]);
        }
    }
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_follow_each_other_and_are_left_out_when_empty() {
        let profile = ProviderProfile {
            system_prompt_template: "Work in {working_dir}.\n",
            ..ProviderProfile::of("anthropic")
        };
        let parts = PromptParts {
            environment: EnvironmentFacts {
                working_dir: "/w".to_owned(),
                platform: "linux".to_owned(),
                date: "2026-11-23".to_owned(),
                git_branch: "main".to_owned(),
                git_status: " M a.rs".to_owned(),
            },
            limits: SessionLimits::default(),
            model_id: "sonnet".to_owned(),
            rules: String::new(),
            project_docs: "Use tabs.".to_owned(),
            skills: String::new(),
            user_instructions: "Be brief.\n".to_owned(),
        };
        expect_test::expect![[r#"
            Work in /w.

            # Environment

            - Folder: /w
            - Platform: linux
            - Date: 2026-11-23
            - Model: sonnet
            - Sandbox: off: commands run as the user does
            - Network: commands may use it
            - Shell: SHELL; a command ends after 10000 ms, or after its `timeout_ms`, up to 600000
            - Person: what needs permission is asked when you call it; `ask_user` asks what the task leaves open
            - Git branch: main
            - Changed files (git status):
             M a.rs

            # Documents of the project

            Use tabs.

            # Instructions of the user

            Be brief.
        "#]]
        .assert_eq(&build_system_prompt(&profile, &parts).replace(shell(), "SHELL"));
    }
}
