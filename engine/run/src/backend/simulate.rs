//! Answers without a model: the same request always gives the same answer, and the answer says that it is simulated.

use std::sync::Arc;

use attractor_exec::Redactor;
use attractor_model::workflow_block::without_block;
use futures::future::BoxFuture;

use super::{BackendError, CodergenBackend, CodergenRequest, CodergenResponse, Progress};

/// Answers without a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct SimulateBackend;

impl CodergenBackend for SimulateBackend {
    fn name(&self) -> &'static str {
        "simulate"
    }

    fn simulation(&self) -> Option<String> {
        Some("the backend `simulate` simulates".to_owned())
    }

    fn run(
        &self,
        request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        Box::pin(async move {
            let text = simulated_answer(&request, &progress.redactor());
            progress.text(&text);
            Ok(CodergenResponse {
                text,
                ..CodergenResponse::default()
            })
        })
    }
}

/// `[simulated] NODE: first line of the prompt`
fn simulated_answer(request: &CodergenRequest, redactor: &Redactor) -> String {
    // Before it is cut: a part of a key is not recognised.
    let prompt = redactor.text(&request.prompt);
    let line = without_block(&prompt)
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("(no prompt)");
    let short: String = line.chars().take(200).collect();
    format!("[simulated] {}: {short}", request.node)
}
