//! What agents may do by all files together: the user's decide, the project's only narrow.

use attractor_permissions::{ConfiguredPermissions, Level, Rule, Rules, SandboxMode};

use crate::configuration::Configuration;
use crate::file::SubagentLimits;
use crate::language_server_mode::LanguageServerMode;
use crate::owner::Owner;

/// What agents may do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentPolicy {
    /// The user's rules.
    pub user: Rules,
    /// The project's rules, which only narrow.
    pub project: Rules,
    /// What commands may write.
    pub sandbox: SandboxMode,
    /// Whether commands reach the network.
    pub network: bool,
    /// Further folders that commands may write; `~/` begins the home folder.
    pub writable: Vec<String>,
    /// Whether commands write `.git`, except for hooks and settings.
    pub writable_git: bool,
    /// Whether hooks of repositories run where the engine calls Git for a command.
    pub git_hooks: bool,
    /// Whether language servers are started.
    pub language_servers: LanguageServerMode,
    /// What one subagent may use.
    pub subagents: SubagentLimits,
}

impl AgentPolicy {
    /// The policy of a configuration.
    pub fn of(configuration: &Configuration) -> Self {
        let user = configuration.agent_settings(Owner::User);
        let project = configuration.agent_settings(Owner::Project);
        let configured = configuration.agent_permissions();
        Self {
            user: configured.user,
            project: configured.project,
            sandbox: configured.sandbox,
            network: user.network.unwrap_or(false) && project.network.unwrap_or(true),
            writable: user.writable,
            writable_git: user.writable_git.unwrap_or(false)
                && project.writable_git.unwrap_or(true),
            git_hooks: user.git_hooks.unwrap_or(false) && project.git_hooks.unwrap_or(true),
            language_servers: user.language_servers.unwrap_or_default().max(
                project
                    .language_servers
                    .unwrap_or(LanguageServerMode::Always),
            ),
            subagents: user.subagents.lowered_by(project.subagents),
        }
    }

    /// What of it limits the attributes of nodes.
    pub fn configured(&self) -> ConfiguredPermissions {
        ConfiguredPermissions {
            user: self.user.clone(),
            project: self.project.clone(),
            sandbox: self.sandbox,
        }
    }

    /// The project's rules that would widen what the user's file says, and so have no effect.
    pub fn ignored(&self) -> Vec<(&Rule, Level)> {
        let ignored = self.project.iter().filter_map(|rule| {
            let same = |user: &&Rule| user.text() == rule.text();
            let user = self.user.iter().filter(same).map(|user| user.level).max()?;
            (user > rule.level).then_some((rule, user))
        });
        ignored.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use expect_test::expect;

    use super::*;
    use crate::ConfigFile;

    fn policy(user: &str, project: &str) -> AgentPolicy {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("p/.attractor")).unwrap();
        fs::write(root.join("p/.attractor/config.toml"), project).unwrap();
        fs::write(root.join("user.toml"), user).unwrap();
        let user_file = root.join("user.toml");
        AgentPolicy::of(&Configuration::read(
            &root.join("p/a.dot"),
            Some(&user_file),
        ))
    }

    #[test]
    fn a_project_only_narrows() {
        let narrow = policy(
            "[agent.permissions]\nshell = \"ask\"\n[agent.sandbox]\nnetwork = true\nwritable = [\"~/.cache\"]",
            "[agent.permissions]\nshell = \"allow\"\n\"write(docs/**)\" = \"deny\"\n[agent.sandbox]\nmode = \"read-only\"\nnetwork = false\n[agent]\nlanguage_servers = \"off\"",
        );
        assert_eq!(narrow.language_servers, LanguageServerMode::Off);
        assert_eq!(narrow.sandbox, SandboxMode::ReadOnly);
        assert!(!narrow.network);
        assert_eq!(narrow.writable, ["~/.cache"]);
        let ignored: Vec<String> = narrow
            .ignored()
            .iter()
            .map(|(rule, _)| rule.to_string())
            .collect();
        assert_eq!(ignored, ["shell = allow"]);
        let wide = policy("[agent.sandbox]\nmode = \"off\"\nnetwork = true", "");
        assert_eq!((wide.sandbox, wide.network), (SandboxMode::Off, true));
        let servers = policy(
            "[agent]\nlanguage_servers = \"always\"",
            "[agent]\nlanguage_servers = \"sandboxed\"",
        );
        assert_eq!(servers.language_servers, LanguageServerMode::Sandboxed);
        let subagents = policy(
            "[agent.subagents]\nmax_tokens = 1000",
            "[agent.subagents]\nmax_tokens = 5000\nmax_turns = 3",
        );
        let limits = subagents.subagents;
        assert_eq!((limits.max_tokens, limits.max_turns), (Some(1000), Some(3)));
        let default = policy("", "");
        assert_eq!(
            (default.sandbox, default.network),
            (SandboxMode::WorkspaceWrite, false)
        );
    }

    #[test]
    fn what_a_project_may_not_set_and_what_is_wrong_is_reported() {
        let text = "[agent.permissions]\nshell = \"alow\"\n\"shell(x\" = \"deny\"\n[agent.sandbox]\nmode = \"off\"\nnetwork = true\nwritable = [\"/\"]\nmodes = 1\n[agent]\nlanguage_servers = \"always\"\nx = 1\n";
        let (_, problems) = ConfigFile::parse(text, Owner::Project);
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        expect![[r#"
            2:9: `agent.permissions.shell` is "alow"; expected "allow", "ask" or "deny"
            3:1: `shell(x` is not a rule; expected a tool, `read`, `write`, `shell`, `web`, `mcp` or `*`, and a pattern in parentheses, such as `shell(cargo test*)`
            5:8: `agent.sandbox.mode = "off"` can only be set in the user's configuration file: a project can narrow what agents may do, not widen it
            6:11: `agent.sandbox.network = true` can only be set in the user's configuration file: a project can narrow what agents may do, not widen it
            7:1: `agent.sandbox.writable` can only be set in the user's configuration file: a project can narrow what agents may do, not widen it
            8:1: unknown key `modes`; did you mean `mode`?
            10:20: `agent.language_servers = "always"` can only be set in the user's configuration file: a project can narrow what agents may do, not widen it
            11:1: unknown key `x`; expected one of language_servers, permissions, sandbox, shared_state, subagents"#]]
        .assert_eq(&lines.join("\n"));
        let (user, problems) = ConfigFile::parse(
            "[agent.sandbox]\nmode = \"off\"\nnetwork = true\nwritable = [\"/\"]\n",
            Owner::User,
        );
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(user.agent.sandbox, Some(SandboxMode::Off));
    }
}
