//! Attributes of nodes of every kind.

use super::super::attribute::{Applies, AttrType, AttributeRow};

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "handler",
        Applies::NODE,
        AttrType::Handler,
        "What the node does. Wins over its shape.",
    )
    .aliases(&["type", "node_type"])
    .example("handler=tool"),
    AttributeRow::new(
        "label",
        Applies::NODE.and_graph().and_subgraph(),
        AttrType::Text,
        "Display name; without one, the id. The label of a subgraph gives its nodes a class.",
    ),
    AttributeRow::new(
        "shape",
        Applies::NODE,
        AttrType::Shape,
        "Shape of the drawing; some shapes choose what the node does (`hexagon` asks a person, \
`parallelogram` runs a command, …).",
    ),
    AttributeRow::new(
        "class",
        Applies::NODE.and_subgraph(),
        AttrType::Classes,
        "Classes for the stylesheet, by blank or comma.",
    )
    .aliases(&["classes"]),
    AttributeRow::new(
        "start",
        Applies::NODE,
        AttrType::Bool,
        "A run begins here, whatever the shape or id.",
    ),
    AttributeRow::new(
        "terminal",
        Applies::NODE,
        AttrType::Bool,
        "A run ends here, after the node's own work.",
    ),
    AttributeRow::new(
        "timeout",
        Applies::NODE,
        AttrType::Duration,
        "The node fails when it takes longer; `0` means unlimited. Of a parallel node, a supervisor, a sub-pipeline and \
a wait only a timeout of their own counts, not one that defaults or a stylesheet give to all nodes.",
    )
    .aliases(&["timeout_seconds"])
    .example("timeout=\"15m\""),
    AttributeRow::new(
        "idempotent",
        Applies::NODE,
        AttrType::Bool,
        "Whether a resumed run may repeat an attempt that had begun when the engine stopped. `true` repeats it, `false` asks first. Without it the attempt is repeated too, and for a command the run says so.",
    ),
    AttributeRow::new(
        "at_most_once",
        Applies::NODE,
        AttrType::Bool,
        "Never repeated when it is unknown whether it ran: a resumed run asks first, or fails when there is nobody to ask.",
    ),
    AttributeRow::new(
        "must_write",
        Applies::NODE,
        AttrType::PathList,
        "Files that must exist afterwards, else the node has failed.",
    ),
    AttributeRow::new(
        "requires",
        Applies::NODE,
        AttrType::Keys,
        "Context keys that must be set before; the node fails at once when one is missing.",
    ),
    AttributeRow::new(
        "reads",
        Applies::NODE,
        AttrType::Keys,
        "Context keys the node reads. Documentation, and help for the data-flow checks.",
    )
    .aliases(&["inputs"]),
    AttributeRow::new(
        "writes",
        Applies::NODE,
        AttrType::Keys,
        "Context keys the node sets. Documentation, and help for the data-flow checks.",
    )
    .aliases(&["outputs"]),
    AttributeRow::new(
        "description",
        Applies::NODE.and_edge().and_graph().and_subgraph(),
        AttrType::Text,
        "A note for readers.",
    )
    .aliases(&["comment"]),
    AttributeRow::new(
        "tool_hooks.pre",
        Applies::NODE.and_graph(),
        AttrType::Command,
        "Command run before each tool call of the agent; a non-zero exit code forbids the call.",
    ),
    AttributeRow::new(
        "tool_hooks.post",
        Applies::NODE.and_graph(),
        AttrType::Command,
        "Command run after each tool call of the agent.",
    ),
    AttributeRow::new(
        "var.*",
        Applies::NODE,
        AttrType::Template,
        "Sets the variable of that name on entry; for a sub-pipeline, an argument.",
    )
    .example("var.branch=\"release\""),
    AttributeRow::new(
        "context.*",
        Applies::NODE,
        AttrType::Template,
        "Sets the context key of that name on entry.",
    )
    .example("context.mode=fast"),
];
