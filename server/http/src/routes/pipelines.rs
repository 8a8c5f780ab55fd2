//! Submitting pipelines, and looking at their runs.

use attractor::PipelineContext;
use attractor_run::{Checkpoint, list_runs, stored_checkpoint};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::body::json;
use crate::error::ApiError;
use crate::runs::{KnownRun, blocking};
use crate::shared::Shared;
use crate::submission::Submission;
use crate::view::{ListedRun, ShownRun, status};

/// The most runs of one answer.
const MOST: usize = 1000;

/// `GET /healthz`
pub(crate) async fn health() -> Json<Value> {
    Json(json!({ "ok": true }))
}

/// `POST /pipelines`
pub(crate) async fn submit(
    State(shared): State<Shared>,
    body: Bytes,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<Value>), ApiError> {
    let submission: Submission = json(&body)?;
    let run = submission
        .start(
            &shared.engine,
            &shared.submissions_dir,
            shared.allow_commands,
        )
        .await?;
    let id = run.id().to_string();
    let shown = json!({ "id": id, "status": status(run.snapshot().state) });
    shared.runs.add(run);
    let location = (header::LOCATION, format!("/pipelines/{id}"));
    Ok((StatusCode::CREATED, [location], Json(shown)))
}

/// What `GET /pipelines` lists.
#[derive(Debug, Deserialize)]
pub(crate) struct ListQuery {
    state: Option<String>,
    limit: Option<usize>,
    /// The last id of the page before.
    after: Option<String>,
}

/// `GET /pipelines`: newest first.
pub(crate) async fn list(
    State(shared): State<Shared>,
    Query(query): Query<ListQuery>,
) -> Result<Json<Value>, ApiError> {
    let directory = shared.runs.directory().to_owned();
    let runs = blocking(move || Ok(list_runs(&directory))).await?;
    let fits = |state: &str| query.state.as_deref().is_none_or(|wanted| wanted == state);
    let is_after = |id: &str| query.after.as_deref().is_none_or(|after| id < after);
    let shown: Vec<ListedRun> = runs
        .into_iter()
        .filter(|run| is_after(&run.run) && fits(status(run.state)))
        .take(query.limit.unwrap_or(MOST).min(MOST))
        .map(ListedRun::from)
        .collect();
    Ok(Json(json!({ "pipelines": shown })))
}

/// `GET /pipelines/{id}`
pub(crate) async fn show(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<ShownRun>, ApiError> {
    let run = shared.runs.find(&id)?;
    Ok(Json(run.snapshot().await?.into()))
}

/// `GET /pipelines/{id}/checkpoint`
pub(crate) async fn checkpoint(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<Checkpoint>, ApiError> {
    Ok(Json(where_it_is(&shared.runs.find(&id)?).await?))
}

/// `GET /pipelines/{id}/context`
pub(crate) async fn context(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let checkpoint = where_it_is(&shared.runs.find(&id)?).await?;
    let context = PipelineContext::from(checkpoint.context);
    Ok(Json(json!({ "context": context.to_map() })))
}

async fn where_it_is(run: &KnownRun) -> Result<Checkpoint, ApiError> {
    if let Some(run) = &run.own {
        return Ok(run.checkpoint().await);
    }
    let directory = run.directory.clone();
    blocking(move || Ok(stored_checkpoint(&directory)?)).await
}
