//! The tools: their names, what they take, and what they do.

use std::path::Path;
use std::sync::Arc;

use attractor::validate_dot_file;
use rmcp::model::ToolAnnotations;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::ApiError;
use crate::pipeline_source::PipelineSource;
use crate::project::{Project, may_name_files};
use crate::refused_pipeline::diagnostic;
use crate::runs::blocking;
use crate::shared::Shared;
use crate::view::{self, ShownRun};

/// A tool.
pub(super) struct McpTool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) effect: Effect,
    /// What it takes; where files may be named, also `path`.
    pub(super) schema: fn(bool) -> Arc<Map<String, Value>>,
}

/// What a tool does, for clients that ask before some of them.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// It reads.
    Reads,
    /// It does whatever a pipeline says: run commands, change files, call models.
    RunsCommands,
    /// It passes on what a person decides.
    Decides,
}

impl Effect {
    /// The same as the protocol says it.
    pub(super) fn annotations(self) -> ToolAnnotations {
        let annotations = ToolAnnotations::new();
        match self {
            Self::Reads => annotations.read_only(true).open_world(false),
            Self::RunsCommands => annotations
                .read_only(false)
                .destructive(true)
                .idempotent(false)
                .open_world(true),
            Self::Decides => annotations
                .read_only(false)
                .destructive(true)
                .idempotent(false)
                .open_world(false),
        }
    }
}

pub(super) const TOOLS: &[McpTool] = &[
    McpTool {
        name: "validate",
        description: "Checks a pipeline without running it. Gives its diagnostics: rule, severity, message, line, column, fixes.",
        effect: Effect::Reads,
        schema: |by_path| object(&[], source(by_path)),
    },
    McpTool {
        name: "run",
        description: "Starts a run of a pipeline and gives its id and status. The commands of a pipeline run in a shell of \
            this machine, its agents change files: a text that is run has all a shell has, as far as the server's \
            configuration allows it (`serve.allow`). A file of the project is started once a person has approved what it runs: \
            the client shows it to them, and you cannot approve it. `mode` is run, simulate (no models) or dry_run (no effects).",
        effect: Effect::RunsCommands,
        schema: |by_path| {
            let mut fields = source(by_path);
            fields.extend([
                (
                    "graph",
                    text("The pipeline to run, where the text has several."),
                ),
                (
                    "inputs",
                    json!({ "type": "object", "description": "First values of the context." }),
                ),
                (
                    "mode",
                    json!({ "enum": ["run", "simulate", "dry_run"], "default": "run" }),
                ),
                ("name", text("A name for the folder it works in.")),
            ]);
            object(&[], fields)
        },
    },
    McpTool {
        name: "status",
        description: "How far a run is: its status, nodes at work, cost, failure, and open questions.",
        effect: Effect::Reads,
        schema: |_| object(&["run"], vec![("run", text("The id of the run."))]),
    },
    McpTool {
        name: "answer",
        description: "Shows the person an open question of a run, in the client, and passes on what they answer. It takes no \
            answer from you: where the client cannot ask its user, it says where the person can answer.",
        effect: Effect::Decides,
        schema: |_| {
            let fields = vec![
                ("run", text("The id of the run.")),
                (
                    "question",
                    text("The id of the question; not needed when one is open."),
                ),
            ];
            object(&["run"], fields)
        },
    },
    McpTool {
        name: "explain",
        description: "The reference page of a node kind, attribute, context key or lint rule.",
        effect: Effect::Reads,
        schema: |_| {
            object(
                &["name"],
                vec![("name", text("Such as `human_gate` or `max_retries`."))],
            )
        },
    },
];

type Fields = Vec<(&'static str, Value)>;

fn object(required: &[&str], fields: Fields) -> Arc<Map<String, Value>> {
    let fields: Map<String, Value> = fields
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect();
    let schema = json!({
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": false,
    });
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn source(by_path: bool) -> Fields {
    let mut fields = vec![("dot", text("The DOT text."))];
    if by_path {
        fields.push(("path", text("A file of the project, instead of `dot`.")));
    }
    fields
}

pub(super) fn arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, ApiError> {
    let read = serde_json::from_value(arguments);
    read.map_err(|error| ApiError::invalid(format!("the arguments do not fit: {error}")))
}

pub(super) async fn validate(given: Value, project: Option<&Project>) -> Result<Value, ApiError> {
    match arguments(given)? {
        PipelineSource::File(path) => {
            let file = may_name_files(project)?.find(path).await?;
            blocking(move || validate_file(&file)).await
        }
        PipelineSource::Text(text) => {
            blocking(move || {
                let failed = |error: std::io::Error| ApiError::internal(error.to_string());
                let folder = tempfile::tempdir().map_err(failed)?;
                let file = folder.path().join("pipeline.dot");
                std::fs::write(&file, text).map_err(failed)?;
                validate_file(&file)
            })
            .await
        }
    }
}

fn validate_file(file: &Path) -> Result<Value, ApiError> {
    let text =
        std::fs::read_to_string(file).map_err(|error| ApiError::invalid(error.to_string()))?;
    let found = validate_dot_file(file).map_err(|error| ApiError::invalid(error.to_string()))?;
    let shown: Vec<Value> = found.iter().map(|one| diagnostic(one, &text)).collect();
    Ok(json!({ "valid": !attractor::has_errors(&found), "diagnostics": shown }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    run: String,
}

pub(super) async fn status(given: Value, shared: &Shared) -> Result<Value, ApiError> {
    let Named { run } = arguments(given)?;
    let snapshot = shared.runs.find(&run)?.snapshot().await?;
    let questions = view::questions(snapshot.clone());
    let mut shown = value(&ShownRun::from(snapshot))?;
    if let Some(fields) = shown.as_object_mut() {
        fields.insert("questions".to_owned(), value(&questions)?);
    }
    Ok(shown)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    name: String,
}

pub(super) fn explain(given: Value) -> Result<Value, ApiError> {
    let Name { name } = arguments(given)?;
    let page = attractor_lint::explain(name.trim());
    page.map(Value::from)
        .ok_or_else(|| ApiError::not_found("node kind, attribute, context key or lint rule", &name))
}

pub(super) fn value<T: serde::Serialize>(shown: &T) -> Result<Value, ApiError> {
    serde_json::to_value(shown).map_err(|error| ApiError::internal(error.to_string()))
}
