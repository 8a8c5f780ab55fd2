//! Who does the work of a codergen or prompt node.
//!
//! The engine renders the prompt and reads the outcome; a backend only turns a request into text.
//! [`SimulateBackend`] is what runs when no model is configured: the same request always gives the
//! same answer, and the answer says that it is simulated.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;

use crate::outcome::{FailureClass, Usage};

/// What a node wants from a model.
#[derive(Debug, Clone, Default)]
pub struct CodergenRequest {
    /// The run's id.
    pub run: String,
    /// The node's id.
    pub node: String,
    /// How often the node has been entered, from 1.
    pub visit: u32,
    /// Attempt within the visit, from 1.
    pub attempt: u32,
    /// The prompt, templates replaced.
    pub prompt: String,
    /// Instructions that go before it.
    pub system_prompt: Option<String>,
    /// The model, as written.
    pub model: Option<String>,
    /// The provider, as written.
    pub provider: Option<String>,
    /// Further attributes of the node, by canonical name (`reasoning_effort`, `temperature`, …).
    pub options: Vec<(String, String)>,
    /// One answer without tools (a `prompt` node), or an agent at work.
    pub agency: Agency,
    /// Where the agent works.
    pub working_dir: PathBuf,
    /// Where it may leave `status.json` and its own logs.
    pub stage_dir: PathBuf,
    /// How long it may take.
    pub timeout: Option<Duration>,
}

/// Whether tools may be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Agency {
    /// An agent with tools.
    #[default]
    Agent,
    /// One answer, no tools.
    OneAnswer,
}

/// What came back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CodergenResponse {
    /// The final text.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
    /// The outcome as the backend knows it, in the shape of `status.json`; none leaves it to the text.
    pub status: Option<Value>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BackendError {
    /// For people: what happened and what to do.
    pub message: String,
    /// Decides about retries.
    pub class: FailureClass,
}

/// Where a backend writes what it does while it works.
pub trait Progress: Send + Sync {
    /// A piece of text the model wrote.
    fn text(&self, text: &str);
}

/// Runs prompts.
///
/// A dropped future means that the node was stopped: the backend ends its streams and processes.
pub trait CodergenBackend: Send + Sync {
    /// A word for events and `doctor`: `simulate`, `native`.
    fn name(&self) -> &'static str;

    /// Whether answers are made up; every event of the run then says so.
    fn simulated(&self) -> bool {
        false
    }

    /// Runs one request.
    fn run(
        &self,
        request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>>;
}

/// Answers without a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct SimulateBackend;

impl CodergenBackend for SimulateBackend {
    fn name(&self) -> &'static str {
        "simulate"
    }

    fn simulated(&self) -> bool {
        true
    }

    fn run(
        &self,
        request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        Box::pin(async move {
            let text = simulated_answer(&request);
            progress.text(&text);
            Ok(CodergenResponse {
                text,
                ..CodergenResponse::default()
            })
        })
    }
}

/// `[simulated] NODE: first line of the prompt`
fn simulated_answer(request: &CodergenRequest) -> String {
    let line = request
        .prompt
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("(no prompt)");
    let short: String = line.chars().take(200).collect();
    format!("[simulated] {}: {short}", request.node)
}
