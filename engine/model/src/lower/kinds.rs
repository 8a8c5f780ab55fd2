//! What a node does: the first of handler, type, start and exit marks, own shape, what it carries, a shape
//! from defaults; else the coding agent.

use attractor_dot::graph::{Attribute, Graph, Node};

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
pub(super) fn resolve(
    graph: &Graph,
    node: &Node,
    ends: Ends,
    (dialect, options): (Dialect, &Options),
) -> Kind {
    let explicit = explicit(graph, node);
    let by_name = explicit.and_then(|name| handler(name, options));
    let named_end = match (by_name, explicit) {
        (Some(Kind { kind, .. }), _) if matches!(kind, NodeKind::Start | NodeKind::Exit) => {
            Some(kind)
        }
        (Some(kind), _) => return kind,
        (None, Some(name)) => return unknown(name),
        (None, None) => None,
    };
    let shape = graph.find(node.attributes, "shape");
    let of_shape = |shape: &Attribute| kind_of_shape(dialect, graph.value_of(shape));
    let own_shape = shape
        .filter(|attribute| !attribute.inherited)
        .and_then(of_shape)
        .map(|kind| match kind {
            // Some engines draw the agent's tool work so: there is nothing to run but a prompt to follow.
            NodeKind::Tool if carries(graph, node).is_none() => {
                prompted(graph, node).unwrap_or(kind)
            }
            kind => kind,
        });
    let end = named_end.or(ends.kind());
    let works = own_shape.filter(|kind| !matches!(kind, NodeKind::Start | NodeKind::Exit));
    let inherited = || {
        shape
            .filter(|attribute| attribute.inherited)
            .and_then(of_shape)
    };
    let kind = match end {
        Some(end) => works
            .or_else(|| carries(graph, node))
            .or_else(|| prompted(graph, node))
            .unwrap_or(end),
        None => own_shape
            .or_else(|| carries(graph, node))
            .or_else(inherited)
            .unwrap_or(NodeKind::Codergen),
    };
    Kind { kind, custom: None }
}

/// The attribute that names the handler: `handler` before `type` before `node_type`.
pub(crate) fn explicit<'g>(graph: &'g Graph, node: &Node) -> Option<&'g str> {
    ["handler", "type", "node_type"]
        .iter()
        .find_map(|name| graph.value(node.attributes, name))
        .filter(|value| !value.trim().is_empty())
}

/// An unknown handler stops the run there; the lint says so and the node keeps the name.
fn unknown(name: &str) -> Kind {
    Kind {
        kind: NodeKind::Custom,
        custom: Some(name.to_owned()),
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
pub(super) fn branches(graph: &Graph, node: &Node) -> bool {
    let mut names = BRANCHES.iter();
    names.any(|name| graph.find(node.attributes, name).is_some())
}

/// The kind that what a node carries itself speaks for.
fn carries(graph: &Graph, node: &Node) -> Option<NodeKind> {
    let own = |name: &str| {
        graph
            .find(node.attributes, name)
            .is_some_and(|found| !found.inherited && !graph.value_of(found).is_empty())
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
    } else if own("duration") && prompted(graph, node).is_none() {
        Some(NodeKind::Wait)
    } else {
        None
    }
}

/// A start or exit with a prompt of its own runs it.
fn prompted(graph: &Graph, node: &Node) -> Option<NodeKind> {
    ["prompt", "llm_prompt", "prompt_file"]
        .iter()
        .filter_map(|name| graph.find(node.attributes, name))
        .any(|found| !found.inherited && !graph.value_of(found).trim().is_empty())
        .then_some(NodeKind::Codergen)
}
