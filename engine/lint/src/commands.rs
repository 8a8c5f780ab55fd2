//! The commands of a pipeline, for the lints about shells.

use crate::LintContext;
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
