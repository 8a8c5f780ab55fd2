//! Attributes of edges.

use super::super::attribute::{Applies, AttrType, AttributeRow};

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "condition",
        Applies::EDGE,
        AttrType::Condition,
        "Condition for taking the edge: `outcome=success`, `exit_code == 0 and approved`, `on_fail`. Edges with a true condition precede labelled and unconditional edges.",
    )
    .aliases(&["when", "guard"])
    .example("condition=\"outcome=fail\""),
    AttributeRow::new(
        "label",
        Applies::EDGE,
        AttrType::Text,
        "The caption, the choice a human gate offers, and the routing key a handler can name in \
`preferred_label`.",
    )
    .example("label=\"[A] Approve\""),
    AttributeRow::new(
        "priority",
        Applies::EDGE,
        AttrType::Int { min: i64::MIN },
        "Among edges that can be taken, the lowest is first.",
    )
    .default("0"),
    AttributeRow::new(
        "weight",
        Applies::EDGE,
        AttrType::Int { min: i64::MIN },
        "Among edges of the same priority, the highest is first.",
    )
    .default("0"),
    AttributeRow::new(
        "loop_restart",
        Applies::EDGE,
        AttrType::Bool,
        "Taking this edge starts the run over from its target, with a new context: the inputs of the run and \
`loop_restart_persist_keys` stay. In a branch or a sub-pipeline the context stays, and only results and retries are \
forgotten.",
    )
    .default("false"),
    AttributeRow::new(
        "freeform",
        Applies::EDGE,
        AttrType::Bool,
        "The edge for a free-text answer of a human gate, stored in `human.gate.text`.",
    )
    .default("false"),
];
