//! `[acp.NAME]`: agents that speak the Agent Client Protocol, in the user's own file.

use super::reader::{Entry, Reader};

/// Keys of an agent.
const KEYS: [&str; 2] = ["command", "env_variables"];

/// The settings of one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcpSettings {
    /// The name by which nodes choose it.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Variables of the user's environment that the program may see although they hold secrets.
    pub env_variables: Vec<String>,
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> Vec<AcpSettings> {
    let mut agents = Vec::new();
    for entry in reader.section(section) {
        let name = &entry.key;
        if entry.value.is_table() {
            agents.extend(agent(reader, &entry));
        } else {
            let message = format!("`acp.{name}` is not a section; expected [acp.{name}]");
            reader.report(entry.value_at, message);
        }
    }
    agents
}

fn agent(reader: &mut Reader<'_>, section: &Entry) -> Option<AcpSettings> {
    let mut agent = AcpSettings {
        name: section.key.clone(),
        ..AcpSettings::default()
    };
    for entry in reader.section(section) {
        let name = format!("acp.{}.{}", section.key, entry.key);
        match entry.key.as_str() {
            "command" => agent.command = reader.strings(&entry, &name).unwrap_or_default(),
            "env_variables" => {
                agent.env_variables = reader.strings(&entry, &name).unwrap_or_default();
            }
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    if agent.command.is_empty() {
        let message = format!(
            "`acp.{}` needs command = [\"PROGRAM\", \"ARGUMENT\"]",
            section.key
        );
        reader.report(section.at, message);
        return None;
    }
    Some(agent)
}
