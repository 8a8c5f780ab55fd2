//! The commands of a pipeline, for the lints about shells.

use super::Subject;
use crate::attributes::Attribute;
use crate::pipeline::{Node, NodeIx};

/// The attributes that hold commands; `command` may be Python, hooks are for the shell.
const NAMES: [&str; 3] = ["command", "pre_hook", "post_hook"];

/// The shell commands of a pipeline: tools' own and hooks.
pub(super) fn commands<'s>(
    subject: &'s Subject<'_>,
) -> impl Iterator<Item = (&'s Node, Attribute<'s>)> {
    written(subject)
        .filter(|(node, attribute)| attribute.name() != "command" || !is_python(node))
        .filter(|(_, attribute)| attribute.is_own() && !attribute.value().starts_with('@'))
}

/// The Python programs of a pipeline that stand in it.
pub(super) fn programs<'s>(
    subject: &'s Subject<'_>,
) -> impl Iterator<Item = (NodeIx, &'s Node, Attribute<'s>)> {
    let nodes = subject.nodes_with_any(["language"]);
    nodes
        .filter(|(_, node)| is_python(node))
        .filter_map(|(at, node)| Some((at, node, node.attributes.get("command")?)))
        .filter(|(_, _, attribute)| !attribute.value().starts_with('@'))
}

fn written<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = (&'s Node, Attribute<'s>)> {
    let nodes = subject.nodes_with_any(NAMES);
    nodes.flat_map(|(_, node)| {
        NAMES
            .into_iter()
            .filter_map(move |name| Some((node, node.attributes.get(name)?)))
    })
}

fn is_python(node: &Node) -> bool {
    let language = node.attributes.get("language");
    language.is_some_and(|language| language.value().trim().eq_ignore_ascii_case("python"))
}
