//! Attributes of tools.

use super::super::attribute::{Applies, AttrType, AttributeRow, EnumValue};
use super::super::node_kinds::NodeKind;

/// A start node with a command of its own runs it, so it may carry what a tool carries.
const TOOL: &[NodeKind] = &[NodeKind::Tool, NodeKind::Start, NodeKind::Exit];

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "command",
        Applies::kinds(&[NodeKind::Tool]),
        AttrType::Command,
        "The shell command. Values inserted by `{key}` are quoted, so the shell does not parse them as code; what the command itself gives to another interpreter, a file or arithmetic may still be run.",
    )
    .aliases(&["tool_command", "script"])
    .required()
    .example("command=\"cargo test 2>&1\""),
    AttributeRow::new(
        "command",
        Applies::kinds(&[NodeKind::Start, NodeKind::Exit]),
        AttrType::Command,
        "A shell command the node runs first.",
    )
    .aliases(&["tool_command", "script"]),
    AttributeRow::new(
        "timeout",
        Applies::kinds(&[NodeKind::Tool]),
        AttrType::Duration,
        "Time limit of the command and the processes it starts; `0` means unlimited.",
    )
    .aliases(&["timeout_seconds"])
    .default("300s")
    .example("timeout=\"15m\""),
    AttributeRow::new(
        "env.*",
        Applies::kinds(TOOL),
        AttrType::Template,
        "Sets the environment variable of that name.",
    )
    .example("env.RUST_BACKTRACE=1"),
    AttributeRow::new(
        "tool_env",
        Applies::kinds(TOOL),
        AttrType::Text,
        "Environment variables as `NAME=value` pairs.",
    )
    .dialects(&["amplifier"]),
    AttributeRow::new(
        "shell",
        Applies::kinds(TOOL),
        AttrType::Text,
        "The shell that runs the command.",
    )
    .default("sh"),
    AttributeRow::new(
        "stdin",
        Applies::kinds(TOOL),
        AttrType::Template,
        "What the command reads from its standard input.",
    ),
    AttributeRow::new(
        "stdin_source",
        Applies::kinds(TOOL),
        AttrType::Key,
        "The context key whose value the command reads from its standard input.",
    ),
    AttributeRow::new(
        "language",
        Applies::kinds(TOOL),
        AttrType::Enum(
            &[
                EnumValue {
                    name: "shell",
                    doc: "A shell command.",
                },
                EnumValue {
                    name: "python",
                    doc: "A Python program.",
                },
            ],
            &["bash", "sh"],
        ),
        "The language of the command.",
    )
    .default("shell"),
    AttributeRow::new(
        "pre_hook",
        Applies::kinds(TOOL),
        AttrType::Command,
        "Command that runs before the main command.",
    ),
    AttributeRow::new(
        "post_hook",
        Applies::kinds(TOOL),
        AttrType::Command,
        "Command that runs after the main command.",
    ),
];
