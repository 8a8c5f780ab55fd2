//! Calls with tools: the model's calls are executed and answered until it is done.

mod object;
mod partial_json;
mod stream;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::Arc;

pub use object::{GeneratedObject, ObjectEvent, ObjectSchema, ObjectStream};
pub use stream::{GenerationEvent, GenerationStream};
pub use tools::{ToolError, ToolExecutor, ToolOutput};

use crate::client::Client;
use crate::content::{ContentPart, ToolResultContent};
use crate::error::Error;
use crate::message::{Message, Role};
use crate::request::Request;
use crate::response::Response;
use crate::usage::TokenUsage;

/// A request with what executes its tools.
#[derive(Clone)]
pub struct GenerateRequest {
    /// The request.
    pub request: Request,
    /// Executes tool calls. Without it, the first answer is the last one.
    pub executor: Option<Arc<dyn ToolExecutor>>,
    /// How many times results are sent back at most; 10 by default.
    pub max_tool_rounds: u32,
}

impl GenerateRequest {
    /// A request whose tool calls are executed.
    pub fn new(request: Request, executor: Arc<dyn ToolExecutor>) -> Self {
        Self {
            executor: Some(executor),
            ..Self::from(request)
        }
    }
}

impl From<Request> for GenerateRequest {
    fn from(request: Request) -> Self {
        Self {
            request,
            executor: None,
            max_tool_rounds: 10,
        }
    }
}

/// The answers of a whole tool loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// The last answer.
    pub response: Response,
    /// Every answer with the results that were sent back for its calls.
    pub steps: Vec<Step>,
    /// The tokens of all steps.
    pub usage: TokenUsage,
}

/// One answer of a tool loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The answer.
    pub response: Response,
    /// The results of its calls, in their order.
    pub results: Vec<ToolResultContent>,
}

impl Generation {
    /// The text of the last answer.
    pub fn text(&self) -> String {
        self.response.text()
    }

    /// The messages that the loop added to the conversation.
    pub fn messages(&self) -> Vec<Message> {
        let of_step = |step: &Step| {
            let results = step
                .results
                .iter()
                .cloned()
                .map(ContentPart::ToolResult)
                .collect::<Vec<_>>();
            let results = (!results.is_empty()).then(|| Message::new(Role::Tool, results));
            std::iter::once(step.response.message.clone())
                .chain(results)
                .collect::<Vec<_>>()
        };
        self.steps.iter().flat_map(of_step).collect()
    }
}

/// A tool loop between two calls.
pub(crate) struct Loop {
    pub(crate) input: GenerateRequest,
    rounds: u32,
    steps: Vec<Step>,
}

/// What comes after an answer.
pub(crate) enum After {
    /// Another call, with the results of this one.
    Continue(Vec<ToolResultContent>),
    /// Nothing.
    Done(Box<Generation>),
}

impl Loop {
    pub(crate) const fn new(input: GenerateRequest) -> Self {
        Self {
            input,
            rounds: 0,
            steps: Vec::new(),
        }
    }

    /// Executes the calls of an answer and adds them to the conversation.
    pub(crate) async fn after(&mut self, response: Response) -> Result<After, Error> {
        let calls = response.message.tool_calls();
        // The provider paused the model in the middle of its work; it continues when it is sent its own answer.
        let is_paused = calls.is_empty() && response.finish.is_paused();
        let executor = self.input.executor.clone().filter(|_| !calls.is_empty());
        if self.rounds >= self.input.max_tool_rounds || (executor.is_none() && !is_paused) {
            self.steps.push(Step {
                response: response.clone(),
                results: Vec::new(),
            });
            let steps = std::mem::take(&mut self.steps);
            let usage = steps.iter().map(|step| step.response.usage).sum();
            return Ok(After::Done(Box::new(Generation {
                response,
                steps,
                usage,
            })));
        }
        self.rounds += 1;
        let results = match executor {
            Some(executor) => {
                tools::execute_all(&calls, &self.input.request, executor.as_ref()).await?
            }
            None => Vec::new(),
        };
        self.input.request.messages.push(response.message.clone());
        if !results.is_empty() {
            let parts = results
                .iter()
                .cloned()
                .map(ContentPart::ToolResult)
                .collect();
            self.input
                .request
                .messages
                .push(Message::new(Role::Tool, parts));
        }
        self.steps.push(Step {
            response,
            results: results.clone(),
        });
        Ok(After::Continue(results))
    }
}

impl Client {
    /// Calls a model, executes the tools it calls — those of one answer at the same time — and sends their results
    /// back, until it answers without a call or `max_tool_rounds` is reached. A tool that fails, that is not defined,
    /// or whose arguments do not fit its schema is answered with an error the model can react to.
    pub async fn generate(
        &self,
        input: impl Into<GenerateRequest> + Send,
    ) -> Result<Generation, Error> {
        let mut looped = Loop::new(input.into());
        loop {
            let response = self.complete(looped.input.request.clone()).await?;
            if let After::Done(generation) = looped.after(response).await? {
                return Ok(*generation);
            }
        }
    }
}
