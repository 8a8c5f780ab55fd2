//! `[agent]` with `[agent.permissions]` and `[agent.sandbox]`: what agents may do, and where they keep what they share.

use attractor_permissions::{Level, Rule, SandboxMode};

use super::reader::{Entry, Reader, string};
use crate::language_server_mode::LanguageServerMode;
use crate::owner::Owner;
use crate::shared_state_store::SharedStateStore;

/// Keys and sections of the section.
const KEYS: [&str; 5] = [
    "language_servers",
    "permissions",
    "sandbox",
    "shared_state",
    "subagents",
];

/// Keys of the limits of subagents.
const SUBAGENT_KEYS: [&str; 2] = ["max_tokens", "max_turns"];

/// Keys of the sandbox.
const SANDBOX_KEYS: [&str; 5] = ["git_hooks", "mode", "network", "writable", "writable_git"];

/// What agents may do, as far as one file says it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentSettings {
    /// Rules on tools and what they do.
    pub permissions: Vec<Rule>,
    /// What commands may write.
    pub sandbox: Option<SandboxMode>,
    /// Whether commands reach the network.
    pub network: Option<bool>,
    /// Further folders that commands may write; of the user's file only.
    pub writable: Vec<String>,
    /// Whether commands write `.git`, except for hooks and settings.
    pub writable_git: Option<bool>,
    /// Whether hooks of repositories run where the engine calls Git for a command.
    pub git_hooks: Option<bool>,
    /// Whether language servers are started.
    pub language_servers: Option<LanguageServerMode>,
    /// Where the agents of a run keep what they share.
    pub shared_state: Option<SharedStateStore>,
    /// What one subagent may use.
    pub subagents: SubagentLimits,
}

/// What one subagent may use; absent for the default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SubagentLimits {
    /// Most tokens of input and output.
    pub max_tokens: Option<u64>,
    /// Most calls of the model.
    pub max_turns: Option<u64>,
}

impl SubagentLimits {
    /// These limits where another one does not lower them.
    #[must_use]
    pub fn lowered_by(self, other: Self) -> Self {
        let lower = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self {
            max_tokens: lower(self.max_tokens, other.max_tokens),
            max_turns: lower(self.max_turns, other.max_turns),
        }
    }
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry, owner: Owner) -> AgentSettings {
    let mut settings = AgentSettings::default();
    for entry in reader.section(section) {
        match entry.key.as_str() {
            "permissions" => settings.permissions = permissions(reader, &entry),
            "language_servers" => language_servers(&mut settings, reader, &entry, owner),
            "sandbox" => sandbox(&mut settings, reader, &entry, owner),
            "shared_state" => settings.shared_state = shared_state(reader, &entry),
            "subagents" => settings.subagents = subagents(reader, &entry),
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    settings
}

fn language_servers(
    settings: &mut AgentSettings,
    reader: &mut Reader<'_>,
    entry: &Entry,
    owner: Owner,
) {
    match string(&entry.value).and_then(LanguageServerMode::parse) {
        Some(LanguageServerMode::Always) if owner == Owner::Project => {
            reader.report(
                entry.value_at,
                of_user("`agent.language_servers = \"always\"`"),
            );
        }
        Some(mode) => settings.language_servers = Some(mode),
        None => {
            let names = LanguageServerMode::ALL
                .map(LanguageServerMode::name)
                .join(", ");
            let value = &entry.value;
            let message = format!("`agent.language_servers` is {value}; expected one of {names}");
            reader.report(entry.value_at, message);
        }
    }
}

fn shared_state(reader: &mut Reader<'_>, entry: &Entry) -> Option<SharedStateStore> {
    let store = string(&entry.value).and_then(SharedStateStore::parse);
    if store.is_none() {
        let names = SharedStateStore::ALL.map(SharedStateStore::name).join(", ");
        let value = &entry.value;
        let message = format!("`agent.shared_state` is {value}; expected one of {names}");
        reader.report(entry.value_at, message);
    }
    store
}

/// Why a project's file cannot have it.
fn of_user(what: &str) -> String {
    format!(
        "{what} can only be set in the user's configuration file: a project can narrow what agents may do, not widen it"
    )
}

fn permissions(reader: &mut Reader<'_>, section: &Entry) -> Vec<Rule> {
    let mut rules = Vec::new();
    for entry in reader.section(section) {
        let Some(level) = string(&entry.value).and_then(Level::parse) else {
            let (key, value) = (&entry.key, &entry.value);
            let message = format!(
                "`agent.permissions.{key}` is {value}; expected \"allow\", \"ask\" or \"deny\""
            );
            reader.report(entry.value_at, message);
            continue;
        };
        match Rule::parse(&entry.key, level) {
            Ok(rule) => rules.push(rule),
            Err(error) => reader.report(entry.at, error.to_string()),
        }
    }
    rules
}

fn subagents(reader: &mut Reader<'_>, section: &Entry) -> SubagentLimits {
    let mut limits = SubagentLimits::default();
    for entry in reader.section(section) {
        let limit = match entry.key.as_str() {
            "max_tokens" => &mut limits.max_tokens,
            "max_turns" => &mut limits.max_turns,
            _ => {
                reader.unknown(&entry, "key", SUBAGENT_KEYS.into_iter());
                continue;
            }
        };
        let count = entry
            .value
            .as_integer()
            .and_then(|count| u64::try_from(count).ok());
        if let Some(count) = count.filter(|count| *count > 0) {
            *limit = Some(count);
        } else {
            let (key, value) = (&entry.key, &entry.value);
            let message = format!("`agent.subagents.{key}` is {value}; expected a number from 1");
            reader.report(entry.value_at, message);
        }
    }
    limits
}

fn sandbox(settings: &mut AgentSettings, reader: &mut Reader<'_>, section: &Entry, owner: Owner) {
    for entry in reader.section(section) {
        match entry.key.as_str() {
            "mode" => match string(&entry.value).and_then(SandboxMode::parse) {
                Some(SandboxMode::Off) if owner == Owner::Project => {
                    reader.report(entry.value_at, of_user("`agent.sandbox.mode = \"off\"`"));
                }
                Some(mode) => settings.sandbox = Some(mode),
                None => {
                    let names = SandboxMode::ALL.map(SandboxMode::name).join(", ");
                    let value = &entry.value;
                    let message =
                        format!("`agent.sandbox.mode` is {value}; expected one of {names}");
                    reader.report(entry.value_at, message);
                }
            },
            "network" => settings.network = switch(reader, &entry, owner),
            "writable_git" => settings.writable_git = switch(reader, &entry, owner),
            "git_hooks" => settings.git_hooks = switch(reader, &entry, owner),
            "writable" if owner == Owner::Project => {
                reader.report(entry.at, of_user("`agent.sandbox.writable`"));
            }
            "writable" => {
                settings.writable = reader
                    .strings(&entry, "agent.sandbox.writable")
                    .unwrap_or_default();
            }
            _ => reader.unknown(&entry, "key", SANDBOX_KEYS.into_iter()),
        }
    }
}

/// A setting of the sandbox that only the user's file switches on.
fn switch(reader: &mut Reader<'_>, entry: &Entry, owner: Owner) -> Option<bool> {
    let key = &entry.key;
    match entry.value.as_bool() {
        Some(true) if owner == Owner::Project => {
            reader.report(
                entry.value_at,
                of_user(&format!("`agent.sandbox.{key} = true`")),
            );
            None
        }
        Some(is_on) => Some(is_on),
        None => {
            let value = &entry.value;
            let message = format!("`agent.sandbox.{key}` is {value}; expected true or false");
            reader.report(entry.value_at, message);
            None
        }
    }
}
