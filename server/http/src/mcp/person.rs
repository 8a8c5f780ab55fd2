//! The tool `answer`: the person at the client is shown a question (elicitation), and their answer is passed on. The model
//! that calls the tool never answers: a human gate is for people.

use attractor_run::{Question, QuestionKind};
use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, ElicitRequestParams, ElicitationAction};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::{Value, json};

use super::elicitation::{Elicited, ToolAnswer, elicit, form};
use super::tools;
use crate::error::ApiError;
use crate::routes::questions::{AnswerBody, send_answer};
use crate::runs::KnownRun;
use crate::sender::RequestSender;
use crate::shared::Shared;

/// Who answers, in the journal of the run.
const BY: &str = "mcp";

/// The name of the question among those that a client is asked to show.
const REQUEST: &str = "answer";

#[derive(Deserialize)]
struct Arguments {
    run: String,
    #[serde(default)]
    question: Option<String>,
}

/// What a person has put into the form.
#[derive(Deserialize)]
struct Form {
    answer: String,
    #[serde(default)]
    text: Option<String>,
}

/// Asks the person.
pub(super) async fn ask(
    shared: &Shared,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<ToolAnswer, ApiError> {
    let arguments = Value::Object(request.arguments.unwrap_or_default());
    let arguments: Arguments = tools::arguments(arguments)?;
    let run = shared.runs.find(&arguments.run)?;
    sender(context).check(&run).await?;
    let question = open_question(&run, arguments.question.as_deref()).await?;
    let asked = elicit(
        context,
        request.input_responses,
        REQUEST,
        question_form(&question)?,
    );
    let result = match asked.await? {
        Some(Elicited::Result(result)) => result,
        Some(Elicited::Shows(form)) => return Ok(ToolAnswer::Shows(form)),
        None => return Err(where_to_answer(&arguments.run)),
    };
    let Form { answer, text } = match result.action {
        ElicitationAction::Accept => tools::arguments(result.content.unwrap_or_default())?,
        _ => {
            return Err(ApiError::conflict(
                "the person did not answer; the question stays open",
            ));
        }
    };
    let body = AnswerBody { answer, text };
    let accepted = send_answer(&run, &question.id, body, BY).await?;
    tools::value(&accepted).map(ToolAnswer::Done)
}

/// Over HTTP the connection that the call came over; else the program at standard input.
fn sender(context: &RequestContext<RoleServer>) -> RequestSender {
    let parts = context.extensions.get::<Parts>();
    parts.map_or(RequestSender::PROGRAM, RequestSender::of)
}

/// The question that is meant: the named one, else the only open one.
async fn open_question(run: &KnownRun, id: Option<&str>) -> Result<Question, ApiError> {
    let mut open = run.snapshot().await?.questions;
    match id {
        Some(id) => {
            let found = open.into_iter().find(|question| question.id == id);
            found.ok_or_else(|| ApiError::conflict(format!("the question `{id}` is not open")))
        }
        None if open.len() > 1 => Err(ApiError::invalid(
            "several questions are open; name one in `question`",
        )),
        None => open
            .pop()
            .ok_or_else(|| ApiError::conflict("the run asks nothing now")),
    }
}

fn where_to_answer(run: &str) -> ApiError {
    ApiError::forbidden(format!(
        "a person answers this question, and this client cannot ask its user (elicitation); ask them to answer it with \
         `attractor answer {run}`, in the editor, or on the page of `attractor serve`"
    ))
}

/// The question as a form.
fn question_form(question: &Question) -> Result<ElicitRequestParams, ApiError> {
    let labels: Vec<&str> = question
        .options
        .iter()
        .map(|option| option.label.as_str())
        .collect();
    let answer = match question.kind {
        QuestionKind::Choice | QuestionKind::Confirm if !labels.is_empty() => {
            json!({ "type": "string", "title": "Answer", "enum": labels })
        }
        QuestionKind::Multi => json!({
            "type": "string",
            "title": "Answers",
            "description": format!("Any of these, separated by commas: {}", labels.join(", ")),
        }),
        _ if labels.is_empty() => json!({ "type": "string", "title": "Answer" }),
        _ => json!({
            "type": "string",
            "title": "Answer",
            "description": format!("One of these, or a text: {}", labels.join(", ")),
        }),
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "answer": answer,
            "text": { "type": "string", "title": "Comment", "description": "Text in addition to a choice." },
        },
        "required": ["answer"],
    });
    form(question.text.clone(), schema)
}
