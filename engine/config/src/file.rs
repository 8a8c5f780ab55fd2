//! A configuration file: `.attractor/config.toml` of a project, or the user's own. How DOT files are to be read, and
//! which handlers a run has beyond the built-in ones.
//!
//! Pure: text in, values and problems out. Nothing is ignored: a policy that is silently not there is worse than none,
//! so an unknown key is a problem, and so is a section that this version does not have yet.
//!
//! ```toml
//! dialect = "auto"
//! [lints]
//! cycle = "allow"
//! [pipelines]
//! globs = ["pipelines/**/*.gv"]
//! [format]
//! sort = true
//! [handlers.deploy]
//! command = ["python3", "deploy.py"]
//! [models]
//! fallback_models = ["gpt-6-luna"]
//! [roles]
//! support = ["bugfix_workflow", "log_investigation"]
//! ```

mod acp;
mod agent;
mod declared_models;
mod handlers;
mod hooks;
mod mcp;
mod models;
mod notify;
mod providers;
mod reader;
mod reading;
mod serve;

use std::collections::BTreeMap;

use attractor_model::catalogue::nearest;
use attractor_model::{CustomHandler, DialectChoice, Levels, ToolHook};

pub use self::acp::AcpSettings;
pub use self::agent::{AgentSettings, SubagentLimits};
pub use self::mcp::McpSettings;
pub use self::models::{ModelSettings, OnRateLimit};
pub use self::notify::{NotifiedRuns, NotifyEvent, NotifySettings, NotifyTarget};
pub use self::providers::ProviderSettings;
pub use self::reader::Problem;
use self::reader::{Entry, Reader};
pub use self::serve::ServeSettings;
use crate::format::FormatSettings;
use crate::owner::Owner;

/// The values of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigFile {
    /// The dialect of files that do not name one.
    pub dialect: Option<DialectChoice>,
    /// Levels of lints.
    pub lints: Levels,
    /// Files whose digraphs are pipelines whatever they hold.
    pub pipeline_globs: Vec<String>,
    /// Layout of the formatter.
    pub format: FormatSettings,
    /// Handlers a run of this project has beyond the built-in ones.
    pub handlers: Vec<CustomHandler>,
    /// Commands before and after tool calls of agents.
    pub hooks: Vec<ToolHook>,
    /// The plans a role may use, by role.
    pub roles: BTreeMap<String, Vec<String>>,
    /// Keys and addresses of providers of models; of the user's file only.
    pub providers: Vec<ProviderSettings>,
    /// How models are called where a node does not say it.
    pub models: ModelSettings,
    /// What agents may do.
    pub agent: AgentSettings,
    /// Servers of the Model Context Protocol; of the user's file only.
    pub mcp: Vec<McpSettings>,
    /// How `attractor serve` is set up; of the user's file only.
    pub serve: Option<ServeSettings>,
    /// What is called when a run asks or ends; of the user's file only.
    pub notify: Option<NotifySettings>,
    /// Agents that speak the Agent Client Protocol; of the user's file only.
    pub acp: Vec<AcpSettings>,
}

/// Keys at the top of the file.
const KEYS: [&str; 14] = [
    "dialect",
    "lints",
    "pipelines",
    "format",
    "handlers",
    "hooks",
    "roles",
    "providers",
    "models",
    "agent",
    "mcp",
    "serve",
    "notify",
    "acp",
];

/// Sections of later versions. They are rejected by name, because a file that has one relies on it.
const LATER: [&str; 6] = ["budgets", "hints", "permissions", "runs", "sandbox", "vars"];

/// Sections that a project's file must not have, and what they decide.
const OF_USER: [(&str, &str); 5] = [
    ("providers", "where keys are sent"),
    ("mcp", "which programs run"),
    ("acp", "which programs run"),
    ("serve", "what others may run on this machine"),
    ("notify", "where news of runs are sent"),
];

impl ConfigFile {
    /// Reads the text of a file. Each entry is read alone: a problem is reported and the rest is used.
    pub fn parse(text: &str, owner: Owner) -> (Self, Vec<Problem>) {
        parse(text, owner)
    }
}

fn parse(text: &str, owner: Owner) -> (ConfigFile, Vec<Problem>) {
    let mut project = ConfigFile::default();
    let mut reader = Reader::new(text);
    for entry in reader.root() {
        let of_user = OF_USER.into_iter().find(|(key, _)| *key == entry.key);
        if let (Some((key, what)), Owner::Project) = (of_user, owner) {
            let message = format!(
                "`{key}` can only be set in the user's configuration file, since it decides {what}; move it there (`attractor config` shows the path)"
            );
            reader.report(entry.at, message);
            continue;
        }
        match entry.key.as_str() {
            "dialect" => project.dialect = reading::dialect(&mut reader, &entry),
            "lints" => project.lints = reading::lints(&mut reader, &entry),
            "pipelines" => project.pipeline_globs = reading::pipelines(&mut reader, &entry),
            "format" => project.format = reading::format(&mut reader, &entry),
            "handlers" => project.handlers = handlers::read(&mut reader, &entry),
            "hooks" => project.hooks = reader.policy(|reader| hooks::read(reader, &entry)),
            "roles" => project.roles = reading::roles(&mut reader, &entry),
            "agent" => {
                project.agent = reader.policy(|reader| agent::read(reader, &entry, owner));
            }
            "models" => project.models = models::read(&mut reader, &entry, owner),
            "providers" => project.providers = providers::read(&mut reader, &entry),
            "mcp" => project.mcp = mcp::read(&mut reader, &entry),
            "serve" => project.serve = Some(serve::read(&mut reader, &entry)),
            "notify" => project.notify = notify::read(&mut reader, &entry),
            "acp" => project.acp = acp::read(&mut reader, &entry),
            later if LATER.contains(&later) => {
                let message = format!(
                    "`{later}` is not supported by this version and would have no effect; remove it"
                );
                reader.policy(|reader| reader.report(entry.at, message));
            }
            // It may be that of a policy.
            _ if entry.value.is_table() => reader.policy(|reader| unknown(reader, &entry)),
            _ => unknown(&mut reader, &entry),
        }
    }
    (project, reader.problems())
}

/// Reports a key that does not exist; sections of later versions are suggested too.
fn unknown(reader: &mut Reader<'_>, entry: &Entry) {
    let key = &entry.key;
    let near = nearest(key, KEYS.into_iter().chain(LATER));
    match near.filter(|near| LATER.contains(near)) {
        Some(later) => {
            let message = format!(
                "unknown key `{key}`; did you mean `{later}`? It is not supported by this version"
            );
            reader.report(entry.at, message);
        }
        None => reader.unknown(entry, "key", KEYS.into_iter()),
    }
}

#[cfg(test)]
mod tests;
