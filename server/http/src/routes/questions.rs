//! The questions of a run, and their answers.

use attractor_run::Answer;
use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::routes::control::Accepted;
use crate::runs::{BY, KnownRun};
use crate::shared::Shared;
use crate::view::{self, ShownQuestion};

/// The open questions of a run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OpenQuestions {
    questions: Vec<ShownQuestion>,
}

/// `GET /pipelines/{id}/questions`
pub(crate) async fn questions(
    State(shared): State<Shared>,
    Path(id): Path<String>,
) -> Result<Json<OpenQuestions>, ApiError> {
    let run = shared.runs.find(&id)?.snapshot().await?;
    let questions = view::questions(run);
    Ok(Json(OpenQuestions { questions }))
}

/// The body of an answer.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerBody {
    /// An option's key or label, or text.
    pub(crate) answer: String,
    /// Text in addition to a choice.
    #[serde(default)]
    pub(crate) text: Option<String>,
}

/// `POST /pipelines/{id}/questions/{question}/answer`
pub(crate) async fn answer(
    State(shared): State<Shared>,
    Path((id, question)): Path<(String, String)>,
    JsonBody(body): JsonBody<AnswerBody>,
) -> Result<Json<Accepted>, ApiError> {
    let run = shared.runs.find(&id)?;
    send_answer(&run, &question, body, BY).await.map(Json)
}

/// Answers a question in the name of an interface.
pub(crate) async fn send_answer(
    run: &KnownRun,
    question: &str,
    body: AnswerBody,
    by: &str,
) -> Result<Accepted, ApiError> {
    let answer = Answer {
        choice: body.answer,
        text: body.text,
        by: by.to_owned(),
    };
    let open = run.snapshot().await?.questions;
    let asked = open.iter().find(|open| open.id == question);
    if let Some(reason) = asked.and_then(|asked| asked.read(&answer).err()) {
        return Err(ApiError::invalid(reason).with("accepted", json!(false)));
    }
    let answered = run.answer(question, answer).await?;
    if answered.accepted {
        return Ok(Accepted { accepted: true });
    }
    let reason = answered.reason.unwrap_or_default();
    let refused = ApiError::conflict(reason).with("accepted", json!(false));
    Err(match answered.by {
        Some(by) => refused.with("by", json!(by)),
        None => refused,
    })
}
