//! Attributes that say what happens after a failure and what bounds a run.

use super::super::attribute::{Applies, AttrType, AttributeRow, EnumValue};

const RETRY_POLICIES: &[EnumValue] = &[
    EnumValue {
        name: "none",
        doc: "No retries.",
    },
    EnumValue {
        name: "standard",
        doc: "A few tries, waiting longer each time.",
    },
    EnumValue {
        name: "aggressive",
        doc: "More tries, starting sooner.",
    },
    EnumValue {
        name: "linear",
        doc: "The same wait before each try.",
    },
    EnumValue {
        name: "patient",
        doc: "Few tries with long waits.",
    },
];

const ON_FAILURE: &[EnumValue] = &[
    EnumValue {
        name: "auto",
        doc: "Take the unconditional edge only if the node also has a conditional one.",
    },
    EnumValue {
        name: "route",
        doc: "Take the unconditional edge.",
    },
    EnumValue {
        name: "exit",
        doc: "Never take it: go to a retry target, or fail.",
    },
    EnumValue {
        name: "continue",
        doc: "Record the failure and continue as after success.",
    },
];

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "on_failure",
        Applies::NODE.and_graph(),
        AttrType::Enum(ON_FAILURE, &["succeed"]),
        "Whether routing may continue over an unconditional edge after a failure.",
    )
    .default("auto"),
    AttributeRow::new(
        "max_retries",
        Applies::NODE,
        AttrType::Int { min: 0 },
        "Extra tries after the first. Without it, the graph's `default_max_retries`.",
    )
    .aliases(&["retry_count", "retries"]),
    AttributeRow::new(
        "retry_policy",
        Applies::NODE.and_graph(),
        AttrType::Enum(RETRY_POLICIES, &[]),
        "Retry backoff preset.",
    )
    .aliases(&["retry_preset"]),
    AttributeRow::new(
        "retry_delay",
        Applies::NODE.and_graph(),
        AttrType::Duration,
        "Wait before the second try; it doubles from there.",
    )
    .aliases(&["base_delay"]),
    AttributeRow::new(
        "retry_target",
        Applies::NODE.and_graph(),
        AttrType::Node,
        "Where the run continues after a failure that no edge handles, or an unmet goal gate.",
    ),
    AttributeRow::new(
        "fallback_retry_target",
        Applies::NODE.and_graph(),
        AttrType::Node,
        "Where it goes when `retry_target` is missing.",
    ),
    AttributeRow::new(
        "goal_gate",
        Applies::NODE,
        AttrType::BoolOrCondition,
        "The run may not end before this node has succeeded, if it ran at all.",
    ),
    AttributeRow::new(
        "auto_status",
        Applies::NODE,
        AttrType::Bool,
        "The node has succeeded when it finishes without saying otherwise, also with `require_status`.",
    ),
    AttributeRow::new(
        "allow_partial",
        Applies::NODE,
        AttrType::Bool,
        "When the tries are used up, the node counts as partly successful.",
    ),
    AttributeRow::new(
        "max_visits",
        Applies::NODE.and_edge(),
        AttrType::Int { min: 0 },
        "How often a run may reach this; `0` means unlimited.",
    ),
    AttributeRow::new(
        "verify",
        Applies::NODE,
        AttrType::Verify,
        "What the output must look like for the node to have succeeded: `any_output`, \
`output_contains:TEXT`, `output_not_contains:TEXT`, `exit_code:N`, `matches:REGEX`, `file_exists:PATH`, \
`json:CONDITION`.",
    )
    .example("verify=\"output_contains:0 failed\""),
    AttributeRow::new(
        "continue_on_fail",
        Applies::NODE,
        AttrType::Bool,
        "The same as `on_failure=continue`.",
    )
    .dialects(&["amplifier"]),
    AttributeRow::new(
        "runs_on",
        Applies::NODE,
        AttrType::Enum(
            &[
                EnumValue { name: "success", doc: "Changes nothing." },
                EnumValue { name: "always", doc: "The same as `on_failure=continue`." },
                EnumValue { name: "failure", doc: "Changes nothing: draw an edge with `condition=\"outcome=fail\"`." },
            ],
            &[],
        ),
        "With `always`, a failure of the node is only noted. When a node runs is for edges to say.",
    )
    .dialects(&["amplifier"]),
    AttributeRow::new(
        "max_cost",
        Applies::NODE.and_graph(),
        AttrType::Money,
        "The most the model calls may cost: of the node, or of the whole run.",
    )
    .aliases(&["max_budget_usd"])
    .example("max_cost=\"2.50\""),
];
