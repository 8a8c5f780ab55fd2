//! What a node does: the first of handler, type, start and exit marks, own shape, what it carries, a shape
//! from defaults; else the coding agent.

use attractor_dot::graph::{Attribute, Node};

use super::dialect::kind_of_shape;
use super::ends::Ends;
use crate::catalogue::NodeKind;
use crate::options::{Dialect, Options};

/// A resolved kind.
pub(super) struct Kind {
    pub(super) kind: NodeKind,
    /// The handler's name when the kind is [`NodeKind::Custom`].
    pub(super) custom: Option<String>,
}

/// Resolves the kind of a node.
pub(super) fn resolve(node: &Node, ends: Ends, dialect: Dialect, options: &Options) -> Kind {
    let explicit = explicit(node);
    let by_name = explicit.and_then(|attribute| handler(&attribute.value, options));
    let named_end = match (by_name, explicit) {
        (Some(Kind { kind, .. }), _) if matches!(kind, NodeKind::Start | NodeKind::Exit) => {
            Some(kind)
        }
        (Some(kind), _) => return kind,
        (None, Some(attribute)) => return unknown(attribute),
        (None, None) => None,
    };
    let shape = node.attribute("shape");
    let own_shape = shape
        .filter(|attribute| !attribute.inherited)
        .and_then(|attribute| kind_of_shape(dialect, &attribute.value))
        .map(|kind| match kind {
            // Some engines draw the agent's tool work so: there is nothing to run but a prompt to follow.
            NodeKind::Tool if carries(node).is_none() => prompted(node).unwrap_or(kind),
            kind => kind,
        });
    let end = named_end.or(ends.kind());
    let works = own_shape.filter(|kind| !matches!(kind, NodeKind::Start | NodeKind::Exit));
    let inherited = || {
        shape
            .filter(|attribute| attribute.inherited)
            .and_then(|attribute| kind_of_shape(dialect, &attribute.value))
    };
    let kind = match end {
        Some(end) => works
            .or_else(|| carries(node))
            .or_else(|| prompted(node))
            .unwrap_or(end),
        None => own_shape
            .or_else(|| carries(node))
            .or_else(inherited)
            .unwrap_or(NodeKind::Codergen),
    };
    Kind { kind, custom: None }
}

/// The attribute that names the handler: `handler` before `type` before `node_type`.
pub(crate) fn explicit(node: &Node) -> Option<&Attribute> {
    ["handler", "type", "node_type"]
        .iter()
        .find_map(|name| node.attribute(name))
        .filter(|attribute| !attribute.value.trim().is_empty())
}

/// An unknown handler stops the run there; the lint says so and the node keeps the name.
fn unknown(attribute: &Attribute) -> Kind {
    Kind {
        kind: NodeKind::Custom,
        custom: Some(attribute.value.to_string()),
    }
}

fn handler(name: &str, options: &Options) -> Option<Kind> {
    let name = name.trim();
    if let Some(kind) = NodeKind::from_name(name) {
        return Some(Kind { kind, custom: None });
    }
    options
        .custom_handlers
        .iter()
        .any(|handler| handler.name == name)
        .then(|| Kind {
            kind: NodeKind::Custom,
            custom: Some(name.to_owned()),
        })
}

/// The names of a list of branches.
const BRANCHES: [&str; 2] = ["branches", "parallel_targets"];

/// Whether a node names its branches, so that it leads on without edges.
pub(super) fn branches(node: &Node) -> bool {
    BRANCHES.iter().any(|name| node.attribute(name).is_some())
}

/// The kind that what a node carries itself speaks for.
fn carries(node: &Node) -> Option<NodeKind> {
    let own = |name: &str| {
        node.attribute(name)
            .is_some_and(|attribute| !attribute.inherited && !attribute.value.is_empty())
    };
    if ["command", "tool_command", "script"].into_iter().any(own) {
        Some(NodeKind::Tool)
    } else if BRANCHES.into_iter().any(own) {
        Some(NodeKind::Parallel)
    } else if ["graph_ref", "subgraph_ref", "dot_file", "import"]
        .into_iter()
        .any(own)
    {
        Some(NodeKind::Pipeline)
    } else if [
        "sub_pipeline",
        "stack.child_dotfile",
        "stack.child_workflow",
        "stack.child_dot_source",
        "child_graph",
    ]
    .into_iter()
    .any(own)
    {
        Some(NodeKind::Supervisor)
    } else if own("duration") && prompted(node).is_none() {
        Some(NodeKind::Wait)
    } else {
        None
    }
}

/// A start or exit with a prompt of its own runs it.
fn prompted(node: &Node) -> Option<NodeKind> {
    ["prompt", "llm_prompt", "prompt_file"]
        .iter()
        .filter_map(|name| node.attribute(name))
        .any(|attribute| !attribute.inherited && !attribute.value.trim().is_empty())
        .then_some(NodeKind::Codergen)
}
