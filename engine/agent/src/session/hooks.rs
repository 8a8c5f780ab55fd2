//! The hooks around one tool call.

use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::worker::Worker;
use crate::event::AgentEventKind;
use crate::hooks::{CallOfHook, Ran, run};
use crate::tool::{Access, ToolResult};
use attractor_agent_events::{HookOutcome, HookReport, HookTime};

/// A call, as its hooks see it.
#[derive(Clone, Copy)]
pub(super) struct HookedCall<'c> {
    pub(super) tool: &'c str,
    pub(super) id: &'c str,
    pub(super) access: &'c Access,
    pub(super) arguments: &'c Value,
}

/// Runs the hooks before a call, until one refuses it: its output is the error that the model gets.
pub(super) async fn before(
    worker: &Worker,
    call: HookedCall<'_>,
    cancel: &CancellationToken,
) -> Result<(), String> {
    if worker.hooks.hooks.is_empty() {
        return Ok(());
    }
    let arguments = masked(worker, call.arguments);
    let seen = seen(worker, call, &arguments, None);
    for running in run(&worker.hooks, HookTime::Before, seen, cancel) {
        let ran = running.await;
        report(worker, call, &ran);
        if ran.outcome != HookOutcome::Passed {
            return Err(refusal(&ran));
        }
    }
    Ok(())
}

/// Runs the hooks after a call. Their failure is an event and changes nothing.
pub(super) async fn after(
    worker: &Worker,
    call: HookedCall<'_>,
    (result, took): (&ToolResult, Duration),
    cancel: &CancellationToken,
) {
    if worker.hooks.hooks.is_empty() {
        return;
    }
    let arguments = masked(worker, call.arguments);
    let seen = seen(worker, call, &arguments, Some((result, took)));
    for running in run(&worker.hooks, HookTime::After, seen, cancel) {
        report(worker, call, &running.await);
    }
}

fn seen<'c>(
    worker: &'c Worker,
    call: HookedCall<'c>,
    arguments: &'c Value,
    result: Option<(&'c ToolResult, Duration)>,
) -> CallOfHook<'c> {
    CallOfHook {
        tool: call.tool,
        id: call.id,
        access: call.access,
        arguments,
        result,
        run: &worker.run,
        session: &worker.step,
        folder: worker.workspace.root(),
        redactor: &worker.redactor,
    }
}

/// What the model gets instead of a result.
fn refusal(ran: &Ran) -> String {
    let how = match ran.exit_code {
        Some(code) => format!("refused it with exit code {code}"),
        None => "failed, and so does not let it run".to_owned(),
    };
    let end = if ran.output.is_empty() { "" } else { ":\n" };
    format!(
        "error: the call was not run: the hook `{}` {how}{end}{}",
        ran.hook, ran.output
    )
}

fn report(worker: &Worker, call: HookedCall<'_>, ran: &Ran) {
    worker.events.emit(AgentEventKind::ToolHook(HookReport {
        hook: ran.hook.clone(),
        when: ran.when,
        tool_name: call.tool.to_owned(),
        tool_call_id: call.id.to_owned(),
        outcome: ran.outcome,
        exit_code: ran.exit_code,
        duration_ms: u64::try_from(ran.took.as_millis()).unwrap_or(u64::MAX),
        output: ran.output.clone(),
    }));
}

/// Arguments without secrets.
fn masked(worker: &Worker, arguments: &Value) -> Value {
    let mut arguments = arguments.clone();
    worker.redactor.value(&mut arguments);
    arguments
}
