//! Attributes of supervisors, sub-pipelines, waits, loops, escalations and checkpoints.

use super::super::attribute::{Applies, AttrType, AttributeRow, EnumValue};
use super::super::node_kinds::NodeKind;

const SUPERVISOR: &[NodeKind] = &[NodeKind::Supervisor];
const SUB: &[NodeKind] = &[NodeKind::Supervisor, NodeKind::Pipeline];
const LOOP: &[NodeKind] = &[NodeKind::Loop];

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "sub_pipeline",
        Applies::kinds(SUB),
        AttrType::SubPipeline,
        "The pipeline to run: another digraph of this file by name, a file next to it (`NAME` or `NAME.dot`), \
or a path.",
    )
    .aliases(&[
        "pipeline",
        "dot_file",
        "graph_ref",
        "subgraph_ref",
        "stack.child_dotfile",
        "stack.child_workflow",
        "stack.child_dot_source",
        "child_graph",
        "import",
    ])
    .required()
    .example("sub_pipeline=\"review.dot\""),
    AttributeRow::new(
        "max_iterations",
        Applies::kinds(SUPERVISOR),
        AttrType::Int { min: 1 },
        "Maximum number of iterations.",
    )
    .aliases(&["manager.max_cycles", "max_cycles"])
    .default("5"),
    AttributeRow::new(
        "done_condition",
        Applies::kinds(SUPERVISOR),
        AttrType::Condition,
        "Evaluated after each iteration; the loop ends when it is true.",
    )
    .aliases(&[
        "manager.stop_condition",
        "success_condition",
        "stop_condition",
        "stop_condition_key",
    ])
    .default(""),
    AttributeRow::new(
        "manager.poll_interval",
        Applies::kinds(SUPERVISOR),
        AttrType::Duration,
        "How often the supervisor looks at its sub-pipeline while that runs; 45 seconds when only `manager.actions` is set.",
    )
    .aliases(&["poll_interval"]),
    AttributeRow::new(
        "manager.actions",
        Applies::kinds(SUPERVISOR),
        AttrType::EnumList(&[
            EnumValue { name: "observe", doc: "Put the status report of the sub-pipeline into the context (`stack.child.report`)." },
            EnumValue { name: "steer", doc: "Send `manager.steering_message`, when it has changed, to the next prompt of the sub-pipeline." },
            EnumValue { name: "wait", doc: "Look again after each interval; without it, look once." },
        ]),
        "What the supervisor does when it looks at its sub-pipeline; `observe, wait` when only `manager.poll_interval` is set.",
    ),
    AttributeRow::new(
        "manager.steering_message",
        Applies::kinds(SUPERVISOR),
        AttrType::Template,
        "The message of `manager.actions=steer`; it can use `{stack.child.node}` and `{stack.child.report}`.",
    )
    .dialects(&["brynary"]),
    AttributeRow::new(
        "manager.steer_cooldown",
        Applies::kinds(SUPERVISOR),
        AttrType::Duration,
        "The least time between two steering messages; a message that comes earlier waits for a later look.",
    )
    .dialects(&["brynary"]),
    AttributeRow::new(
        "manager.steer_cooldown_ms",
        Applies::kinds(SUPERVISOR),
        AttrType::Int { min: 0 },
        "`manager.steer_cooldown` in milliseconds; that one wins.",
    )
    .dialects(&["attractor-pi-dev"]),
    AttributeRow::new(
        "stack.child_autostart",
        Applies::kinds(SUB).and_graph(),
        AttrType::Bool,
        "Start the sub-pipeline. A supervisor with `false` starts none and reads what others have written.",
    )
    .default("true"),
    AttributeRow::new(
        "stack.child_workdir",
        Applies::kinds(SUB),
        AttrType::Path { must_exist: false },
        "The working folder of the sub-pipeline.",
    ),
    AttributeRow::new(
        "inputs",
        Applies::kinds(SUB),
        AttrType::List,
        "Inputs of the sub-pipeline, separated by commas: `name=key` passes the value of `key`. The rest of the context is shared; keys set only for the sub-pipeline are restored when it ends.",
    ),
    AttributeRow::new(
        "duration",
        Applies::kinds(&[NodeKind::Wait]),
        AttrType::Duration,
        "How long to wait.",
    )
    .required()
    .example("duration=\"5m\""),
    AttributeRow::new(
        "loop_id",
        Applies::kinds(LOOP),
        AttrType::Text,
        "Pairs the two ends of a loop.",
    )
    .required(),
    AttributeRow::new(
        "loop_max",
        Applies::kinds(LOOP),
        AttrType::Int { min: 1 },
        "Maximum number of iterations.",
    )
    .aliases(&["loop_count"]),
    AttributeRow::new(
        "loop_until_file",
        Applies::kinds(LOOP),
        AttrType::Path { must_exist: false },
        "The loop ends when this file exists.",
    ),
    AttributeRow::new(
        "loop_until_file_contains",
        Applies::kinds(LOOP),
        AttrType::Text,
        "The loop ends when a file holds a text: `PATH:TEXT`.",
    ),
    AttributeRow::new(
        "loop_while_outcome",
        Applies::kinds(LOOP),
        AttrType::Text,
        "The loop continues while this is the last outcome.",
    ),
    AttributeRow::new(
        "pace_level",
        Applies::kinds(&[NodeKind::Escalate]),
        AttrType::Enum(
            &[
                EnumValue { name: "primary", doc: "The plan itself." },
                EnumValue { name: "alternate", doc: "The second plan." },
                EnumValue { name: "contingent", doc: "The plan for when both have failed." },
                EnumValue { name: "emergency", doc: "The last resort." },
            ],
            &["contingency"],
        ),
        "The level of the escalation.",
    )
    .default("contingent"),
    AttributeRow::new(
        "reason",
        Applies::kinds(&[NodeKind::Escalate]),
        AttrType::Template,
        "The reason, shown to the person who is notified.",
    ),
    AttributeRow::new(
        "name",
        Applies::kinds(&[NodeKind::Checkpoint]),
        AttrType::Text,
        "The name by which a run can be resumed. Defaults to the node's id.",
    ),
];
