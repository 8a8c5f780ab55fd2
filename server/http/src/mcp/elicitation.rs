//! Forms that the client shows to its user (elicitation): what they put in, the model has not.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, CallToolResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationSchema, InputRequest, InputRequiredResult, InputResponses, ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::Value;

use crate::error::ApiError;

/// What comes of a tool that asks the person.
pub(super) enum ToolAnswer {
    /// A result.
    Done(Value),
    /// The client shows the form and calls again.
    Shows(InputRequiredResult),
}

/// What comes of a form.
pub(super) enum Elicited {
    /// What the person did with it.
    Result(ElicitResult),
    /// The client shows it and calls again.
    Shows(InputRequiredResult),
}

impl From<ToolAnswer> for CallToolResponse {
    fn from(answer: ToolAnswer) -> Self {
        match answer {
            ToolAnswer::Done(value) => CallToolResult::structured(value).into(),
            ToolAnswer::Shows(form) => form.into(),
        }
    }
}

/// Has the client show a form. `name` is that of the form; `shown` are the forms that the client has shown before it
/// called again. None where the client cannot ask its user.
pub(super) async fn elicit(
    context: &RequestContext<RoleServer>,
    shown: Option<InputResponses>,
    name: &str,
    form: ElicitRequestParams,
) -> Result<Option<Elicited>, ApiError> {
    if let Some(result) = shown.and_then(|mut shown| shown.remove(name)) {
        let result = serde_json::from_value(result);
        return result
            .map(|result| Some(Elicited::Result(result)))
            .map_err(|error| {
                ApiError::invalid(format!("the person's answer cannot be read: {error}"))
            });
    }
    if !can_ask(context) {
        return Ok(None);
    }
    if asks_by_result(context) {
        let request = InputRequest::Elicitation(ElicitRequest::new(form));
        let requests = [(name.to_owned(), request)].into();
        let required = InputRequiredResult::from_input_requests(requests);
        return Ok(Some(Elicited::Shows(required)));
    }
    let asked = context.peer.create_elicitation(form).await;
    asked
        .map(|result| Some(Elicited::Result(result)))
        .map_err(|error| {
            ApiError::conflict(format!("the client could not ask the person: {error}"))
        })
}

/// A form with a text above its fields, which `schema` describes.
pub(super) fn form(message: String, schema: Value) -> Result<ElicitRequestParams, ApiError> {
    let schema: ElicitationSchema =
        serde_json::from_value(schema).map_err(|error| ApiError::internal(error.to_string()))?;
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: schema,
    })
}

/// Whether the client shows forms to its user.
fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let capabilities = context.client_capabilities();
    let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation);
    // A client that names neither form nor URL means forms.
    elicitation.is_some_and(|can| can.form.is_some() || can.url.is_none())
}

/// Whether the protocol asks by a result of the tool, not by a request of the server.
fn asks_by_result(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}
