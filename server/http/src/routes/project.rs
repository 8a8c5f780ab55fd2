//! The pipelines of the project, for clients that start one of them.

use std::sync::Arc;

use attractor::Options;
use attractor_exec::redactor;
use attractor_model::{Attribute, Pipeline, dot, graphs};
use attractor_run::{DeclaredInput, declared_inputs};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;

use crate::error::ApiError;
use crate::project::Project;
use crate::runs::blocking;
use crate::shared::Shared;

/// The most pipelines of one answer.
const MOST: usize = 1000;

/// The pipelines of the project, sorted by path; those of one file as they are in it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProjectPipelines {
    pipelines: Vec<ProjectPipeline>,
}

/// A pipeline of the project.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProjectPipeline {
    /// Its file, relative to the project.
    path: String,
    /// Its name, unique in the file.
    graph: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    inputs: Vec<PipelineInput>,
}

/// An input that a pipeline declares.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PipelineInput {
    name: String,
    /// Whether a run needs a value for it.
    required: bool,
    /// Whether its value is a secret, which is not stored.
    secret: bool,
    /// The value without one that is given; that of a secret is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
}

/// `GET /project/pipelines`
pub(crate) async fn project_pipelines(
    State(shared): State<Shared>,
) -> Result<Json<ProjectPipelines>, ApiError> {
    blocking(move || {
        let project = shared.open_project().into_iter();
        let files = project.flat_map(Project::dot_files);
        let pipelines = files.flat_map(|(path, text)| pipelines_of(&path, &text));
        Ok(Json(ProjectPipelines {
            pipelines: pipelines.take(MOST).collect(),
        }))
    })
    .await
}

/// The pipelines of a file, the first one first, which is run when none is named; none of a text that is not DOT.
fn pipelines_of(path: &str, text: &Arc<str>) -> Vec<ProjectPipeline> {
    let parse = dot::parse(text);
    if !parse.errors.is_empty() {
        return Vec::new();
    }
    let options = Options {
        path: Some(path.to_owned()),
        ..Options::default()
    };
    let pipelines = graphs::pipelines(text, &parse, &options);
    pipelines.iter().map(|one| shown(path, one)).collect()
}

fn shown(path: &str, pipeline: &Pipeline) -> ProjectPipeline {
    let attribute = |name| {
        let text = pipeline.attributes.get(name).map(Attribute::value)?;
        (!text.trim().is_empty()).then(|| redactor([]).text(text).into_owned())
    };
    ProjectPipeline {
        path: path.to_owned(),
        graph: pipeline.name.clone(),
        label: attribute("label"),
        goal: attribute("goal"),
        inputs: declared_inputs(pipeline).into_iter().map(input).collect(),
    }
}

fn input(declared: DeclaredInput) -> PipelineInput {
    PipelineInput {
        required: declared.default.is_none(),
        default: declared.default.filter(|_| !declared.secret),
        secret: declared.secret,
        name: declared.name,
    }
}
