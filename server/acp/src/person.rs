//! Questions of a session, asked in the client.

use std::sync::{Arc, OnceLock};

use agent_client_protocol::Client;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CreateElicitationRequest, ElicitationAction, ElicitationContentValue, ElicitationFormMode,
    ElicitationSchema, ElicitationSessionScope, PermissionOption, PermissionOptionKind,
    RequestPermissionOutcome, RequestPermissionRequest, SessionId, StringPropertySchema,
    ToolCallId, ToolCallUpdate, ToolCallUpdateFields,
};
use async_trait::async_trait;
use attractor_agent::{ALLOW_SESSION, DENY, Person, PersonAnswer, PersonQuestion};

/// The field of a form that takes the answer.
const ANSWER: &str = "answer";

/// The person who works with the client.
pub(crate) struct ClientPerson {
    pub(crate) client: ConnectionTo<Client>,
    /// Whether the client shows forms.
    pub(crate) has_forms: bool,
    /// Known once the session is started.
    pub(crate) session: Arc<OnceLock<SessionId>>,
}

#[async_trait]
impl Person for ClientPerson {
    async fn ask(&self, question: PersonQuestion) -> PersonAnswer {
        let Some(session) = self.session.get() else {
            return nobody("the session has not started yet");
        };
        let permission = question.id.strip_prefix("permission-");
        match permission {
            Some(call) => self.choose(session, call, &question).await,
            None if self.has_forms => self.fill(session, &question).await,
            None if !question.options.is_empty() => {
                self.choose(session, &question.id, &question).await
            }
            None => nobody("the client cannot ask for a text"),
        }
    }
}

impl ClientPerson {
    /// Lets the person choose an option.
    async fn choose(
        &self,
        session: &SessionId,
        call: &str,
        question: &PersonQuestion,
    ) -> PersonAnswer {
        let options = question.options.iter();
        let options = options
            .map(|option| PermissionOption::new(option.clone(), option.clone(), kind(option)));
        let fields = ToolCallUpdateFields::new().title(question.text.clone());
        let call = ToolCallUpdate::new(call.to_owned(), fields);
        let request = RequestPermissionRequest::new(session.clone(), call, options.collect());
        match self.client.send_request(request).block_task().await {
            Ok(response) => match response.outcome {
                RequestPermissionOutcome::Selected(selected) => {
                    PersonAnswer::Text(selected.option_id.to_string())
                }
                _ => nobody("the client cancelled the question"),
            },
            Err(error) => nobody(&format!("the client answered with an error: {error}")),
        }
    }

    /// Lets the person fill in a form of one field.
    async fn fill(&self, session: &SessionId, question: &PersonQuestion) -> PersonAnswer {
        let options = (!question.options.is_empty()).then(|| question.options.clone());
        let field = StringPropertySchema::new()
            .title("Answer".to_owned())
            .enum_values(options);
        let schema = ElicitationSchema::new().property(ANSWER, field, true);
        let scope = ElicitationSessionScope::new(session.clone())
            .tool_call_id(ToolCallId::new(question.id.clone()));
        let form = ElicitationFormMode::new(scope, schema);
        let request = CreateElicitationRequest::new(form, question.text.clone());
        match self.client.send_request(request).block_task().await {
            Ok(response) => match response.action {
                ElicitationAction::Accept(accepted) => {
                    let mut content = accepted.content.unwrap_or_default();
                    match content.remove(ANSWER) {
                        Some(ElicitationContentValue::String(answer)) => PersonAnswer::Text(answer),
                        _ => nobody("the form came back without an answer"),
                    }
                }
                _ => nobody("the person declined to answer"),
            },
            Err(error) => nobody(&format!("the client answered with an error: {error}")),
        }
    }
}

fn nobody(reason: &str) -> PersonAnswer {
    PersonAnswer::Nobody(reason.to_owned())
}

/// How clients show an option.
fn kind(option: &str) -> PermissionOptionKind {
    match option {
        always if always.starts_with(ALLOW_SESSION) => PermissionOptionKind::AllowAlways,
        DENY => PermissionOptionKind::RejectOnce,
        _ => PermissionOptionKind::AllowOnce,
    }
}
