//! The hooks of tool calls: from the request of a node to the session.

use std::sync::Arc;

use attractor_agent::{HookedCalls, ToolHook, ToolHooks};
use attractor_exec::ExecutionEnvironment;
use attractor_run::{CodergenRequest, ToolHookCommand};

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
        when: hook.when,
        calls,
        argv: hook.argv.clone(),
        environment: hook.environment.clone(),
        directory: hook.directory.clone(),
        timeout: hook.timeout,
    }
}
