//! The commands of a pipeline, for the lints about shells.

use crate::LintContext;
use attractor_dot::Edit;
use attractor_model::Attribute;
use attractor_model::Node;

/// The attributes that hold commands; `command` may be Python, hooks are for the shell.
const NAMES: [&str; 3] = ["command", "pre_hook", "post_hook"];

/// The shell commands of a pipeline: tools' own and hooks.
pub(crate) fn commands<'s>(
    ctx: &'s LintContext<'_>,
) -> impl Iterator<Item = (&'s Node, Attribute<'s>)> {
    written(ctx)
        .filter(|(node, attribute)| attribute.name() != "command" || !is_python(node))
        .filter(|(_, attribute)| attribute.is_own() && !attribute.value().starts_with('@'))
}

fn written<'s>(ctx: &'s LintContext<'_>) -> impl Iterator<Item = (&'s Node, Attribute<'s>)> {
    let nodes = ctx.nodes_with_any(NAMES);
    nodes.flat_map(|(_, node)| {
        NAMES
            .into_iter()
            .filter_map(move |name| Some((node, node.attributes.get(name)?)))
    })
}

pub(crate) fn is_python(node: &Node) -> bool {
    let language = node.attributes.get("language");
    language.is_some_and(|language| language.value().trim().eq_ignore_ascii_case("python"))
}

/// The shell that runs the commands of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShellKind {
    /// `sh` and what is often installed under that name: the options of POSIX only.
    Sh,
    /// One that knows the options of bash.
    Bash,
    /// A shell of its own syntax, or a program that is not a shell.
    Other,
}

impl ShellKind {
    /// That of a node; `sh` without the attribute `shell`.
    pub(crate) fn of(node: &Node) -> Self {
        let shell = node.attributes.text("shell").unwrap_or("sh");
        let program = shell.split_whitespace().next().unwrap_or("sh");
        let name = program.rsplit('/').next().unwrap_or(program);
        match name {
            "sh" | "dash" | "ash" => Self::Sh,
            "bash" | "zsh" | "ksh" | "mksh" => Self::Bash,
            _ => Self::Other,
        }
    }
}

/// Makes bash the shell of a node; `None` where the node has no statement of its own, or its command comes from
/// defaults.
pub(crate) fn set_bash(ctx: &LintContext<'_>, node: &Node, command: Attribute<'_>) -> Option<Edit> {
    if !node.declared || !command.is_own() {
        return None;
    }
    let edits = ctx.edits();
    let own = node.attributes.get("shell").filter(|shell| shell.is_own());
    match own {
        Some(shell) => Some(edits.replace_value(shell.value_range()?, "bash")),
        None => Some(edits.add_attribute(node.statement, "shell", "bash")),
    }
}
