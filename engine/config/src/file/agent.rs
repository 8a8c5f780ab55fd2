//! `[agent]` with `[agent.permissions]` and `[agent.sandbox]`: what agents may do.

use attractor_permissions::{Level, Rule, SandboxMode};

use super::reader::{Entry, Reader, string};
use crate::language_server_mode::LanguageServerMode;
use crate::owner::Owner;

/// Keys and sections of the section.
const KEYS: [&str; 3] = ["language_servers", "permissions", "sandbox"];

/// Keys of the sandbox.
const SANDBOX_KEYS: [&str; 3] = ["mode", "network", "writable"];

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
    /// Whether language servers are started.
    pub language_servers: Option<LanguageServerMode>,
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry, owner: Owner) -> AgentSettings {
    let mut settings = AgentSettings::default();
    for entry in reader.section(section) {
        match entry.key.as_str() {
            "permissions" => settings.permissions = permissions(reader, &entry),
            "language_servers" => language_servers(&mut settings, reader, &entry, owner),
            "sandbox" => sandbox(&mut settings, reader, &entry, owner),
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
            "network" => match entry.value.as_bool() {
                Some(true) if owner == Owner::Project => {
                    reader.report(entry.value_at, of_user("`agent.sandbox.network = true`"));
                }
                Some(network) => settings.network = Some(network),
                None => {
                    let value = &entry.value;
                    let message =
                        format!("`agent.sandbox.network` is {value}; expected true or false");
                    reader.report(entry.value_at, message);
                }
            },
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
