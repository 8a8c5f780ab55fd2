//! The questions of a run, and their answers.

use attractor_run::Answer;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::body::json as read;
use crate::error::ApiError;
use crate::runs::BY;
use crate::shared::Shared;
use crate::view;

/// `GET /pipelines/{id}/questions`
pub(crate) async fn questions(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let run = shared.runs.find(&id)?.snapshot().await?;
    Ok(Json(json!({ "questions": view::questions(run) })))
}

/// The body of an answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerBody {
    /// An option's key or label, or text.
    answer: String,
    /// Text in addition to a choice.
    #[serde(default)]
    text: Option<String>,
}

/// `POST /pipelines/{id}/questions/{question}/answer`
pub(crate) async fn answer(
    State(shared): State<Shared>,
    Path((id, question)): Path<(String, String)>,
    body: Bytes,
) -> Result<Json<Value>, ApiError> {
    let AnswerBody { answer, text } = read(&body)?;
    let run = shared.runs.find(&id)?;
    let answer = Answer {
        choice: answer,
        text,
        by: BY.to_owned(),
    };
    let open = run.snapshot().await?.questions;
    let asked = open.iter().find(|open| open.id == question);
    if let Some(reason) = asked.and_then(|asked| asked.read(&answer).err()) {
        return Err(ApiError::invalid(reason).with("accepted", json!(false)));
    }
    let answered = run.answer(&question, answer).await?;
    if answered.accepted {
        return Ok(Json(json!({ "accepted": true })));
    }
    let reason = answered.reason.unwrap_or_default();
    let refused = ApiError::conflict(reason).with("accepted", json!(false));
    Err(match answered.by {
        Some(by) => refused.with("by", json!(by)),
        None => refused,
    })
}
