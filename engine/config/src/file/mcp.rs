//! `[mcp.NAME]`: servers of the Model Context Protocol, in the user's own file.

use std::time::Duration;

use super::reader::{Entry, Reader};

/// Keys of a server.
const KEYS: [&str; 8] = [
    "command",
    "env",
    "env_variables",
    "url",
    "headers",
    "bearer_token_variable",
    "start_timeout",
    "call_timeout",
];

/// The settings of one server: a program or an address.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct McpSettings {
    /// The name by which nodes choose it, and the first part of the names of its tools.
    pub name: String,
    /// The program and its arguments; empty for a server with an address.
    pub command: Vec<String>,
    /// Variables of the program's environment.
    pub env: Vec<(String, String)>,
    /// Variables of the user's environment that the program may see although they hold secrets.
    pub env_variables: Vec<String>,
    /// Its address.
    pub url: Option<String>,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
    /// The variable of the environment that holds the token of the header `Authorization`.
    pub bearer_token_variable: Option<String>,
    /// The time to start.
    pub start_timeout: Option<Duration>,
    /// The time of one call.
    pub call_timeout: Option<Duration>,
}

/// Never a value that may be a secret.
impl std::fmt::Debug for McpSettings {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("McpSettings")
            .field("name", &self.name)
            .field("command", &self.command)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

pub(super) fn read(reader: &mut Reader<'_>, section: &Entry) -> Vec<McpSettings> {
    let mut servers = Vec::new();
    for entry in reader.section(section) {
        let name = &entry.key;
        if !entry.value.is_table() {
            let message = format!("`mcp.{name}` is not a section; expected [mcp.{name}]");
            reader.report(entry.value_at, message);
        } else if is_name(name) {
            servers.extend(server(reader, &entry));
        } else {
            let message = format!(
                "`{name}` cannot name a server: expected a letter, then letters, digits, `-` and single `_`"
            );
            reader.report(entry.at, message);
        }
    }
    servers
}

/// The name is a part of the names of tools, before `__`.
fn is_name(name: &str) -> bool {
    let accepted = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(accepted)
        && !name.contains("__")
        && !name.ends_with('_')
}

fn server(reader: &mut Reader<'_>, section: &Entry) -> Option<McpSettings> {
    let mut server = McpSettings {
        name: section.key.clone(),
        ..McpSettings::default()
    };
    for entry in reader.section(section) {
        let name = format!("mcp.{}.{}", section.key, entry.key);
        match entry.key.as_str() {
            "command" => server.command = reader.strings(&entry, &name).unwrap_or_default(),
            "env" => server.env = reader.secret_texts(&entry, &name),
            "env_variables" => {
                server.env_variables = reader.strings(&entry, &name).unwrap_or_default();
            }
            "url" => server.url = reader.text(&entry, &name),
            "headers" => server.headers = reader.secret_texts(&entry, &name),
            "bearer_token_variable" => server.bearer_token_variable = reader.text(&entry, &name),
            "start_timeout" => server.start_timeout = reader.duration(&entry, &name),
            "call_timeout" => server.call_timeout = reader.duration(&entry, &name),
            _ => reader.unknown(&entry, "key", KEYS.into_iter()),
        }
    }
    if server.command.is_empty() == server.url.is_none() {
        let message = format!(
            "`mcp.{}` needs either command = [\"PROGRAM\", \"ARGUMENT\"] or url = \"https://…\"",
            section.key
        );
        reader.report(section.at, message);
        return None;
    }
    Some(server)
}
