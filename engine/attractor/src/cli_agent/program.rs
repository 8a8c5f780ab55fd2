//! The command-line agents: one row each.

use attractor_run::CodergenRequest;
use serde_json::Value;

use super::transcript::Transcript;
use super::{claude, codex, gemini, opencode};

/// A command-line agent.
pub(crate) struct AgentProgram {
    /// The value of `agent_tool`, and the program.
    pub(crate) program: &'static str,
    /// Its name for people.
    pub(crate) label: &'static str,
    /// The provider whose models it runs, where there is only one.
    pub(crate) provider: Option<&'static str>,
    /// Its API keys: they are kept from every other command.
    pub(crate) key_variables: &'static [&'static str],
    /// Its arguments, and which attributes of the node it cannot follow.
    pub(super) arguments: fn(&CodergenRequest) -> (Vec<String>, Vec<String>),
    /// The command that speaks the Agent Client Protocol.
    pub(crate) acp: &'static [&'static str],
    /// Whether its arguments carry the system prompt; else it precedes the prompt.
    pub(crate) takes_system_prompt: bool,
    /// Reads one event; gives text to show while it works.
    pub(super) read: fn(&mut Transcript, &Value) -> Option<String>,
}

/// All of them.
pub(super) const PROGRAMS: &[AgentProgram] = &[
    AgentProgram {
        program: "claude",
        label: "Claude Code",
        provider: Some("anthropic"),
        key_variables: &["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
        arguments: claude::arguments,
        acp: &["claude-agent-acp"],
        takes_system_prompt: true,
        read: claude::read,
    },
    AgentProgram {
        program: "codex",
        label: "Codex",
        provider: Some("openai"),
        key_variables: &["OPENAI_API_KEY", "CODEX_API_KEY"],
        arguments: codex::arguments,
        acp: &["codex-acp"],
        takes_system_prompt: false,
        read: codex::read,
    },
    AgentProgram {
        program: "gemini",
        label: "Gemini CLI",
        provider: Some("google"),
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        arguments: gemini::arguments,
        acp: &["gemini", "--acp"],
        takes_system_prompt: false,
        read: gemini::read,
    },
    AgentProgram {
        program: "opencode",
        label: "opencode",
        provider: None,
        key_variables: &[
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
        ],
        arguments: opencode::arguments,
        acp: &["opencode", "acp"],
        takes_system_prompt: false,
        read: opencode::read,
    },
];

/// The agent of a node: the one it names, else that of its provider or model.
pub(crate) fn of(request: &CodergenRequest) -> Result<&'static AgentProgram, String> {
    let find = |name: &str| PROGRAMS.iter().find(|agent| agent.program == name);
    if let Some(name) = request.option("agent_tool") {
        return find(name).ok_or_else(|| {
            let names = names(", ");
            format!("unknown command-line agent `{name}`; expected one of {names}")
        });
    }
    let provider = request.provider.as_deref().unwrap_or_default();
    let model = request.model.as_deref().unwrap_or_default();
    let is_served = |agent: &&AgentProgram| {
        agent.provider.is_some_and(|own| own == provider) || model.starts_with(agent.program)
    };
    let by_model = PROGRAMS.iter().find(is_served);
    let is_openai = || model.starts_with("gpt-").then(|| find("codex")).flatten();
    by_model.or_else(is_openai).ok_or_else(|| {
        let names = names(" or ");
        format!("no command-line agent is chosen; set `agent_tool` to {names}")
    })
}

/// The names of all agents: `` `a`, `b` or `c` `` with ` or ` before the last one.
pub(crate) fn names(last: &str) -> String {
    let names: Vec<String> = PROGRAMS
        .iter()
        .map(|agent| format!("`{}`", agent.program))
        .collect();
    match names.split_last() {
        Some((name, before)) => format!("{}{last}{name}", before.join(", ")),
        None => String::new(),
    }
}

/// What an agent reads: earlier turns of the thread, and the prompt.
pub(crate) fn input(request: &CodergenRequest, takes_system_prompt: bool) -> String {
    let mut input = String::new();
    let system = request
        .system_prompt
        .as_deref()
        .filter(|_| !takes_system_prompt);
    if let Some(system) = system {
        input.push_str(system);
        input.push_str("\n\n");
    }
    for turn in &request.conversation {
        input.push_str("Earlier request:\n");
        input.push_str(&turn.prompt);
        input.push_str("\n\nYour answer to it:\n");
        input.push_str(&turn.answer);
        input.push_str("\n\n");
    }
    input.push_str(&request.preamble);
    input.push_str(&request.prompt);
    input
}
