//! The hooks of an agent's tool calls: those of the configuration, and those of the node (`tool_hooks.pre`,
//! `tool_hooks.post`).
//!
//! The consent document lists what [`of`] gives, and the backend of a node runs the same.

use attractor_machine::plan::NodeRef;
use attractor_model::{HookTime, ToolHook};

use super::Work;
use super::agency::is_agent;
use super::commands::{CommandError, CommandRole, NodeCommand, Program, from_text};
use super::rendered_code::rendered_code;
use crate::backend::tool_hook_command::{TIMEOUT, ToolHookCommand};

/// The hooks of a node, in the order in which they run; none of a node without an agent. `files` are those the pipeline
/// names, by path as written.
pub(crate) fn of<'p>(
    node_ref: NodeRef<'p>,
    files: &'p [(String, String)],
    configured: &'p [ToolHook],
) -> Result<Vec<NodeCommand<'p>>, CommandError> {
    if !is_agent(node_ref) {
        return Ok(Vec::new());
    }
    let role = |when| match when {
        HookTime::Before => CommandRole::BeforeToolCall,
        HookTime::After => CommandRole::AfterToolCall,
    };
    let mut hooks: Vec<NodeCommand<'p>> = configured
        .iter()
        .map(|hook| NodeCommand {
            role: role(hook.when),
            attribute: "hooks",
            program: Program::Hook(hook),
            file: None,
        })
        .collect();
    for (when, attribute) in [
        (HookTime::Before, "tool_hooks.pre"),
        (HookTime::After, "tool_hooks.post"),
    ] {
        if let Some(text) = node_ref.inherited(attribute) {
            hooks.push(from_text(node_ref, files, role(when), attribute, text)?);
        }
    }
    Ok(hooks)
}

/// The hooks of a node with the values of their templates.
pub(super) fn rendered(work: Work<'_>) -> Result<Vec<ToolHookCommand>, String> {
    let hooks = of(work.node_ref, &work.place.files, &work.place.tool_hooks);
    let hooks = hooks.map_err(|error| error.to_string())?;
    hooks.iter().map(|hook| command(work, hook)).collect()
}

fn command(work: Work<'_>, hook: &NodeCommand<'_>) -> Result<ToolHookCommand, String> {
    if let Program::Hook(configured) = hook.program {
        return Ok(configured.into());
    }
    let (text, mut environment) = rendered_code(work, &hook.program)?;
    let stage_dir = work.stage_dir.to_string_lossy().into_owned();
    environment.push(("ATTRACTOR_STAGE_DIR".to_owned(), stage_dir));
    Ok(ToolHookCommand {
        name: hook.attribute.to_owned(),
        when: match hook.role {
            CommandRole::AfterToolCall => HookTime::After,
            _ => HookTime::Before,
        },
        tool: None,
        argv: hook.program.argv(&text),
        environment,
        directory: None,
        timeout: TIMEOUT,
    })
}
