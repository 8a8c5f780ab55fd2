//! Cancelling, pausing, resuming and steering a run.

use attractor_run::{PauseRequest, RunState, owner_of};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::runs::BY;
use crate::sender::RequestSender;
use crate::shared::Shared;
use crate::view::StartedRun;

/// `POST /pipelines/{id}/cancel`
pub(crate) async fn cancel(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    sender: RequestSender,
) -> Result<(StatusCode, Json<CancelledRun>), ApiError> {
    let run = shared.runs.find(&id)?;
    sender.check(&run).await?;
    let state = run.snapshot().await?.state;
    if state.is_end() {
        let state = state.name();
        return Err(ApiError::conflict(format!("the run has ended: {state}")));
    }
    run.cancel().await?;
    let status = state;
    Ok((StatusCode::ACCEPTED, Json(CancelledRun { status })))
}

/// `POST /pipelines/{id}/pause`
pub(crate) async fn pause(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    sender: RequestSender,
) -> Result<(StatusCode, Json<Accepted>), ApiError> {
    let by = BY.to_owned();
    pausing(&shared, &id, &sender, PauseRequest::Pause { by }).await
}

/// `POST /pipelines/{id}/continue`
pub(crate) async fn proceed(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    sender: RequestSender,
) -> Result<(StatusCode, Json<Accepted>), ApiError> {
    let by = BY.to_owned();
    let request = PauseRequest::Continue { step: None, by };
    pausing(&shared, &id, &sender, request).await
}

async fn pausing(
    shared: &Shared,
    id: &str,
    sender: &RequestSender,
    request: PauseRequest,
) -> Result<(StatusCode, Json<Accepted>), ApiError> {
    let run = shared.runs.find(id)?;
    sender.check(&run).await?;
    let answered = run.pausing(request).await?;
    match answered.reason {
        Some(reason) if !answered.accepted => Err(ApiError::conflict(reason)),
        _ => Ok((StatusCode::ACCEPTED, Json(Accepted { accepted: true }))),
    }
}

/// `POST /pipelines/{id}/resume`
pub(crate) async fn resume(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<StartedRun>), ApiError> {
    let run = shared.runs.find_released(&id).await?;
    run.check_stored()?;
    if run.own.is_some() || owner_of(&run.directory).is_some() {
        return Err(ApiError::conflict("a process works on the run"));
    }
    let state = run.snapshot().await?.state;
    if state == RunState::Success {
        let state = state.name();
        return Err(ApiError::conflict(format!("the run has ended: {state}")));
    }
    let place = shared.runs.reserve()?;
    let resumed = shared.resume(&run.directory).start().await;
    let resumed = resumed.map_err(|error| ApiError::of_launch(&error))?;
    let shown = StartedRun::from(&resumed);
    shared.runs.add(resumed, place);
    Ok((StatusCode::ACCEPTED, Json(shown)))
}

/// The body of `POST /pipelines/{id}/steer`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    node: String,
    message: String,
}

/// The run that is being cancelled, as it was.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CancelledRun {
    #[cfg_attr(test, schemars(schema_with = "crate::openapi::run_state"))]
    status: RunState,
}

/// What was sent has been accepted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Accepted {
    pub(crate) accepted: bool,
}

/// `POST /pipelines/{id}/steer`
pub(crate) async fn steer(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    sender: RequestSender,
    JsonBody(Message { node, message }): JsonBody<Message>,
) -> Result<(StatusCode, Json<Accepted>), ApiError> {
    let run = shared.runs.find(&id)?;
    sender.check(&run).await?;
    let steered = run.steer(node, message).await?;
    match steered.reason {
        Some(reason) if !steered.accepted => Err(ApiError::conflict(reason)),
        _ => Ok((StatusCode::ACCEPTED, Json(Accepted { accepted: true }))),
    }
}
