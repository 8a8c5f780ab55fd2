//! The JSON Schema of a configuration file, for completion in TOML editors.

use attractor_lint::LINTS;
use attractor_model::catalogue::NodeKind;
use attractor_model::generated::schemas::DRAFT;
use attractor_model::{CustomType, Dialect, HookTime, Level};
use serde_json::{Value, json};

/// A model of `[models.NAME]`.
fn declared_model() -> Value {
    let tokens = |about: &str| json!({ "description": about, "type": "integer", "minimum": 1 });
    let price = |about: &str| json!({ "description": about, "type": "number", "minimum": 0 });
    json!({
        "description": "A model that the catalogue does not list, by the id that its provider takes. In the user's file also other limits and prices of a listed one.",
        "type": "object",
        "properties": {
            "provider": { "description": "Who serves it: a provider, or a server of [providers.NAME].", "type": "string" },
            "like": { "description": "The model whose rules it has, where nothing else is said.", "type": "string" },
            "aliases": { "description": "Other names for it.", "type": "array", "items": { "type": "string" } },
            "context_window": tokens("Tokens of input and output together."),
            "max_output": tokens("Tokens of output, reasoning included."),
            "input_price": price("US dollars per million tokens of input."),
            "output_price": price("US dollars per million tokens of output, reasoning included."),
            "cache_read_price": price("US dollars per million tokens of input read from a cache; as `input_price` without it."),
            "cache_write_price": price("US dollars per million tokens of input written to a cache; as `input_price` without it."),
        },
        "additionalProperties": false,
    })
}

/// `.attractor/config.toml`.
pub fn schema() -> Value {
    let words = ["off", "warning"].into_iter();
    let levels: Vec<&str> = Level::ALL
        .iter()
        .map(|level| level.name())
        .chain(words)
        .collect();
    let rules: serde_json::Map<String, Value> = LINTS
        .iter()
        .map(|lint| {
            let rule = json!({
                "description": lint.summary,
                "default": lint.level.name(),
                "enum": levels,
            });
            (lint.rule.to_owned(), rule)
        })
        .collect();
    let dialects: Vec<&str> = std::iter::once("auto")
        .chain(Dialect::ALL.iter().map(|dialect| dialect.name()))
        .collect();
    let text = json!({ "type": "string" });
    let built_in: Vec<&str> = NodeKind::names().collect();
    let types = CustomType::ALL.map(CustomType::name);
    let handler = json!({
        "type": "object",
        "required": ["command"],
        "properties": {
            "command": {
                "description": "The program and its arguments. It reads a JSON object from standard input and writes the outcome to standard output.",
                "type": "array",
                "items": text,
                "minItems": 1,
            },
            "doc": text,
            "sets": {
                "description": "Context keys it sets.",
                "type": "array",
                "items": text,
            },
            "attributes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {
                        "name": { "type": "string", "minLength": 1 },
                        "type": { "enum": types },
                        "doc": text,
                        "required": { "type": "boolean" },
                    },
                    "additionalProperties": false,
                },
            },
        },
        "additionalProperties": false,
    });
    json!({
        "$schema": DRAFT,
        "title": ".attractor/config.toml",
        "type": "object",
        "properties": {
            "dialect": {
                "description": "The dialect of files that do not name one.",
                "enum": dialects,
            },
            "lints": {
                "description": "Severity per lint rule.",
                "type": "object",
                "properties": rules,
                "additionalProperties": false,
            },
            "pipelines": {
                "type": "object",
                "properties": {
                    "globs": {
                        "description": "Files whose digraphs are always pipelines.",
                        "type": "array",
                        "items": text,
                    },
                },
                "additionalProperties": false,
            },
            "format": {
                "description": "The layout of the formatter.",
                "type": "object",
                "properties": {
                    "indent": { "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 16 }, { "const": "tab" }] },
                    "width": { "type": "integer", "minimum": 20, "maximum": 1000 },
                    "align": { "type": "boolean" },
                    "semicolons": { "enum": ["keep", "always", "never"] },
                    "sort": { "type": "boolean" },
                },
                "additionalProperties": false,
            },
            "handlers": {
                "description": "Custom handlers of the project, by name.",
                "type": "object",
                "propertyNames": { "not": { "enum": built_in } },
                "additionalProperties": handler,
            },
            "hooks": {
                "description": "Commands before and after tool calls of agents, by name. Those of both files run.",
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "required": ["when", "command"],
                    "properties": {
                        "when": { "description": "Before a call, which the hook refuses by an exit code that is not 0; or after it.", "enum": HookTime::ALL.map(HookTime::name) },
                        "command": { "description": "The program and its arguments. It reads a JSON object with the call from its standard input.", "type": "array", "items": text, "minItems": 1 },
                        "tool": { "description": "The calls it runs for: a tool, `shell`, `write`, `read`, `web`, `mcp` or `*`, and a pattern: \"shell(git push*)\". All calls without it.", "type": "string" },
                        "timeout": { "description": "How long it may take, such as \"10s\"; 30 s without it.", "type": "string", "default": "30s" },
                    },
                    "additionalProperties": false,
                },
            },
            "roles": {
                "description": "The plans that a role may use, by role.",
                "type": "object",
                "additionalProperties": { "type": "array", "items": text },
            },
            "models": {
                "description": "How models are called where a node does not say it.",
                "type": "object",
                "properties": {
                    "fallback_models": { "description": "Models called instead, in turn, while a model is not available.", "type": "array", "items": text },
                    "request_timeout": { "description": "Most time until an answer begins, such as \"120s\".", "type": "string" },
                    "idle_timeout": { "description": "Most time between two lines of an answer, such as \"30s\"; 5 minutes without it where a model reasons.", "type": "string" },
                    "max_retries": { "description": "Most retries of a call that failed and may succeed later.", "type": "integer", "minimum": 0, "maximum": 100, "default": 6 },
                    "max_wait": { "description": "The longest time to wait because a provider asks for it, such as \"10m\".", "type": "string", "default": "10m" },
                    "on_rate_limit": { "description": "What to do when a provider limits the rate of requests, where a node does not say it.", "enum": ["retry", "wait", "fail"], "default": "retry" },
                },
                "additionalProperties": declared_model(),
            },
            "agent": {
                "description": "What agents may do. The project's file only narrows what the user's allows.",
                "type": "object",
                "properties": {
                    "language_servers": { "description": "Whether agents start the language servers of this machine: in a sandbox only, also without one (in the user's file only), or never.", "enum": ["sandboxed", "always", "off"], "default": "sandboxed" },
                    "permissions": {
                        "description": "Rules by tool (`shell`, `write`, `read`, `mcp`, `*`, or the name of a tool) and pattern: \"shell(git push*)\". The most specific one wins.",
                        "type": "object",
                        "additionalProperties": { "enum": ["allow", "ask", "deny"] },
                    },
                    "shared_state": { "description": "Where the agents of a run keep what they share: JSON files or a SQLite database in the folder of the run.", "enum": ["json", "sqlite"], "default": "json" },
                    "subagents": {
                        "description": "What one subagent may use; the project's file only lowers it.",
                        "type": "object",
                        "properties": {
                            "max_tokens": { "description": "Most tokens of input and output.", "type": "integer", "minimum": 1, "default": 300_000 },
                            "max_turns": { "description": "Most calls of the model.", "type": "integer", "minimum": 1, "default": 50 },
                        },
                        "additionalProperties": false,
                    },
                    "sandbox": {
                        "type": "object",
                        "properties": {
                            "mode": { "description": "What commands may write.", "enum": ["off", "read-only", "workspace-write"], "default": "workspace-write" },
                            "network": { "description": "Whether commands reach the network.", "type": "boolean", "default": false },
                            "writable": { "description": "Further folders that commands may write, such as \"~/.cargo\"; in the user's file only.", "type": "array", "items": text },
                            "git_hooks": { "description": "Whether hooks of a repository run where the engine calls Git for a command; true in the user's file only.", "type": "boolean", "default": false },
                            "writable_git": { "description": "Whether commands write `.git`, except for hooks and settings, instead of handing calls of Git to the engine; true in the user's file only.", "type": "boolean", "default": false },
                        },
                        "additionalProperties": false,
                    },
                },
                "additionalProperties": false,
            },
            "acp": {
                "description": "Agents that speak the Agent Client Protocol, by name; in the user's file only.",
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "command": { "description": "The program and its arguments.", "type": "array", "items": text, "minItems": 1 },
                        "env_variables": { "description": "Variables of your environment that it may see although they hold secrets.", "type": "array", "items": text },
                    },
                    "required": ["command"],
                    "additionalProperties": false,
                },
            },
            "mcp": {
                "description": "Servers of the Model Context Protocol, by name: a program or an address; in the user's file only.",
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "command": { "description": "The program and its arguments.", "type": "array", "items": text, "minItems": 1 },
                        "env": { "description": "Variables of its environment.", "type": "object", "additionalProperties": text },
                        "env_variables": { "description": "Variables of your environment that it may see although they hold secrets.", "type": "array", "items": text },
                        "url": { "description": "Its address.", "type": "string" },
                        "headers": { "description": "Headers of every request.", "type": "object", "additionalProperties": text },
                        "bearer_token_variable": { "description": "The environment variable that holds its token.", "type": "string" },
                        "start_timeout": { "description": "Most time to start, such as \"30s\".", "type": "string" },
                        "call_timeout": { "description": "Most time of a call, such as \"60s\".", "type": "string" },
                    },
                    "oneOf": [{ "required": ["command"] }, { "required": ["url"] }],
                    "additionalProperties": false,
                },
            },
            "serve": {
                "description": "How `attractor serve` is set up; in the user's file only.",
                "type": "object",
                "properties": {
                    "host": { "description": "The address to listen on.", "type": "string", "default": "127.0.0.1" },
                    "port": { "description": "The port; 0 picks a free one.", "type": "integer", "minimum": 0, "maximum": 65535, "default": 0 },
                    "allow_hosts": { "description": "Further names of the server that requests may have in `Host`.", "type": "array", "items": text },
                    "allow": { "description": "The handlers that submitted pipelines may use.", "type": "array", "items": text },
                    "environment": { "description": "Variables of the server's environment that the commands of submitted pipelines see, beyond PATH, HOME, LANG and TMPDIR.", "type": "array", "items": text },
                    "max_connections": { "description": "Connections that are open at once.", "type": "integer", "minimum": 1, "default": 4096 },
                    "max_streams": { "description": "Streams of events that are open at once.", "type": "integer", "minimum": 1, "default": 2048 },
                    "max_runs": { "description": "Runs of the server that have not ended.", "type": "integer", "minimum": 1, "default": 2048 },
                    "requests_per_second": { "type": "integer", "minimum": 1, "default": 200 },
                },
                "additionalProperties": false,
            },
            "notify": {
                "description": "What is called when a run asks or ends; in the user's file only.",
                "type": "object",
                "properties": {
                    "command": { "description": "A program and its arguments. It reads the notification as JSON from its standard input.", "type": "array", "items": text, "minItems": 1 },
                    "url": { "description": "An address that gets the notification as the JSON body of a POST.", "type": "string" },
                    "secret_variable": { "description": "The environment variable that holds the key of the signature.", "type": "string" },
                    "events": { "description": "When.", "type": "array", "items": { "enum": ["question", "end"] }, "default": ["question", "end"] },
                    "runs": { "description": "Of which runs, by where they are started: `attractor serve` and `mcp`; `attractor run`, `resume` and `fork`; an editor.", "type": "array", "items": { "enum": ["serve", "terminal", "editor"] }, "default": ["serve", "terminal", "editor"] },
                },
                "oneOf": [{ "required": ["command"] }, { "required": ["url", "secret_variable"] }],
                "additionalProperties": false,
            },
            "providers": {
                "description": "Keys and addresses of providers of models, by name; in the user's file only.",
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "api_key": { "description": "The key.", "type": "string" },
                        "api_key_variable": { "description": "The environment variable that holds the key.", "type": "string" },
                        "base_url": { "description": "The address of its API. A provider with a name of your own is a server that speaks OpenAI's chat completions.", "type": "string" },
                        "allow_insecure_http": { "description": "Whether `http://` is allowed to another machine. Prompts, answers and keys are not encrypted then.", "type": "boolean", "default": false },
                        "headers": { "description": "Headers of every request.", "type": "object", "additionalProperties": text },
                        "header_variables": { "description": "Headers of every request, each with the environment variable that holds its value.", "type": "object", "additionalProperties": text },
                    },
                    "additionalProperties": false,
                },
            },
        },
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_schemas_of_the_configuration_are_fresh() {
        let path = "docs/reference/schemas/config.schema.json";
        attractor_tests::fresh(path, &format!("{:#}\n", super::schema()));
    }
}
