//! Attributes of edges.

use super::super::attribute::{Applies, AttrType, AttributeRow};

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "condition",
        Applies::EDGE,
        AttrType::Condition,
        "When the edge may be taken: `outcome=success`, `exit_code == 0 and approved`, `on_fail`. True \
conditions go before labels and edges without condition.",
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
        "Among edges that could be taken, the lowest goes first.",
    )
    .default("0"),
    AttributeRow::new(
        "weight",
        Applies::EDGE,
        AttrType::Int { min: i64::MIN },
        "Among edges of the same priority, the highest goes first.",
    )
    .default("0"),
    AttributeRow::new(
        "loop_restart",
        Applies::EDGE,
        AttrType::Bool,
        "Taking this edge starts the run over from its target, with a fresh context: what the run was given and \
`loop_restart_persist_keys` stay. In a branch or a sub-pipeline the context stays, and only results and retries are \
forgotten.",
    )
    .default("false"),
    AttributeRow::new(
        "freeform",
        Applies::EDGE,
        AttrType::Bool,
        "A human gate's way out that takes free text, kept in `human.gate.text`.",
    )
    .default("false"),
];
