//! The hooks of tool calls: from the request of a node to the session, and from its events to those of the run.

use std::sync::Arc;

use attractor_agent::{AgentEventKind, HookOutcome, HookTime, HookedCalls, ToolHook, ToolHooks};
use attractor_exec::ExecutionEnvironment;
use attractor_model::HookTime as ConfiguredTime;
use attractor_run::{CodergenRequest, HookOutcome as RunOutcome, HookReport, ToolHookCommand};

/// The hooks of a node. They run where the commands of the run do, and not in the sandbox of the agent.
pub(super) fn of(
    input: &CodergenRequest,
    environment: Arc<dyn ExecutionEnvironment>,
) -> Result<ToolHooks, String> {
    let hooks = input.hooks.iter().map(|hook| {
        let calls = hook.tool.as_deref().map(HookedCalls::matching);
        let calls = calls.transpose().map_err(|error| {
            let (name, node) = (&hook.name, &input.node);
            format!("the hook `{name}` of `{node}` cannot run: {error}")
        })?;
        Ok(session_hook(hook, calls.unwrap_or_default()))
    });
    Ok(ToolHooks {
        node: input.node.clone(),
        hooks: hooks.collect::<Result<_, String>>()?,
        environment,
    })
}

fn session_hook(hook: &ToolHookCommand, calls: HookedCalls) -> ToolHook {
    ToolHook {
        name: hook.name.clone(),
        when: match hook.when {
            ConfiguredTime::Before => HookTime::Before,
            ConfiguredTime::After => HookTime::After,
        },
        calls,
        argv: hook.argv.clone(),
        environment: hook.environment.clone(),
        directory: hook.directory.clone(),
        timeout: hook.timeout,
    }
}

/// What the events of a run say of a hook; nothing of another event.
pub(super) fn report(event: AgentEventKind) -> Option<HookReport> {
    let AgentEventKind::ToolHook {
        hook,
        when,
        tool_name,
        tool_call_id,
        outcome,
        exit_code,
        duration_ms,
        output,
    } = event
    else {
        return None;
    };
    Some(HookReport {
        hook,
        when: match when {
            HookTime::Before => ConfiguredTime::Before,
            HookTime::After => ConfiguredTime::After,
        },
        tool_name,
        tool_call_id,
        outcome: match outcome {
            HookOutcome::Passed => RunOutcome::Passed,
            HookOutcome::Refused => RunOutcome::Refused,
            HookOutcome::Failed => RunOutcome::Failed,
        },
        exit_code,
        duration_ms,
        output,
    })
}
