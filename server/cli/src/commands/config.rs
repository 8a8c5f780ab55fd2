//! `attractor config`: the effective configuration of a folder, and the source of each value.

use std::path::{Path, PathBuf};
use std::time::Duration;

use attractor_config::format::FORMAT_OPTIONS;
use attractor_config::{
    AgentPolicy, AgentSettings as AgentFile, Configuration, Layer, Owner, ProviderSettings,
    SubagentLimits, user_file,
};
use attractor_lang::duration;
use attractor_lint::LINTS;
use attractor_model::DialectChoice;
use attractor_run::{project_root_of_folder, runs_dir};
use serde_json::{Value, json};

use super::ListFormat;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::table;

/// Show the effective configuration and its sources
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  attractor config              the values in effect, and where each comes from
  attractor config flow.dot     those for a file")]
pub struct Config {
    /// A folder, or a file in it
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Include defaults
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: ListFormat,
}

/// An effective value.
struct Row {
    key: String,
    value: Value,
    /// The file that sets it; `None` for a default.
    from: Option<PathBuf>,
}

impl Config {
    /// Prints the configuration.
    pub fn run(self) -> Result<Exit, Error> {
        let folder = std::path::absolute(&self.path)
            .map_err(|cause| Error::unreadable(self.path.display().to_string(), cause))?;
        let configuration = configuration::read(&folder);
        let mut rows = rows(&configuration, &folder);
        if !self.all {
            rows.retain(|row| row.from.is_some() || !row.key.starts_with("lints."));
        }
        if self.format == ListFormat::Json {
            return print_json(&configuration, &rows);
        }
        configuration::report_problems(&configuration);
        let lines = rows.iter().map(|row| {
            let from = match &row.from {
                Some(path) => path.display().to_string(),
                None => "default".to_owned(),
            };
            vec![row.key.clone(), shown(&row.value), from]
        });
        console::print(&table::draw(&["KEY", "VALUE", "SOURCE"], lines))?;
        if configuration.layers().is_empty() {
            let own = user_file().map(|path| format!(", and {}", path.display()));
            console::remark(&format!(
                "no configuration file found (looked for .attractor/config.toml in this folder and its parents{})",
                own.unwrap_or_default()
            ));
        }
        Ok(exit_of(&configuration))
    }
}

/// Fails where a file, or a part of it, could not be used.
fn exit_of(configuration: &Configuration) -> Exit {
    let mut layers = configuration.layers().iter();
    if layers.any(|layer| !layer.problems.is_empty()) {
        Exit::Failed
    } else {
        Exit::Success
    }
}

fn print_json(configuration: &Configuration, rows: &[Row]) -> Result<Exit, Error> {
    let values: Vec<Value> = rows
        .iter()
        .map(|row| json!({"key": row.key, "value": row.value, "from": row.from}))
        .collect();
    let files: Vec<Value> = configuration
        .layers()
        .iter()
        .map(|layer| json!({"path": layer.path, "problems": layer.problems.iter().map(ToString::to_string).collect::<Vec<_>>()}))
        .collect();
    console::json(&json!({"files": files, "values": values}))?;
    Ok(exit_of(configuration))
}

fn rows(configuration: &Configuration, folder: &Path) -> Vec<Row> {
    let dialect = configuration.dialect();
    let globs = configuration.first(|file| {
        let globs = &file.pipeline_globs;
        (!globs.is_empty()).then(|| globs.clone())
    });
    let mut rows = vec![
        Row {
            key: "dialect".to_owned(),
            value: name(dialect.map_or(DialectChoice::Auto, |(dialect, _)| dialect)).into(),
            from: dialect.map(|(_, layer)| layer.path.clone()),
        },
        Row {
            key: "pipelines.globs".to_owned(),
            value: json!(globs.as_ref().map_or(&[][..], |(globs, _)| globs)),
            from: globs.map(|(_, layer)| layer.path.clone()),
        },
        Row {
            key: "runs".to_owned(),
            value: json!(runs_dir(&project_root_of_folder(folder))),
            from: None,
        },
    ];
    for layer in configuration.layers() {
        // Never a key.
        rows.extend(layer.values.providers.iter().map(|provider| Row {
            key: format!("providers.{}", provider.name),
            value: json!({
                "base_url": provider.base_url,
                "allow_insecure_http": provider.allow_insecure_http,
                "headers": header_names(provider),
                "has_key": provider.api_key.is_some() || provider.api_key_variable.is_some(),
            }),
            from: Some(layer.path.clone()),
        }));
        let handlers = layer.values.handlers.iter();
        rows.extend(handlers.map(|handler| Row {
            key: format!("handlers.{}", handler.name),
            value: json!(handler.doc),
            from: Some(layer.path.clone()),
        }));
    }
    rows.extend(hook_rows(configuration));
    rows.extend(model_rows(configuration));
    rows.extend(agent_rows(configuration));
    rows.extend(configuration.roles().into_iter().filter_map(|role| {
        let (plans, layer) = configuration.role(role)?;
        Some(Row {
            key: format!("roles.{role}"),
            value: json!(plans),
            from: Some(layer.path.clone()),
        })
    }));
    rows.extend(FORMAT_OPTIONS.iter().map(|setting| {
        let set = configuration.first(|file| setting.value(&file.format));
        let text = set.as_ref().map_or(setting.default, |(text, _)| text);
        Row {
            key: format!("format.{}", setting.name),
            // Numbers and booleans are not strings in JSON.
            value: serde_json::from_str(text).unwrap_or_else(|_| text.into()),
            from: set.map(|(_, layer)| layer.path.clone()),
        }
    }));
    rows.extend(LINTS.iter().map(|lint| {
        let set = configuration.level(lint.rule);
        Row {
            key: format!("lints.{}", lint.rule),
            value: set.map_or(lint.level, |(level, _)| level).name().into(),
            from: set.map(|(_, layer)| layer.path.clone()),
        }
    }));
    rows
}

/// The commands before and after tool calls of agents.
fn hook_rows(configuration: &Configuration) -> Vec<Row> {
    let of_layer = |layer: &Layer| {
        let path = layer.path.clone();
        let hooks = layer.values.hooks.clone().into_iter();
        hooks.map(move |hook| {
            let calls = hook.tool.as_deref().unwrap_or("every tool call");
            let command = hook.command.join(" ");
            Row {
                key: format!("hooks.{}", hook.name),
                value: format!("{} {calls}: {command}", hook.when.name()).into(),
                from: Some(path.clone()),
            }
        })
    };
    let layers = configuration.layers().iter().rev();
    layers.flat_map(of_layer).collect()
}

/// The headers of a provider, never their values.
fn header_names(provider: &ProviderSettings) -> Vec<&str> {
    let headers = provider.headers.iter().chain(&provider.header_variables);
    headers.map(|(name, _)| name.as_str()).collect()
}

/// How models are called.
fn model_rows(configuration: &Configuration) -> Vec<Row> {
    let time = |time: Duration| json!(duration::format(time));
    let settings = [
        (
            "models.fallback_models",
            configuration.first(|file| Some(json!(file.models.fallback_models.clone()?))),
        ),
        (
            "models.request_timeout",
            configuration.first(|file| file.models.request_timeout.map(time)),
        ),
        (
            "models.idle_timeout",
            configuration.first(|file| file.models.idle_timeout.map(time)),
        ),
        (
            "models.max_retries",
            configuration.first(|file| file.models.max_retries.map(Value::from)),
        ),
        (
            "models.max_wait",
            configuration.first(|file| file.models.max_wait.map(time)),
        ),
        (
            "models.on_rate_limit",
            configuration.first(|file| Some(json!(file.models.on_rate_limit?.name()))),
        ),
    ];
    let rows = settings.into_iter().filter_map(|(key, found)| {
        let (value, layer) = found?;
        Some(Row {
            key: key.to_owned(),
            value,
            from: Some(layer.path.clone()),
        })
    });
    rows.collect()
}

/// What agents may do.
fn agent_rows(configuration: &Configuration) -> Vec<Row> {
    let policy = AgentPolicy::of(configuration);
    let row = |key: String, value: Value, layer: Option<&Layer>| Row {
        key,
        value,
        from: layer.map(|layer| layer.path.clone()),
    };
    let with = |has: fn(&AgentFile) -> bool| {
        let mut layers = configuration.layers().iter();
        layers.find(|layer| has(&layer.values.agent))
    };
    let mut rows = vec![
        row(
            "agent.language_servers".to_owned(),
            policy.language_servers.name().into(),
            with(|agent| agent.language_servers.is_some()),
        ),
        row(
            "agent.sandbox.mode".to_owned(),
            policy.sandbox.name().into(),
            with(|agent| agent.sandbox.is_some()),
        ),
        row(
            "agent.sandbox.network".to_owned(),
            policy.network.into(),
            with(|agent| agent.network.is_some()),
        ),
        row(
            "agent.shared_state".to_owned(),
            configuration.shared_state().name().into(),
            with(|agent| agent.shared_state.is_some()),
        ),
    ];
    if !policy.writable.is_empty() {
        let key = "agent.sandbox.writable".to_owned();
        let layer = with(|agent| !agent.writable.is_empty());
        rows.push(row(key, json!(policy.writable), layer));
    }
    let SubagentLimits {
        max_tokens,
        max_turns,
    } = policy.subagents;
    for (name, limit) in [("max_tokens", max_tokens), ("max_turns", max_turns)] {
        if let Some(limit) = limit {
            let key = format!("agent.subagents.{name}");
            let layer = with(|agent| agent.subagents != SubagentLimits::default());
            rows.push(row(key, limit.into(), layer));
        }
    }
    let ignored = policy.ignored();
    for layer in configuration.layers() {
        for rule in &layer.values.agent.permissions {
            let key = format!("agent.permissions.\"{}\"", rule.text());
            let level = rule.level.name();
            let stricter = ignored
                .iter()
                .find(|(other, _)| layer.owner == Owner::Project && other.text() == rule.text());
            let value = match stricter {
                Some((_, user)) => {
                    format!("{level} (no effect: the user's file says {})", user.name())
                }
                None => level.to_owned(),
            };
            rows.push(row(key, value.into(), Some(layer)));
        }
    }
    let servers = configuration.mcp_servers();
    rows.extend(servers.iter().map(|server| {
        // Never a token, nor an address that may have one.
        let value = server.command.first().map_or("an address", String::as_str);
        let layer = with_server(configuration, &server.name);
        row(format!("mcp.{}", server.name), value.into(), layer)
    }));
    rows
}

/// The file that configures an MCP server.
fn with_server<'c>(configuration: &'c Configuration, name: &str) -> Option<&'c Layer> {
    let mut layers = configuration.layers().iter();
    layers.find(|layer| layer.values.mcp.iter().any(|server| server.name == name))
}

fn name(dialect: DialectChoice) -> &'static str {
    match dialect {
        DialectChoice::Auto => "auto",
        DialectChoice::Fixed(dialect) => dialect.name(),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
