//! What a model node asks of its backend.

use attractor_machine::plan::NodeRef;
use attractor_machine::transition::RetryPolicy;
use attractor_model::Source;

use crate::backend::{CodergenRequest, RetriedBy};
use crate::handlers::agency::agency;
use crate::handlers::{Work, tool_hooks};

/// Attributes handed to the backend as they are.
const OPTIONS: &[&str] = &[
    "reasoning_effort",
    "temperature",
    "max_tokens",
    "top_p",
    "fidelity",
    "thread_id",
    "max_turns",
    "allowed_tools",
    "allowed_paths",
    "permissions",
    "agent_tool",
    "acp_agent",
    "mcp",
    "skills",
    "max_cost",
    "speed",
    "output_schema",
    "output_retries",
    "fallback_models",
    "on_rate_limit",
    "project_memory",
    "default_command_timeout_ms",
    "max_command_timeout_ms",
];

/// Attributes that limit what an agent may do.
const LIMITS: &[&str] = &["allowed_tools", "allowed_paths", "permissions"];

/// The request of a node with its filled in prompt; without the history of the run.
pub(super) fn of(work: Work<'_>, prompt: String) -> Result<CodergenRequest, String> {
    let node_ref = work.node_ref;
    let inherited = |name| node_ref.inherited(name).map(|text| work.fill(text));
    let selection = selection(node_ref, |text| work.fill(text));
    let (model, provider) = match escalated(work) {
        Some((provider, model)) => (Some(model), provider.or(selection.provider)),
        None => (selection.model, selection.provider),
    };
    let counted = work.frame.attempt.saturating_sub(work.frame.limited);
    let is_last = counted >= RetryPolicy::of(node_ref).attempts;
    Ok(CodergenRequest {
        run: work.place.run.clone(),
        node: work.frame.node.clone(),
        visit: work.frame.visit,
        attempt: work.frame.attempt,
        prompt,
        preamble: String::new(),
        conversation: Vec::new(),
        system_prompt: work.text("system_prompt"),
        model,
        provider,
        options: OPTIONS
            .iter()
            .filter_map(|name| {
                let value = match carried(work, name) {
                    Some(value) => value.to_owned(),
                    None => inherited(name)?,
                };
                Some(((*name).to_owned(), value))
            })
            .collect(),
        backend: selection.backend,
        agency: selection.agency,
        working_dir: work.directory(),
        stage_dir: work.stage_dir.to_owned(),
        run_dir: work.place.directory.clone(),
        timeout: node_ref
            .node
            .attributes
            .duration("timeout")
            .filter(|limit| !limit.is_zero()),
        budget: work.budget,
        retries: if is_last {
            RetriedBy::Backend
        } else {
            RetriedBy::Executor
        },
        hooks: tool_hooks::rendered(work)?,
    })
}

/// What the edge says that leads here. Its `fidelity` wins over the node's; a `thread_id` of the node wins over
/// the edge's, which wins over the graph's.
fn carried<'w>(work: Work<'w>, name: &str) -> Option<&'w str> {
    let value = work.frame.carried.get(name)?;
    let own = work.node_ref.node.attributes.get(name);
    let keeps =
        name == "thread_id" && own.is_some_and(|own| !matches!(own.source(), Source::Graph { .. }));
    (!keeps).then_some(value.as_str())
}

/// What decides about the backend of a node, with `fill` for the values of its templates.
pub(super) fn selection(node_ref: NodeRef<'_>, fill: impl Fn(&str) -> String) -> CodergenRequest {
    let inherited = |name| node_ref.inherited(name).map(&fill);
    CodergenRequest {
        node: node_ref.node.id.to_string(),
        model: inherited("model"),
        provider: inherited("provider"),
        backend: inherited("backend"),
        agency: agency(node_ref),
        options: LIMITS
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), inherited(name)?)))
            .collect(),
        ..CodergenRequest::default()
    }
}

/// The next of `escalation_models` once those before it have had their tries: its provider, if one is named,
/// and the model.
fn escalated(work: Work<'_>) -> Option<(Option<String>, String)> {
    let tries = work
        .node_ref
        .inherited("retries_before_escalation")
        .and_then(|text| text.trim().parse::<usize>().ok())
        .unwrap_or(2)
        .max(1);
    let failures = work.frame.attempt.saturating_sub(1) as usize;
    let before = (failures / tries).checked_sub(1)?;
    let models = work.node_ref.node.attributes.list("escalation_models");
    let model = models.get(before).or(models.last())?;
    Some(match model.split_once(':') {
        Some((provider, model)) => (Some(provider.trim().to_owned()), model.trim().to_owned()),
        None => (None, model.clone()),
    })
}
