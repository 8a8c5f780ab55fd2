//! Codergen and prompt nodes: fill in the prompt, run it by the backend, read what came back.

mod answer;
mod call;
mod history;
mod progress;
mod prompt;
mod request;

use std::sync::Arc;
use std::time::Duration;

use answer::Reading;
use attractor_exec::AgentSandbox;
use attractor_machine::outcome::ModelCall;
use attractor_machine::outcome::{FailureClass, Outcome};
use attractor_machine::plan::{NodeRef, to_millis};
use attractor_model::Reality;
use progress::StageProgress;

use super::{Prepared, Work, fail, status};
use crate::backend::{AgentCapabilities, BackendRegistry, Simulation};
use crate::handlers::reasons;

pub(super) fn prepare(work: Work<'_>) -> Prepared {
    prepare_with(work, "")
}

/// `extra` is added to the prompt of the node.
pub(super) fn prepare_with(work: Work<'_>, extra: &str) -> Prepared {
    let prompt = match prompt::of(work) {
        Ok(prompt) => prompt + extra,
        Err(reason) => return fail(FailureClass::Configuration, reason),
    };
    let mut request = match request::of(work, prompt) {
        Ok(request) => request,
        Err(reason) => return fail(FailureClass::Configuration, reason),
    };
    let turn = history::add(work, &mut request);
    let choice = match work.place.backends.choose(&request) {
        Ok(choice) => choice,
        Err(reason) => return fail(FailureClass::Configuration, reason),
    };
    let simulated = choice.simulated.map(|simulated| simulated.reason);
    if let (Reality::Real, Some(reason)) = (work.place.reality, &simulated) {
        // It was said that nothing is simulated; values that came later must not change that.
        return fail(FailureClass::Configuration, reasons::not_simulated(reason));
    }
    let reading = Reading::of(work);
    let backend = choice.backend;
    let call = ModelCall {
        backend: backend.name().to_owned(),
        simulated,
        ..ModelCall::default()
    };
    let redactor = work.place.redactor.clone();
    Prepared::Task(Box::new(move |env| {
        Box::pin(async move {
            let stage_dir = request.stage_dir.clone();
            let limit = request.timeout;
            let shown = format!("{}{}", request.preamble, request.prompt);
            call::keep_copy(&stage_dir, "prompt.md", redactor.text(&shown).as_bytes()).await;
            let asked = redactor.text(&request.prompt).into_owned();
            if backend.reads_messages() {
                env.inbox.open();
            }
            let progress = Arc::new(StageProgress::new(env.clone(), redactor.clone()));
            // A call that is dropped reports what it has used before its branch of the selection is taken.
            let unanswered = |outcome: Outcome| Outcome {
                usage: progress.usage(),
                ..outcome
            };
            let answer = tokio::select! {
                answer = backend.run(request, Arc::clone(&progress) as _) => answer,
                () = env.time.over(limit) => return unanswered(timed_out(limit)),
                () = env.stop.cancelled() => {
                    return unanswered(Outcome::fail(FailureClass::Canceled, "stopped"));
                }
            };
            match answer {
                Ok(mut response) => {
                    // Before anything is shortened: a key that has been cut is not recognised.
                    response.text = redactor.text(&response.text).into_owned();
                    let call = call::redacted(call::answered(call, &mut response), &redactor);
                    let text = response.text.as_bytes();
                    call::keep_copy(&stage_dir, "response.md", text).await;
                    call::keep(&stage_dir, &call, &response.usage).await;
                    let file = status::from_file(&stage_dir).await;
                    let answer = response.text.clone();
                    let mut outcome = Outcome {
                        model: Some(Box::new(call)),
                        ..reading.outcome(response, file, &env)
                    };
                    if let Some(key) = turn {
                        let turn = serde_json::json!({ "prompt": asked, "answer": answer });
                        outcome.context_updates.insert(key, turn);
                    }
                    outcome
                }
                Err(error) => {
                    let call = call::redacted(call::failed(call, &error), &redactor);
                    call::keep(&stage_dir, &call, &error.usage).await;
                    Outcome {
                        usage: error.usage,
                        retry_after_ms: error.retry_after.map(to_millis),
                        model: Some(Box::new(call)),
                        ..Outcome::fail(error.class, error.message)
                    }
                }
            }
        })
    }))
}

/// Whether the model of a node is simulated.
pub(super) fn is_simulated(work: Work<'_>) -> bool {
    let request = request::selection(work.node_ref, |text| work.fill(text));
    let choice = work.place.backends.choose(&request);
    choice.is_ok_and(|choice| choice.simulated.is_some())
}

/// Why a node's model will be simulated, with the values that `fill` knows. A model or provider that depends on later
/// ones counts as any.
pub(crate) fn simulated(
    node_ref: NodeRef<'_>,
    backends: &BackendRegistry,
    fill: impl Fn(&str) -> String,
) -> Option<Simulation> {
    let mut request = request::selection(node_ref, fill);
    for value in [&mut request.model, &mut request.provider] {
        value.take_if(|text| text.contains(['{', '$']));
    }
    backends.choose(&request).ok()?.simulated
}

/// What the commands of a node's agent run in, as far as that is known before values go in.
pub(crate) fn sandbox(node_ref: NodeRef<'_>, backends: &BackendRegistry) -> Option<AgentSandbox> {
    let request = request::selection(node_ref, str::to_owned);
    backends.choose(&request).ok()?.backend.sandbox()
}

/// What the agent of a node may do, as far as that is known before values go in.
pub(crate) fn capabilities(
    node_ref: NodeRef<'_>,
    backends: &BackendRegistry,
) -> Option<AgentCapabilities> {
    let request = request::selection(node_ref, str::to_owned);
    backends
        .choose(&request)
        .ok()?
        .backend
        .capabilities(&request)
}

pub(super) fn timed_out(limit: Option<Duration>) -> Outcome {
    let limit = limit
        .map(attractor_lang::duration::format)
        .unwrap_or_default();
    Outcome::fail(
        FailureClass::Timeout,
        attractor_machine::transition::reasons::longer_than(&limit),
    )
}
