//! What differs between the models of providers: their tools, their instructions, the files they read in a project.

use crate::tool::ToolRegistry;

/// What a session of a provider's model is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderProfile {
    /// The provider's id.
    pub provider_name: &'static str,
    /// The tools, in the order the model sees them.
    pub tool_names: &'static [&'static str],
    /// The instructions, with placeholders: `{working_dir}`.
    pub system_prompt_template: &'static str,
    /// The size of the context window, in tokens, for models that the catalogue does not list.
    pub context_window_size: u64,
    /// The files of instructions in a project that this provider's own programs read.
    pub project_documents: &'static [&'static str],
}

const ANTHROPIC: ProviderProfile = ProviderProfile {
    provider_name: "anthropic",
    tool_names: &[
        "edit_file",
        "read_file",
        "write_file",
        "shell",
        "shell_output",
        "shell_input",
        "shell_stop",
        "grep",
        "glob",
        "web_fetch",
        "update_plan",
        "spawn_agent",
        "send_input",
        "wait",
        "close_agent",
    ],
    system_prompt_template: concat!(
        include_str!("profile/common.md"),
        include_str!("profile/edit_file.md")
    ),
    context_window_size: 200_000,
    project_documents: &["AGENTS.md", "CLAUDE.md"],
};

const OPENAI: ProviderProfile = ProviderProfile {
    provider_name: "openai",
    tool_names: &[
        "apply_patch",
        "read_file",
        "write_file",
        "shell",
        "shell_output",
        "shell_input",
        "shell_stop",
        "grep",
        "glob",
        "web_fetch",
        "update_plan",
        "spawn_agent",
        "send_input",
        "wait",
        "close_agent",
    ],
    system_prompt_template: concat!(
        include_str!("profile/common.md"),
        include_str!("profile/apply_patch.md")
    ),
    context_window_size: 128_000,
    project_documents: &["AGENTS.md", ".codex/instructions.md"],
};

const GOOGLE: ProviderProfile = ProviderProfile {
    provider_name: "google",
    tool_names: &[
        "edit_file",
        "read_file",
        "write_file",
        "shell",
        "shell_output",
        "shell_input",
        "shell_stop",
        "grep",
        "glob",
        "list_dir",
        "web_fetch",
        "update_plan",
        "spawn_agent",
        "send_input",
        "wait",
        "close_agent",
    ],
    context_window_size: 1_000_000,
    project_documents: &["AGENTS.md", "GEMINI.md"],
    ..ANTHROPIC
};

/// For other servers, whose models are of all makes.
const OTHER: ProviderProfile = ProviderProfile {
    provider_name: "openai-compatible",
    project_documents: &["AGENTS.md"],
    context_window_size: 128_000,
    ..GOOGLE
};

impl ProviderProfile {
    /// The names of the documents that any profile reads.
    pub fn all_project_documents() -> Vec<&'static str> {
        let profiles = [&ANTHROPIC, &OPENAI, &GOOGLE, &OTHER];
        let mut names: Vec<&str> = profiles
            .iter()
            .flat_map(|profile| profile.project_documents.iter().copied())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The profile of a provider's models.
    pub fn of(provider: &str) -> Self {
        let known = [ANTHROPIC, OPENAI, GOOGLE];
        let mut known = known.into_iter();
        known
            .find(|profile| profile.provider_name == provider)
            .unwrap_or(Self {
                provider_name: "openai-compatible",
                ..OTHER
            })
    }

    /// Its tools out of all there are: first its own, in order, then those that no profile names, by name.
    pub fn select(&self, all: &ToolRegistry) -> ToolRegistry {
        let mut selected = ToolRegistry::default();
        let own = self.tool_names.iter().filter_map(|name| all.get(name));
        let is_listed = |name: &&str| {
            let mut profiles = [ANTHROPIC, OPENAI, GOOGLE].into_iter();
            profiles.any(|profile| profile.tool_names.contains(name))
        };
        let mut others: Vec<&str> = all.tool_names();
        others.retain(|name| !is_listed(name));
        others.sort_unstable();
        let others = others.into_iter().filter_map(|name| all.get(name));
        for tool in own.chain(others) {
            selected.register(tool.clone());
        }
        selected
    }

    /// The instructions with values for the placeholders.
    pub fn format_system_prompt(&self, values: &[(&str, &str)]) -> String {
        fill(self.system_prompt_template, values)
    }
}

/// Replaces `{name}` by its value, once: a value is not looked at again.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let placeholder = after.split_once('}');
        let value = placeholder.and_then(|(name, _)| {
            let mut values = values.iter();
            values.find(|(known, _)| *known == name)
        });
        rest = if let (Some((_, value)), Some((_, rest))) = (value, placeholder) {
            text.push_str(value);
            rest
        } else {
            text.push('{');
            after
        };
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::TestTool;
    use crate::tool::{Access, ToolResult};

    #[test]
    fn each_provider_gets_its_own_tools_and_those_of_nobody() {
        let mut all = ToolRegistry::default();
        for name in [
            "zulu",
            "list_dir",
            "shell",
            "read_file",
            "apply_patch",
            "edit_file",
            "ask_user",
        ] {
            all.register(Arc::new(TestTool {
                name,
                access: |_| Access::Read(Vec::new()),
                run: |_| ToolResult::default(),
            }));
        }
        let shown: Vec<String> = ["anthropic", "openai", "google", "ollama"]
            .iter()
            .map(|provider| {
                let tools = ProviderProfile::of(provider).select(&all);
                format!("{provider}: {}", tools.tool_names().join(" "))
            })
            .collect();
        expect_test::expect![[r#"
            anthropic: edit_file read_file shell ask_user zulu
            openai: apply_patch read_file shell ask_user zulu
            google: edit_file read_file shell list_dir ask_user zulu
            ollama: edit_file read_file shell list_dir ask_user zulu"#]]
        .assert_eq(&shown.join("\n"));
    }

    #[test]
    fn placeholders_are_replaced_once() {
        let values = [("a", "{b}"), ("b", "2")];
        assert_eq!(fill("{a} {b} {c} { {", &values), "{b} 2 {c} { {");
    }
}
