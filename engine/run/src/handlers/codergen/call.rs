//! What a run keeps of a call of a model.

use std::path::Path;

use attractor_exec::Redactor;
use attractor_machine::outcome::ModelCall;
use attractor_machine::outcome::Usage;

use crate::backend::{BackendError, CodergenResponse};

/// What an answer says of the call.
pub(super) fn answered(call: ModelCall, response: &mut CodergenResponse) -> ModelCall {
    ModelCall {
        provider: response.provider.take(),
        model: response.model.take(),
        finish_reason: response.finish_reason.take(),
        response_id: response.response_id.take(),
        verification: response.verification.take(),
        warnings: std::mem::take(&mut response.warnings),
        ..call
    }
}

/// What an error says of the call.
pub(super) fn failed(call: ModelCall, error: &BackendError) -> ModelCall {
    ModelCall {
        provider: error.provider.clone(),
        model: error.model.clone(),
        status: error.status,
        category: error.category.clone(),
        ..call
    }
}

/// The call without secrets: providers repeat parts of a request in their messages.
pub(super) fn redacted(call: ModelCall, redactor: &Redactor) -> ModelCall {
    let text = |text: Option<String>| text.map(|text| redactor.text(&text).into_owned());
    ModelCall {
        provider: text(call.provider),
        model: text(call.model),
        response_id: text(call.response_id),
        verification: text(call.verification),
        warnings: call
            .warnings
            .iter()
            .map(|warning| redactor.text(warning).into_owned())
            .collect(),
        ..call
    }
}

/// Writes `model.json`, a copy for people: the model that was really called, and what it cost.
pub(super) async fn keep(stage_dir: &Path, call: &ModelCall, usage: &Usage) {
    let value = serde_json::json!({ "call": call, "usage": usage });
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    keep_copy(stage_dir, "model.json", text.as_bytes()).await;
}

/// Writes a copy for people; the run does not depend on it. A dry run has no directory.
pub(super) async fn keep_copy(stage_dir: &Path, name: &str, text: &[u8]) {
    if !stage_dir.as_os_str().is_empty() {
        let _ = tokio::fs::write(stage_dir.join(name), text).await;
    }
}
