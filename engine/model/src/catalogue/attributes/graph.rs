//! Attributes of the graph.

use super::super::attribute::{Applies, AttrType, AttributeRow, EnumValue};

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "goal",
        Applies::GRAPH,
        AttrType::Template,
        "What the pipeline is to achieve. Prompts read it as `$goal`, conditions as `graph.goal`.",
    )
    .default("")
    .example("goal=\"Make the tests pass\""),
    AttributeRow::new(
        "model_stylesheet",
        Applies::GRAPH,
        AttrType::Stylesheet,
        "Rules that give nodes models and other attributes, like CSS: `*`, a kind or shape, `.class`, `#id`, \
`[name=test_*]`. Attributes of the node itself take precedence.",
    )
    .aliases(&["stylesheet"])
    .example("model_stylesheet=\"* { model: claude-sonnet-4-6; } .hard { reasoning_effort: high; }\""),
    AttributeRow::new(
        "default_max_retries",
        Applies::GRAPH,
        AttrType::Int { min: 0 },
        "Default `max_retries` of nodes.",
    )
    .aliases(&["default_max_retry"])
    .default("0"),
    AttributeRow::new(
        "default_fidelity",
        Applies::GRAPH,
        AttrType::Enum(super::agent::FIDELITY, &[]),
        "Default `fidelity` of nodes.",
    )
    .aliases(&["context_fidelity_default"]),
    AttributeRow::new(
        "default_thread_id",
        Applies::GRAPH,
        AttrType::Text,
        "Default `thread_id` of nodes.",
    )
    .aliases(&["default_thread", "context_thread_default"]),
    AttributeRow::new(
        "simulation",
        Applies::GRAPH,
        AttrType::Enum(
            &[EnumValue {
                name: "allow",
                doc: "Simulated models are expected: the pipeline shows something without them, or tests itself.",
            }],
            &[],
        ),
        "Whether a run may simulate models where continuous integration (`CI` is set) refuses it otherwise.",
    )
    .example("simulation=allow"),
    AttributeRow::new(
        "max_steps",
        Applies::GRAPH,
        AttrType::Int { min: 1 },
        "The run fails after this many steps; a guard against unbounded loops.",
    )
    .default("1000"),
    AttributeRow::new(
        "max_node_visits",
        Applies::GRAPH,
        AttrType::Int { min: 0 },
        "Maximum number of visits of each node; `0` means unlimited.",
    )
    .default("0"),
    AttributeRow::new(
        "max_pipeline_duration",
        Applies::GRAPH,
        AttrType::Duration,
        "Time limit of the run; `0` means unlimited.",
    )
    .aliases(&["max_duration", "max_wall_time"])
    .example("max_pipeline_duration=\"2h\""),
    AttributeRow::new(
        "stall_timeout",
        Applies::GRAPH,
        AttrType::Duration,
        "The run is stopped after this long without activity: no step started or ended and there was no output. Waiting for a person does not count. `0` means unlimited.",
    )
    .example("stall_timeout=\"30m\""),
    AttributeRow::new(
        "goal_required_nodes",
        Applies::GRAPH,
        AttrType::NodeList,
        "Nodes that should have completed when the run ends. Those that have not are listed in \
`_goal_gate_unmet` with a warning.",
    ),
    AttributeRow::new(
        "goal_conditions",
        Applies::GRAPH,
        AttrType::ConditionList,
        "Conditions that should hold when the run ends, by `;`. Unmet ones are listed in `_goal_gate_unmet` \
with a warning.",
    )
    .example("goal_conditions=\"exit_code == 0; approved\""),
    AttributeRow::new(
        "max_goal_gate_redirects",
        Applies::GRAPH,
        AttrType::Int { min: 0 },
        "Maximum number of redirects by unmet goal gates before the run fails.",
    )
    .default("3"),
    AttributeRow::new(
        "vars",
        Applies::GRAPH,
        AttrType::List,
        "Required inputs, separated by commas; `name=value` declares a default. They are also required when the graph is called as a \
sub-pipeline.",
    )
    .aliases(&["params", "inputs"])
    .example("vars=\"ticket, branch=main\""),
    AttributeRow::new(
        "stack.child_dotfile",
        Applies::GRAPH,
        AttrType::SubPipeline,
        "Default pipeline of supervisors.",
    )
    .aliases(&["stack.child_workflow"]),
    AttributeRow::new(
        "stack.child_workdir",
        Applies::GRAPH,
        AttrType::Path { must_exist: false },
        "The working folder of sub-pipelines.",
    ),
    AttributeRow::new(
        "max_tokens_total",
        Applies::GRAPH,
        AttrType::Int { min: 0 },
        "Token limit of all model calls of the run together.",
    )
    .aliases(&["max_total_tokens"]),
    AttributeRow::new(
        "loop_restart_persist_keys",
        Applies::GRAPH,
        AttrType::Keys,
        "Context keys that `loop_restart` edges keep, separated by commas.",
    )
    .dialects(&["kilroy"]),
    AttributeRow::new(
        "triggers",
        Applies::GRAPH,
        AttrType::List,
        "Phrases of tasks the plan is for; it is chosen for a task that has their words. See `trigger_threshold`.",
    ),
    AttributeRow::new(
        "trigger_threshold",
        Applies::GRAPH,
        AttrType::Int { min: 1 },
        "How many of the `triggers` must occur in a task for the plan to fit.",
    )
    .default("1"),
    AttributeRow::new(
        "domains",
        Applies::GRAPH,
        AttrType::List,
        "Kinds of work the plan is for; empty for any.",
    ),
    AttributeRow::new(
        "stale_after_turns",
        Applies::GRAPH,
        AttrType::Int { min: 0 },
        "The run expires after this many model turns without a transition to another node; 0 for never. An attempt \
         with a simulated model is one turn.",
    ),
    AttributeRow::new(
        "workflow_context",
        Applies::GRAPH,
        AttrType::Bool,
        "Prompts begin with the workflow: the path so far, the node with its attempt and checks, and the ways on. \
         Set in converted plans.",
    )
    .default("false"),
    AttributeRow::new(
        "rankdir",
        Applies::GRAPH,
        AttrType::Enum(
            &[
                EnumValue { name: "TB", doc: "Top to bottom." },
                EnumValue { name: "LR", doc: "Left to right." },
                EnumValue { name: "BT", doc: "Bottom to top." },
                EnumValue { name: "RL", doc: "Right to left." },
            ],
            &["TD"],
        ),
        "Direction of the drawing; changes nothing for a run.",
    ),
];
