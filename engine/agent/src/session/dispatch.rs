//! Runs the tool calls of an answer: find the tool, check the arguments, ask the policy, run, truncate, report.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use attractor_llm::{ContentPart, ToolCallContent, ToolResultContent};
use futures::FutureExt;
use futures::future::join_all;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::batch::batches;
use super::hooks::{self, HookedCall};
use super::input::LEFT_OUT;
use super::verification::Verification;
use super::worker::Worker;
use crate::budget::Budget;
use crate::check::CommandKind;
use crate::error::AgentError;
use crate::event::AgentEventKind;
use crate::loop_detection::{LoopDecision, LoopGuard};
use crate::policy::SkillLimits;
use crate::shared::DoomDecision;
use crate::tool::{Access, Tool, ToolCall, ToolResult, rename_aliases};
use crate::truncation::truncate_output;
use attractor_agent_events::{ToolCallEnd, ToolCallStart};

/// Why a call that was not run has no result of its own.
pub(super) const INTERRUPTED: &str =
    "the call was interrupted before it ended; what it did until then is not known";

/// What the calls of an answer resulted in.
#[derive(Default)]
pub(super) struct Dispatched {
    /// A result for each call, in the order of the calls.
    pub(super) results: Vec<ContentPart>,
    /// A warning for the model: the calls repeat.
    pub(super) warning: Option<String>,
    /// The work ends: the calls repeat although the model was warned.
    pub(super) ends: Option<String>,
}

/// A call that may run.
struct Ready<'c> {
    index: usize,
    call: &'c ToolCallContent,
    tool: Arc<dyn Tool>,
    arguments: Value,
    access: Access,
    /// What the model should know about the call.
    note: Option<String>,
    fingerprint: Option<String>,
}

/// What came of a call.
struct Ended {
    result: ToolResult,
    /// What it would have touched; none where no tool takes it.
    access: Option<Access>,
    /// Whether it was run: a hook, the policy or a person may have refused it.
    was_run: bool,
}

/// A tool, its arguments, and what the model should know about them.
type Prepared = (Arc<dyn Tool>, Value, Option<String>);

/// Runs the calls of one answer.
pub(super) async fn dispatch(
    worker: &Worker,
    budget: &Budget,
    calls: &[&ToolCallContent],
    guard: &mut LoopGuard,
    verification: &mut Verification,
    cancel: &CancellationToken,
) -> Dispatched {
    let mut dispatched = Dispatched::default();
    let mut results: HashMap<usize, Ended> = HashMap::new();
    let mut ready = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        worker
            .events
            .emit(AgentEventKind::ToolCallStart(ToolCallStart {
                tool_name: call.tool_name.clone(),
                tool_call_id: call.tool_call_id.clone(),
                arguments: Value::Object(call.arguments.clone()),
            }));
        let tool = worker.tools.get(&call.tool_name);
        let refused = match tool {
            Some(tool) if tool.is_poll() => None,
            _ => guarded(worker, call, guard, &mut dispatched),
        };
        let prepared = match refused {
            Some(refused) => Err(refused),
            None => prepare(worker, call),
        };
        let prepared = prepared.and_then(|(tool, arguments, note)| {
            let fingerprint = begun(worker, call, &arguments, &mut dispatched)?;
            Ok((tool, arguments, note, fingerprint))
        });
        match prepared {
            Ok((tool, arguments, note, fingerprint)) => ready.push(Ready {
                index,
                call,
                access: tool
                    .access(&arguments)
                    .seen_from_root(worker.workspace.base()),
                tool,
                arguments,
                note,
                fingerprint,
            }),
            Err(problem) => {
                report(worker, call, &ToolResult::error(problem.clone()));
                let ended = Ended {
                    result: ToolResult::error(problem),
                    access: None,
                    was_run: false,
                };
                results.insert(index, ended);
            }
        }
    }
    let accesses: Vec<Access> = ready.iter().map(|one| one.access.clone()).collect();
    let mut rest = ready.into_iter();
    let mut start = 0;
    for end in batches(&accesses) {
        let group: Vec<Ready<'_>> = rest.by_ref().take(end - start).collect();
        start = end;
        let running = group.iter().map(|one| run(worker, budget, one, cancel));
        let ended = join_all(running).await;
        for (one, (result, was_run)) in group.into_iter().zip(ended) {
            let access = Some(one.access);
            let ended = Ended {
                result,
                access,
                was_run,
            };
            results.insert(one.index, ended);
        }
        worker.events.flow().await;
    }
    for (index, call) in calls.iter().enumerate() {
        let Some(Ended {
            mut result,
            access,
            was_run,
        }) = results.remove(&index)
        else {
            continue;
        };
        match access {
            Some(access) if was_run => verification.record(&access, &result),
            Some(access) => verification.record_denied(&access),
            None => {}
        }
        without_unknown_media(worker, &mut result);
        let output = truncated(worker, call, &result.output);
        dispatched
            .results
            .push(ContentPart::ToolResult(ToolResultContent {
                tool_call_id: call.tool_call_id.clone(),
                tool_name: call.tool_name.clone(),
                content: output,
                media: result.media,
                is_error: result.is_error,
            }));
    }
    dispatched
}

/// Why a call is not run: it repeats others.
fn guarded(
    worker: &Worker,
    call: &ToolCallContent,
    guard: &mut LoopGuard,
    dispatched: &mut Dispatched,
) -> Option<String> {
    if !worker.config.enable_loop_detection {
        return None;
    }
    let decision = guard.check(&call.tool_name, &call.arguments_json);
    let found = |warning: &str| {
        worker.events.emit(AgentEventKind::LoopDetection {
            warning: warning.to_owned(),
        });
    };
    match decision {
        LoopDecision::Continue => None,
        LoopDecision::Warn(warning) => {
            found(&warning);
            dispatched.warning = Some(format!(
                "{warning} (`{}`). Repeating it changes nothing: use what you have learned from its results, and try \
                 another approach.",
                call.tool_name
            ));
            None
        }
        LoopDecision::Refuse(warning) => {
            found(&warning);
            Some(format!(
                "error: the call was not run: {warning}. Try another approach, or end with a message that says what \
                 prevents you from continuing."
            ))
        }
        LoopDecision::End(warning) => {
            found(&warning);
            dispatched.ends.get_or_insert_with(|| warning.clone());
            Some(format!("error: the call was not run: {warning}"))
        }
    }
}

/// The fingerprint of a call that may run; or why it is not run: it failed for several workers of the run.
fn begun(
    worker: &Worker,
    call: &ToolCallContent,
    arguments: &Value,
    dispatched: &mut Dispatched,
) -> Result<Option<String>, String> {
    if !worker.config.enable_loop_detection {
        return Ok(None);
    }
    let decision = match worker.shared.begin_call(&call.tool_name, arguments) {
        Ok(fingerprint) => return Ok(Some(fingerprint)),
        Err(decision) => decision,
    };
    let problem = match decision {
        DoomDecision::Refuse(problem) => problem,
        DoomDecision::End(problem) => {
            dispatched.ends.get_or_insert_with(|| problem.clone());
            problem
        }
    };
    worker.events.emit(AgentEventKind::LoopDetection {
        warning: problem.clone(),
    });
    Err(format!(
        "error: the call was not run: {problem}. Try another approach, or end with a message that says what prevents you \
         from continuing."
    ))
}

/// Reports to the other workers of the run what came of a call. A check that was not run has no result.
fn shared(worker: &Worker, one: &Ready<'_>, result: &ToolResult, was_run: bool) {
    let Some(fingerprint) = &one.fingerprint else {
        return;
    };
    let shared = &worker.shared;
    let kind = match &one.access {
        Access::Execute(command) if result.is_open => Some((command, CommandKind::MayWrite)),
        Access::Execute(command) => Some((command, CommandKind::of(command))),
        _ => None,
    };
    let may_write = matches!(kind, Some((_, CommandKind::MayWrite)));
    if result.is_error {
        shared.call_failed(fingerprint);
    } else {
        shared.call_succeeded(fingerprint);
        if may_write || !result.changes.is_empty() {
            shared.files_changed();
        }
    }
    match (kind, &one.access) {
        // That a check fails is its result.
        (Some((_, CommandKind::Check)), _) if !was_run => {}
        (Some((command, CommandKind::Check)), _) => {
            shared.report_check(&worker.redactor.text(command), !result.is_error);
        }
        // A file that is not there, or a text that does not occur, concerns the one who asked.
        (_, Access::Read(_) | Access::Write(_)) => {}
        _ if result.is_error => {
            let input = format!("{} {}", one.call.tool_name, one.arguments);
            let input = worker.redactor.text(&input);
            let error = worker.redactor.text(&result.output);
            shared.report_failure(fingerprint, &input, &error);
        }
        _ => {}
    }
}

/// Finds the tool and checks the arguments against its schema.
fn prepare(worker: &Worker, call: &ToolCallContent) -> Result<Prepared, String> {
    let Some(tool) = worker.tools.get(&call.tool_name) else {
        let names = worker.tools.tool_names();
        let error = AgentError::tool_not_found(&call.tool_name, &names);
        return Err(format!("error: {error}"));
    };
    if let Some(invalid) = &call.invalid {
        return Err(format!(
            "error: the arguments of `{}` are not valid JSON: {invalid}; send the whole call again",
            call.tool_name
        ));
    }
    let mut arguments = Value::Object(call.arguments.clone());
    rename_aliases(tool.as_ref(), &mut arguments);
    let schemas = &worker.schemas;
    let note = schemas.leave_out_unknown(&call.tool_name, &mut arguments);
    schemas.check(&call.tool_name, &arguments)?;
    Ok((Arc::clone(tool), arguments, note))
}

/// Runs one call, if the policy allows it; gives the result and whether it was run.
async fn run(
    worker: &Worker,
    budget: &Budget,
    one: &Ready<'_>,
    cancel: &CancellationToken,
) -> (ToolResult, bool) {
    let hooked = HookedCall {
        tool: &one.call.tool_name,
        id: &one.call.tool_call_id,
        access: &one.access,
        arguments: &one.arguments,
    };
    // A person is not asked about a call that a hook refuses.
    let may_run = match hooks::before(worker, hooked, cancel).await {
        Ok(()) => permitted(worker, one, cancel).await,
        Err(refusal) => Err(refusal),
    };
    let (result, took) = match may_run {
        Ok(()) => {
            budget.add_tool_call();
            let begun = Instant::now();
            let mut result = execute(worker, one, cancel).await;
            if let Some(note) = &one.note {
                result.output = format!("{}\n{note}", result.output);
            }
            (result, Some(begun.elapsed()))
        }
        Err(refusal) => (ToolResult::error(refusal), None),
    };
    if !cancel.is_cancelled() {
        shared(worker, one, &result, took.is_some());
    }
    report(worker, one.call, &result);
    if let Some(took) = took {
        let shown = ToolResult {
            output: truncated(worker, one.call, &result.output),
            is_error: result.is_error,
            ..ToolResult::default()
        };
        hooks::after(worker, hooked, (&shown, took), cancel).await;
    }
    (result, took.is_some())
}

async fn permitted(
    worker: &Worker,
    one: &Ready<'_>,
    cancel: &CancellationToken,
) -> Result<(), String> {
    let call = one.call;
    let root = worker.workspace.root();
    let refused = worker
        .skill_limits()
        .iter()
        .find_map(|limits| limits.refusal(root, &call.tool_name, &one.access));
    if let Some(refused) = refused {
        return Err(format!("error: {refused}"));
    }
    let permitted = worker.gate.permit(
        &call.tool_call_id,
        &call.tool_name,
        &one.access,
        &one.arguments,
    );
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(format!("error: {INTERRUPTED}")),
        permitted = permitted => permitted.map_err(|reason| format!("error: {reason}")),
    }
}

async fn execute(worker: &Worker, one: &Ready<'_>, cancel: &CancellationToken) -> ToolResult {
    if cancel.is_cancelled() {
        return ToolResult::error(format!("error: {INTERRUPTED}"));
    }
    let call = ToolCall {
        id: one.call.tool_call_id.clone(),
        arguments: one.arguments.clone(),
    };
    let context = worker.context(&one.call.tool_name, &one.call.tool_call_id, cancel.clone());
    let _running = worker.running.enter(&one.call.tool_name);
    let running = AssertUnwindSafe(one.tool.call(call, &context)).catch_unwind();
    let name = &one.call.tool_name;
    running.await.unwrap_or_else(|_| {
        worker.events.emit(AgentEventKind::Warning {
            message: format!("the tool `{name}` failed by a defect of this program"),
        });
        ToolResult::error(format!(
            "error: `{name}` failed by a defect of this program; do not repeat the call as it is"
        ))
    })
}

/// Publishes the end of a call.
fn report(worker: &Worker, call: &ToolCallContent, result: &ToolResult) {
    worker.events.emit(AgentEventKind::ToolCallEnd {
        call: ToolCallEnd {
            tool_name: call.tool_name.clone(),
            tool_call_id: call.tool_call_id.clone(),
            output: truncated(worker, call, &result.output),
            is_error: result.is_error,
        },
        full_output: worker.redactor.text(&result.output).into_owned(),
    });
    let limits = result.skill.as_deref().and_then(SkillLimits::of);
    worker.skill_limits().extend(limits);
    if let Some(plan) = &result.plan {
        worker.show_plan(plan.clone());
    }
    for change in &result.changes {
        // A call that changes files has passed the policy.
        let after = change.after.as_deref();
        worker.environment.approve_write(&change.path, after);
        worker.changes.record(&call.tool_name, change.clone());
    }
    if !result.changes.is_empty() {
        let paths = result.changes.iter();
        worker.events.emit(AgentEventKind::FilesChanged {
            tool_call_id: call.tool_call_id.clone(),
            paths: paths
                .map(|change| change.path.to_string_lossy().into_owned())
                .collect(),
        });
    }
}

/// Leaves out images for a model that is known to take none: its provider would refuse the whole request.
fn without_unknown_media(worker: &Worker, result: &mut ToolResult) {
    if result.media.is_empty() || worker.takes_images() {
        return;
    }
    result.media.clear();
    result.output.push_str(LEFT_OUT);
}

/// What the model receives, without secrets: masked before it is shortened, since half a key is not recognised.
fn truncated(worker: &Worker, call: &ToolCallContent, output: &str) -> String {
    let output = worker.redactor.text(output);
    truncate_output(&call.tool_name, &output, &worker.config.truncation_config)
}
