//! Attributes of nodes of every kind.

use super::super::attribute::{Applies, AttrType, AttributeRow};

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "handler",
        Applies::NODE,
        AttrType::Handler,
        "What the node does. Takes precedence over its shape.",
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
        "Classes for the stylesheet, separated by spaces or commas.",
    )
    .aliases(&["classes"]),
    AttributeRow::new(
        "start",
        Applies::NODE,
        AttrType::Bool,
        "The run starts here, regardless of shape and id.",
    ),
    AttributeRow::new(
        "terminal",
        Applies::NODE,
        AttrType::Bool,
        "The run ends here, after the node's own work.",
    ),
    AttributeRow::new(
        "timeout",
        Applies::NODE,
        AttrType::Duration,
        "The node fails when it takes longer; `0` means unlimited. Parallel nodes, supervisors, sub-pipelines and waits use only a timeout of their own, not one from defaults or a stylesheet.",
    )
    .aliases(&["timeout_seconds"])
    .example("timeout=\"15m\""),
    AttributeRow::new(
        "idempotent",
        Applies::NODE,
        AttrType::Bool,
        "Whether a resumed run may repeat an attempt that was running when the engine stopped. `true` repeats it, `false` asks first. By default it is repeated, with a notice for commands.",
    ),
    AttributeRow::new(
        "at_most_once",
        Applies::NODE,
        AttrType::Bool,
        "Not repeated when it is unknown whether it has run: a resumed run asks a person first, or fails without one.",
    ),
    AttributeRow::new(
        "must_write",
        Applies::NODE,
        AttrType::PathList,
        "Files that must exist after the node; otherwise it fails.",
    ),
    AttributeRow::new(
        "requires",
        Applies::NODE,
        AttrType::Keys,
        "Context keys that must be set before the node; otherwise it fails without running.",
    ),
    AttributeRow::new(
        "reads",
        Applies::NODE,
        AttrType::Keys,
        "Context keys the node reads. For documentation and data-flow lints.",
    )
    .aliases(&["inputs"]),
    AttributeRow::new(
        "writes",
        Applies::NODE,
        AttrType::Keys,
        "Context keys the node sets. For documentation and data-flow lints.",
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
        "Command run before each tool call of the agent, with the call as JSON on its standard input; a non-zero exit code refuses the call, and what the command wrote is the error that the model gets. On a tool node, command run before that of the node.",
    ),
    AttributeRow::new(
        "tool_hooks.post",
        Applies::NODE.and_graph(),
        AttrType::Command,
        "Command run after each tool call of the agent, with the call and its result as JSON on its standard input; its failure is recorded and changes nothing. On a tool node, command run after that of the node.",
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
