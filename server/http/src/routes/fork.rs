//! Forking a run: a new one that continues it from the beginning of a visit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use attractor::{Error, PipelineContext};
use attractor_run::{ForkFiles, RunError};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::shared::Shared;
use crate::view::StartedRun;

/// The body of `POST /pipelines/{id}/fork`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ForkBody {
    /// The node at which the new run begins.
    node: String,
    /// Its visit, from 1; without it the last one.
    #[serde(default)]
    visit: Option<u32>,
    /// Other values of the context.
    #[serde(default)]
    set: BTreeMap<String, Value>,
    /// What to do about files that are not as they were then.
    #[serde(default)]
    files: DifferingFiles,
}

/// What to do about files that are not as they were when the visit began.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum DifferingFiles {
    #[default]
    Refuse,
    Keep,
    Restore,
}

/// `POST /pipelines/{id}/fork`
pub(crate) async fn fork(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<ForkBody>,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<StartedRun>), ApiError> {
    let run = shared.runs.find(&id)?;
    run.check_stored()?;
    let directory = run.directory;
    let place = shared.runs.reserve()?;
    let files = match body.files {
        DifferingFiles::Refuse => ForkFiles::Refuse,
        DifferingFiles::Keep => ForkFiles::Keep,
        DifferingFiles::Restore => ForkFiles::Restore,
    };
    let launcher = shared.engine_of(&directory).fork(&directory, body.node);
    let launcher = match body.visit {
        Some(visit) => launcher.visit(visit),
        None => launcher,
    };
    let launcher = launcher
        .fork_files(files)
        .inputs(PipelineContext::from(body.set));
    let forked = launcher.start().await.map_err(refused)?;
    let shown = StartedRun::from(&forked);
    shared.runs.add(forked, place);
    let location = (header::LOCATION, format!("/pipelines/{}", shown.id));
    Ok((StatusCode::CREATED, [location], Json(shown)))
}

fn refused(error: Error) -> ApiError {
    match error {
        Error::Run(error @ RunError::Io { .. }) => ApiError::from(error),
        Error::Run(error @ RunError::UnknownVisit { .. }) => {
            ApiError::new(StatusCode::NOT_FOUND, "not_found", error.to_string())
        }
        Error::Run(RunError::FilesDiffer { visit, files, more }) => {
            let names = files.iter().map(|file| file.display().to_string());
            let mut names = names.collect::<Vec<_>>().join(", ");
            if more > 0 {
                let _ = write!(names, " and {more} more");
            }
            let message = format!(
                "files are not as they were when `{visit}` began: {names}; set `files` to `keep` or `restore`"
            );
            let refusal = ApiError::new(StatusCode::CONFLICT, "files_differ", message);
            refusal.with("files", json!(names))
        }
        Error::Run(error @ RunError::FilesNotRecorded { .. }) => ApiError::conflict(format!(
            "{error}; set `files` to `keep` to use them as they are"
        )),
        error => ApiError::of_launch(&error),
    }
}
