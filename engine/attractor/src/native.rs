//! The backend `native`: the models of the configured providers. A prompt node gets one answer without tools; a codergen
//! node is worked on by an agent, a session with tools in the folder of the node.

pub(crate) mod agent;
mod failure;
mod recorded_session;
mod request;
mod response;
mod session_folders;
mod session_list;
mod shared;
mod standalone;
mod start_agent_error;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use attractor_exec::AgentSandbox;
use attractor_llm::{
    Client, Error, ErrorKind, MoreText, Request, Response, ShownText, StreamCollector, StreamEvent,
    Warning,
};
use attractor_run::{
    Agency, AgentActivity, AgentCapabilities, AgentNotice, BackendError, CodergenBackend,
    CodergenRequest, CodergenResponse, Progress, Usage,
};
use futures::StreamExt;
use futures::future::BoxFuture;

pub(crate) use recorded_session::recorded_session;
pub use session_folders::{agent_sessions, latest_own_session};
pub use session_list::{SessionSummary, delete_session, session_messages, session_summaries};
pub use standalone::{AgentOptions, StartFrom, StartedAgent, start_agent};
pub use start_agent_error::StartAgentError;

use crate::agent_settings::AgentSettings;
use crate::providers::Providers;
use request::Call;
use shared::SharedRuns;

/// The name nodes choose it by.
pub(crate) const NAME: &str = "native";

/// Answers prompts by models.
#[derive(Debug, Clone)]
pub struct NativeBackend {
    providers: Providers,
    agents: Arc<AgentSettings>,
    shared: Arc<SharedRuns>,
}

/// The model a node means: its own, else the newest one of its provider or of the first configured one.
pub(crate) fn model_of(client: &Client, request: &CodergenRequest) -> Result<String, String> {
    request::model(client, request)
}

impl NativeBackend {
    /// A backend over these providers, whose agents do what the settings allow.
    pub fn new(providers: Providers, agents: AgentSettings) -> Self {
        Self {
            providers,
            agents: Arc::new(agents),
            shared: Arc::default(),
        }
    }

    /// The model that a request means, and the provider that serves it.
    pub(crate) fn model(&self, request: &CodergenRequest) -> Result<(Client, String), String> {
        let client = self.providers.client()?;
        let model = request::model(client, request)?;
        client
            .detect_provider(&model, request.provider.as_deref())
            .map_err(|error| error.data().message.clone())?;
        Ok((client.clone(), model))
    }
}

impl CodergenBackend for NativeBackend {
    fn name(&self) -> &'static str {
        NAME
    }

    fn simulation(&self) -> Option<String> {
        let is_replaying = self.providers.is_replaying();
        is_replaying.then(|| "the answers of models are replayed from a recording".to_owned())
    }

    fn unavailable(&self, request: &CodergenRequest) -> Option<String> {
        self.model(request).err()
    }

    fn capabilities(&self, request: &CodergenRequest) -> Option<AgentCapabilities> {
        (request.agency == Agency::Agent).then(|| agent::capabilities(request, &self.agents.policy))
    }

    fn reads_messages(&self) -> bool {
        true
    }

    fn sandbox(&self) -> Option<AgentSandbox> {
        Some(self.agents.sandbox())
    }

    fn secrets(&self) -> Vec<String> {
        let mut secrets = self.providers.secrets();
        secrets.extend_from_slice(self.agents.secrets());
        secrets
    }

    fn run(
        &self,
        request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        let model = self.model(&request);
        let fallback = self.providers.fallback_models().to_vec();
        let agents = Arc::clone(&self.agents);
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let (client, model) = match model {
                Ok(found) => found,
                Err(reason) => return Err(failure::unavailable(reason)),
            };
            if request.agency == Agency::Agent {
                let shared = shared.of(&request, agents.shared_state);
                let model = (model, fallback);
                return agent::work(client, request, model, agents, shared, progress).await;
            }
            let call = match request::call(&client, &request, model, fallback) {
                Ok(call) => call.masked_by(&progress.redactor()),
                Err(error) => return Err(failure::backend_error(&client, &error, None)),
            };
            answer(&client, call, progress.as_ref()).await
        })
    }
}

/// Calls the model until its answer is what the node asks for.
async fn answer(
    client: &Client,
    mut call: Call,
    progress: &dyn Progress,
) -> Result<CodergenResponse, BackendError> {
    let mut spent = Usage::default();
    loop {
        let mut received = Received::new(client, &call, progress, spent);
        let result = stream(client, call.request.clone(), progress, &mut received).await;
        let retried = std::mem::take(&mut received.retried).into_iter();
        let warnings = retried.map(|error| Warning::new("retry", error));
        call.warnings.extend(warnings);
        let partial = received.end();
        match result.and_then(|response| response::check(&call, response)) {
            Ok(response) if call.continues(&response) => {
                spent.add(&response::usage(client, &call.requested(), &response));
                call.ask_for_the_rest(response);
            }
            Ok(response) => {
                let mut response = response::codergen_response(client, &call, response);
                response.usage.add(&spent);
                return Ok(response);
            }
            Err(error) => {
                let mut failed = failure::backend_error(client, &error, Some(&partial));
                if call.ask_again(&error) {
                    spent.add(&failed.usage);
                    continue;
                }
                failed.usage.add(&spent);
                return Err(failed);
            }
        }
    }
}

/// One call; `received` holds what arrived, also when it fails. The connection is closed with the future.
async fn stream(
    client: &Client,
    request: Request,
    progress: &dyn Progress,
    received: &mut Received<'_>,
) -> Result<Response, Error> {
    let mut events = client.stream(request).await?;
    let (mut text, mut reasoning) = (ShownText::default(), ShownText::default());
    while let Some(event) = events.next().await {
        let event = event?;
        let had_content = received.collector.has_content();
        received.collector.process_event(&event);
        match &event {
            StreamEvent::TextDelta { text: piece, .. } => {
                show(text.add(piece), &|more| progress.text(more));
            }
            StreamEvent::ReasoningDelta { text: piece, .. } => {
                show(reasoning.add(piece), &|more| progress.thinking(more));
            }
            StreamEvent::Retry { error, .. } => {
                if had_content && received.is_limited {
                    let message = format!("{error}; the rest of the budget is for one answer only");
                    return Err(Error::new(ErrorKind::BudgetExceeded, message));
                }
                text.begin_again();
                reasoning.begin_again();
                if let Some(message) = event.retry_notice() {
                    let notice = AgentNotice::Warning { message };
                    progress.activity(AgentActivity::Notice(Box::new(notice)));
                }
                received.retried.push(error.clone());
            }
            _ => {}
        }
    }
    Ok(received.collector.to_response())
}

/// Shows more of an answer; another answer than what was shown begins on a line of its own.
fn show(more: MoreText, progress: &dyn Fn(&str)) {
    match more {
        MoreText::Nothing => {}
        MoreText::Continues(text) => progress(&text),
        MoreText::Differs(text) => progress(&format!("\n\n{text}")),
    }
}

/// What has arrived of an answer. Dropped before its end, it reports what that and the calls before it have used.
struct Received<'a> {
    client: &'a Client,
    progress: &'a dyn Progress,
    collector: StreamCollector,
    before: Usage,
    /// Why the call was repeated.
    retried: Vec<String>,
    /// Whether the rest of the budget is for this answer only.
    is_limited: bool,
    is_open: bool,
}

impl<'a> Received<'a> {
    fn new(client: &'a Client, call: &Call, progress: &'a dyn Progress, before: Usage) -> Self {
        let input = call.request.estimated_tokens();
        Self {
            client,
            progress,
            collector: StreamCollector::with_input_estimate(input),
            before,
            retried: Vec::new(),
            is_limited: call.budget_limit.is_some(),
            is_open: true,
        }
    }

    /// The call has ended; its result has what was used.
    fn end(mut self) -> Response {
        self.is_open = false;
        self.collector.to_response()
    }
}

impl Drop for Received<'_> {
    fn drop(&mut self) {
        if self.is_open {
            let mut used = self.before;
            used.add(&failure::spent(self.client, &self.collector.to_response()));
            self.progress.used(&used);
        }
    }
}
