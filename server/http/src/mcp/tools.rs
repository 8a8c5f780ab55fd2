//! The tools: their names, what they take, and what they do.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor::validate_dot_file;
use attractor_exec::is_beneath;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::error::ApiError;
use crate::routes::questions::{AnswerBody, send_answer};
use crate::runs::blocking;
use crate::shared::Shared;
use crate::submission::{Submission, diagnostic};
use crate::view::{self, ShownRun, StartedRun};

/// A tool.
pub(super) struct McpTool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// What it takes; where files may be named, also `path`.
    pub(super) schema: fn(bool) -> Arc<Map<String, Value>>,
}

pub(super) const TOOLS: &[McpTool] = &[
    McpTool {
        name: "validate",
        description: "Checks a pipeline without running it. Gives its diagnostics: rule, severity, message, line, column, fixes.",
        schema: |by_path| object(&[], source(by_path)),
    },
    McpTool {
        name: "run",
        description: "Starts a run of a pipeline and gives its id and status. `mode` is run, simulate (no models) or dry_run (no effects).",
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
        schema: |_| object(&["run"], vec![("run", text("The id of the run."))]),
    },
    McpTool {
        name: "answer",
        description: "Answers an open question of a run. Ask the person first: the question is meant for them.",
        schema: |_| {
            let fields = vec![
                ("run", text("The id of the run.")),
                (
                    "question",
                    text("The id of the question; not needed when one is open."),
                ),
                ("answer", text("An option's key or label, or text.")),
                ("text", text("Text in addition to a choice.")),
            ];
            object(&["run", "answer"], fields)
        },
    },
    McpTool {
        name: "explain",
        description: "The reference page of a node kind, attribute, context key or lint rule.",
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

fn arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, ApiError> {
    let read = serde_json::from_value(arguments);
    read.map_err(|error| ApiError::invalid(format!("the arguments do not fit: {error}")))
}

/// A file of the project that the arguments name in place of a text.
fn take_path(arguments: &mut Value, project: Option<&Path>) -> Result<Option<PathBuf>, ApiError> {
    let Some(project) = project else {
        return Ok(None);
    };
    let fields = arguments.as_object_mut();
    let Some(path) = fields.and_then(|fields| fields.remove("path")) else {
        return Ok(None);
    };
    let path = path
        .as_str()
        .map(|path| project.join(path))
        .ok_or_else(|| ApiError::invalid("`path` is not a text"))?;
    if !is_beneath(project, &path) {
        let message = format!("{} is not in the project", path.display());
        return Err(ApiError::invalid(message));
    }
    Ok(Some(path))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    dot: String,
}

pub(super) async fn validate(mut given: Value, project: Option<&Path>) -> Result<Value, ApiError> {
    let path = take_path(&mut given, project)?;
    let given: Option<Text> = match path {
        Some(_) => None,
        None => Some(arguments(given)?),
    };
    blocking(move || {
        let failed = |error: std::io::Error| ApiError::internal(error.to_string());
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = match (&path, &given) {
            (Some(path), _) => path.clone(),
            (None, given) => {
                let file = folder.path().join("pipeline.dot");
                let text = given.as_ref().map_or("", |given| &given.dot);
                std::fs::write(&file, text).map_err(failed)?;
                file
            }
        };
        let invalid = |error: String| ApiError::invalid(error);
        let text = std::fs::read_to_string(&file).map_err(|error| invalid(error.to_string()))?;
        let found = validate_dot_file(&file).map_err(|error| invalid(error.to_string()))?;
        let shown: Vec<Value> = found.iter().map(|one| diagnostic(one, &text)).collect();
        Ok(json!({ "valid": !attractor::has_errors(&found), "diagnostics": shown }))
    })
    .await
}

pub(super) async fn run(
    mut given: Value,
    shared: &Shared,
    project: Option<&Path>,
) -> Result<Value, ApiError> {
    let place = shared.runs.reserve()?;
    let started = match take_path(&mut given, project)? {
        None => {
            let submission: Submission = arguments(given)?;
            submission.start(&shared.submissions).await?
        }
        Some(path) => {
            if let Some(fields) = given.as_object_mut() {
                fields.insert("dot".to_owned(), Value::from(""));
            }
            let options: Submission = arguments(given)?;
            options.start_of(&shared.engine, &path).await?
        }
    };
    let shown = StartedRun::from(&started.run);
    shared.runs.add(started, place);
    value(&shown)
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
struct Answered {
    run: String,
    #[serde(default)]
    question: Option<String>,
    answer: String,
    #[serde(default)]
    text: Option<String>,
}

pub(super) async fn answer(given: Value, shared: &Shared) -> Result<Value, ApiError> {
    let given: Answered = arguments(given)?;
    let run = shared.runs.find(&given.run)?;
    let question = match given.question {
        Some(question) => question,
        None => match run.snapshot().await?.questions.as_slice() {
            [one] => one.id.clone(),
            [] => return Err(ApiError::conflict("the run asks nothing now")),
            _ => {
                return Err(ApiError::invalid(
                    "several questions are open; name one in `question`",
                ));
            }
        },
    };
    let body = AnswerBody {
        answer: given.answer,
        text: given.text,
    };
    send_answer(&run, &question, body, "mcp")
        .await
        .and_then(|accepted| value(&accepted))
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

fn value<T: serde::Serialize>(shown: &T) -> Result<Value, ApiError> {
    serde_json::to_value(shown).map_err(|error| ApiError::internal(error.to_string()))
}
