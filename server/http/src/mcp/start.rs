//! The tool `run`. What a file of the project runs has to be approved by a person: in the editor before, or at the client,
//! which shows them all of it (elicitation). The model that calls the tool approves nothing.

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, ElicitRequestParams, ElicitationAction};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::{Value, json};

use super::elicitation::{Elicited, ToolAnswer, elicit, form};
use super::tools;
use crate::error::ApiError;
use crate::project::Project;
use crate::runs::Started;
use crate::shared::Shared;
use crate::submission::{Submission, Submitted};
use crate::unapproved::Unapproved;
use crate::view::StartedRun;

/// The choice that starts the run. The other one is the default of the form, so that Enter starts nothing.
const RUN: &str = "Run once";
const DO_NOT_RUN: &str = "Do not run";

/// What a person has put into the form.
#[derive(Deserialize)]
struct Form {
    decision: String,
}

/// Starts a run, once a person has approved what a file of the project runs.
pub(super) async fn run(
    shared: &Shared,
    project: Option<&Project>,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<ToolAnswer, ApiError> {
    let place = shared.runs.reserve()?;
    let arguments = Value::Object(request.arguments.unwrap_or_default());
    let submission: Submission = tools::arguments(arguments)?;
    if submission.approve.is_some() {
        return Err(ApiError::forbidden(
            "a person approves what a pipeline runs; leave out `approve`",
        ));
    }
    let started: Started = match submission.start(shared, project).await? {
        Submitted::Started(started) => started,
        Submitted::Unapproved(unapproved) => {
            // The person approves what the form shows: another version has another name.
            let name = format!("approve-{}", unapproved.digest());
            let shown = request.input_responses;
            let asked = elicit(context, shown, &name, consent_form(&unapproved)?).await?;
            let result = match asked {
                Some(Elicited::Result(result)) => result,
                Some(Elicited::Shows(form)) => return Ok(ToolAnswer::Shows(form)),
                None => return Err(where_to_approve(&unapproved)),
            };
            let is_approved = result.action == ElicitationAction::Accept
                && tools::arguments::<Form>(result.content.unwrap_or_default())?.decision == RUN;
            if !is_approved {
                return Err(ApiError::forbidden(format!(
                    "the person did not approve what `{}` runs; nothing was started",
                    unapproved.file()
                )));
            }
            unapproved.start().await?
        }
    };
    let shown = StartedRun::from(&started.run);
    shared.runs.add(started, place);
    tools::value(&shown).map(ToolAnswer::Done)
}

/// Everything that the pipeline runs, and the question.
fn consent_form(unapproved: &Unapproved) -> Result<ElicitRequestParams, ApiError> {
    let changed = if unapproved.has_changed() {
        " It has changed since you last approved it."
    } else {
        ""
    };
    let message = format!(
        "Run the pipeline “{}” of {}?{changed} This is everything that it runs:\n\n{}",
        unapproved.pipeline(),
        unapproved.file(),
        unapproved.document(),
    );
    let schema = json!({
        "type": "object",
        "properties": {
            "decision": { "type": "string", "title": "Decision", "enum": [DO_NOT_RUN, RUN], "default": DO_NOT_RUN },
        },
        "required": ["decision"],
    });
    form(message, schema)
}

fn where_to_approve(unapproved: &Unapproved) -> ApiError {
    let file = unapproved.file();
    ApiError::forbidden(format!(
        "nobody has approved what `{file}` runs as it is now, and this client cannot ask its user (elicitation); ask them to \
         approve it in the editor (“Always for this version”), or to start it on the page of `attractor serve` or with \
         `attractor run {file}`"
    ))
}
