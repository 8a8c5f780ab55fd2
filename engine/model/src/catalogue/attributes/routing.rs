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
        "Retries after the first attempt. Defaults to the graph's `default_max_retries`.",
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
        "Delay before the first retry; it doubles with each further one.",
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
        "Used if there is no `retry_target`.",
    ),
    AttributeRow::new(
        "goal_gate",
        Applies::NODE,
        AttrType::BoolOrCondition,
        "The run cannot end successfully until this node has succeeded, if it has run.",
    ),
    AttributeRow::new(
        "auto_status",
        Applies::NODE,
        AttrType::Bool,
        "The node succeeds when it ends without reporting a status, even with `require_status`.",
    ),
    AttributeRow::new(
        "allow_partial",
        Applies::NODE,
        AttrType::Bool,
        "After the last failed retry the node counts as partially successful.",
    ),
    AttributeRow::new(
        "max_visits",
        Applies::NODE.and_edge(),
        AttrType::Int { min: 0 },
        "Maximum number of visits; `0` means unlimited.",
    ),
    AttributeRow::new(
        "verify",
        Applies::NODE,
        AttrType::Verify,
        "Condition on the output for the node to succeed: `any_output`, \
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
        "With `always`, a failure of the node is only recorded. When a node runs is determined by edges.",
    )
    .dialects(&["amplifier"]),
    AttributeRow::new(
        "max_cost",
        Applies::NODE.and_graph(),
        AttrType::Money,
        "Maximum cost of the model calls: of the node, or of the whole run.",
    )
    .aliases(&["max_budget_usd"])
    .example("max_cost=\"2.50\""),
];
