//! Cancelling, resuming and steering a run.

use attractor_run::owner_of;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::body::json as read;
use crate::error::ApiError;
use crate::shared::Shared;
use crate::view::status;

/// `POST /pipelines/{id}/cancel`
pub(crate) async fn cancel(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let run = shared.runs.find(&id)?;
    let state = run.snapshot().await?.state;
    if state.is_end() {
        let status = status(state);
        return Err(ApiError::conflict(format!("the run has ended: {status}")));
    }
    run.cancel().await?;
    Ok((
        StatusCode::ACCEPTED,
        Json(json!({ "status": status(state) })),
    ))
}

/// `POST /pipelines/{id}/resume`
pub(crate) async fn resume(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let run = shared.runs.find(&id)?;
    if run.own.is_some() || owner_of(&run.directory).is_some() {
        return Err(ApiError::conflict("a process works on the run"));
    }
    let launcher = shared.engine.resume(&run.directory);
    let resumed = launcher
        .start()
        .await
        .map_err(|error| ApiError::conflict(error.to_string()))?;
    let shown = json!({ "id": run.id, "status": status(resumed.snapshot().state) });
    shared.runs.add(resumed);
    Ok((StatusCode::ACCEPTED, Json(shown)))
}

/// The body of `POST /pipelines/{id}/steer`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    node: String,
    message: String,
}

/// `POST /pipelines/{id}/steer`
pub(crate) async fn steer(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let Message { node, message } = read(&body)?;
    let steered = shared.runs.find(&id)?.steer(node, message).await?;
    match steered.reason {
        Some(reason) if !steered.accepted => Err(ApiError::conflict(reason)),
        _ => Ok((StatusCode::ACCEPTED, Json(json!({ "accepted": true })))),
    }
}
