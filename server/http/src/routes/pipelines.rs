//! Submitting pipelines, and looking at their runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor::PipelineContext;
use attractor_run::{Checkpoint, RunState, stored_checkpoint};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::protocol::ClientProtocol;
use crate::runs::{KnownRun, blocking};
use crate::shared::Shared;
use crate::submission::{Submission, Submitted};
use crate::view::{self, ListedRun, ShownRun, StartedRun};

/// The most runs of one answer.
pub(crate) const MOST: usize = 1000;

/// The server answers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Health {
    ok: bool,
}

/// `GET /healthz`
pub(crate) async fn health() -> Json<Health> {
    Json(Health { ok: true })
}

/// `POST /pipelines`
pub(crate) async fn submit(
    State(shared): State<Shared>,
    JsonBody(mut submission): JsonBody<Submission>,
) -> Result<(StatusCode, [(HeaderName, String); 1], Json<StartedRun>), ApiError> {
    let place = shared.runs.reserve()?;
    let approve = submission.approve.take();
    let started = match submission.start(&shared, shared.open_project()).await? {
        Submitted::Started(started) => started,
        Submitted::Unapproved(run) => run.approved_by(approve.as_deref()).await?,
    };
    let shown = StartedRun::from(&started.run);
    shared.runs.add(started, place);
    let location = (header::LOCATION, format!("/pipelines/{}", shown.id));
    Ok((StatusCode::CREATED, [location], Json(shown)))
}

/// What `GET /pipelines` lists.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ListQuery {
    /// Only runs of that status.
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::run_state"))]
    state: Option<RunState>,
    /// The most runs of the answer; at most 1000.
    limit: Option<usize>,
    /// The last id of the page before.
    after: Option<String>,
}

/// Runs, newest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ListedRuns {
    #[serde(serialize_with = "view::each")]
    #[cfg_attr(test, schemars(with = "Vec<ListedRun>"))]
    pipelines: Vec<Arc<ListedRun>>,
}

/// The context of a run, secrets masked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShownContext {
    context: BTreeMap<String, Value>,
}

/// `GET /pipelines`: newest first.
pub(crate) async fn list(
    State(shared): State<Shared>,
    Query(query): Query<ListQuery>,
) -> Result<Json<ListedRuns>, ApiError> {
    let runs = shared.runs.list().await?.into_iter();
    let fits = |status: RunState| query.state.is_none_or(|wanted| wanted == status);
    let is_after = |id: &str| query.after.as_deref().is_none_or(|after| id < after);
    let pipelines = runs
        .filter(|run| is_after(&run.id) && fits(run.status))
        .take(query.limit.unwrap_or(MOST).min(MOST))
        .collect();
    Ok(Json(ListedRuns { pipelines }))
}

/// `GET /pipelines/{id}`
pub(crate) async fn show(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    protocol: ClientProtocol,
) -> Result<Response, ApiError> {
    let run = shared.runs.find(&id)?;
    protocol.answer(ShownRun::from(run.snapshot().await?))
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
) -> Result<Json<ShownContext>, ApiError> {
    let checkpoint = where_it_is(&shared.runs.find(&id)?).await?;
    let context = PipelineContext::from(checkpoint.context);
    Ok(Json(ShownContext {
        context: context.to_map(),
    }))
}

async fn where_it_is(run: &KnownRun) -> Result<Checkpoint, ApiError> {
    if let Some(run) = &run.own {
        return Ok(run.checkpoint().await);
    }
    let directory = run.directory.clone();
    blocking(move || Ok(stored_checkpoint(&directory)?)).await
}
