//! The questions of a run, and their answers.

use std::sync::Arc;

use attractor_run::{Answer, Event, EventKind, RunState};
use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::routes::control::Accepted;
use crate::runs::{BY, KnownRun};
use crate::sender::RequestSender;
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
    sender: RequestSender,
    JsonBody(body): JsonBody<AnswerBody>,
) -> Result<Json<Accepted>, ApiError> {
    let run = shared.runs.find(&id)?;
    sender.check(&run).await?;
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
    let snapshot = run.snapshot().await?;
    let asked = snapshot.questions.iter().find(|open| open.id == question);
    let reason = match asked.map(|asked| asked.read(&answer)) {
        Some(Err(reason)) => {
            return Err(ApiError::invalid(reason).with("accepted", json!(false)));
        }
        Some(Ok(_)) => {
            let answered = run.answer(question, answer).await?;
            if answered.accepted {
                return Ok(Accepted { accepted: true });
            }
            answered.reason.unwrap_or_default()
        }
        None if snapshot.state == RunState::Interrupted => {
            "no process works on the run; resume it first".to_owned()
        }
        None if snapshot.state.is_end() => {
            format!("the run has ended: {}", snapshot.state.name())
        }
        None => "the question is not open any more".to_owned(),
    };
    Err(closed(&run.events().await?, question, reason))
}

/// Why a question takes no answer: who was first, else the reason.
fn closed(events: &[Arc<Event>], question: &str, reason: String) -> ApiError {
    let mut is_known = false;
    let first = events.iter().rev().find_map(|event| match &event.kind {
        EventKind::InterviewCompleted {
            question: about,
            answer,
            by,
            ..
        } if about == question => Some((by.clone(), answer.clone())),
        EventKind::InterviewTimeout {
            question: about,
            default: Some(default),
            ..
        } if about == question => Some(("timeout".to_owned(), default.clone())),
        EventKind::InterviewStarted {
            question: about, ..
        } => {
            is_known |= about.id == question;
            None
        }
        _ => None,
    });
    let refusal = match first {
        Some((by, answer)) => {
            let message = format!("the question has its answer: `{answer}`, by {by}");
            let refusal = ApiError::conflict(message);
            refusal.with("by", json!(by)).with("answer", json!(answer))
        }
        None if is_known => ApiError::conflict(reason),
        None => ApiError::not_found("question", question),
    };
    refusal.with("accepted", json!(false))
}
