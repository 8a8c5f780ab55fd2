//! Which dialect a graph is written in, where the same word means different things.

use attractor_dot::graph::{Graph, Name, Node};

use crate::catalogue::NodeKind;
use crate::options::{Dialect, DialectChoice, Options};

/// A dialect and what gave it away.
pub(super) struct Recognised {
    pub(super) dialect: Dialect,
    pub(super) evidence: Option<String>,
}

/// Attributes only one family of engines reads.
const GIVEAWAYS: &[(&str, Dialect)] = &[
    ("child_graph", Dialect::Samueljklee),
    ("loop_id", Dialect::Kilroy),
    ("loop_restart_persist_keys", Dialect::Kilroy),
    ("provenance_version", Dialect::Kilroy),
    ("collect_browser_artifacts", Dialect::Kilroy),
    ("stack.child_workflow", Dialect::Fabro),
    ("script", Dialect::Fabro),
    ("acp.command", Dialect::Fabro),
    ("acp.config", Dialect::Fabro),
    ("subgraph_ref", Dialect::Tracker),
    ("parallel_targets", Dialect::Tracker),
];

/// Attributes that make a node a supervisor whatever its shape.
pub(super) const SUPERVISES: &[&str] = &[
    "sub_pipeline",
    "stack.child_dotfile",
    "stack.child_workflow",
    "stack.child_dot_source",
    "child_graph",
    "max_iterations",
    "done_condition",
    "success_condition",
];

/// Recognises the dialect of a graph; a comment or setting decides before any evidence.
pub(super) fn recognise(graph: &Graph, options: &Options, asked: Option<Dialect>) -> Recognised {
    if let Some(dialect) = asked {
        return Recognised {
            dialect,
            evidence: Some("a comment in the file".to_owned()),
        };
    }
    if let DialectChoice::Fixed(dialect) = options.dialect {
        return Recognised {
            dialect,
            evidence: Some("the project's configuration".to_owned()),
        };
    }
    for attribute in graph.list(graph.attributes) {
        if let Some((name, dialect)) = giveaway(graph.name_of(attribute)) {
            return found(dialect, format!("the attribute `{name}`"));
        }
    }
    let child_for_all = graph
        .list(graph.attributes)
        .iter()
        .any(|attribute| graph.name_of(attribute).starts_with("stack.child"));
    let mut labelled = None;
    let mut round = None;
    let giveaways = GIVEAWAYS.iter().map(|(name, _)| *name);
    let giveaways: Vec<Name> = giveaways.filter_map(|name| graph.name_for(name)).collect();
    let shape = graph.name_for("shape");
    for (index, node) in graph.nodes.iter().enumerate() {
        let given_away = giveaways.iter().find_map(|name| {
            let attribute = graph.find_by(node.attributes, *name)?;
            giveaway(graph.name_of(attribute))
        });
        if let Some((name, dialect)) = given_away {
            return found(dialect, format!("the attribute `{name}`"));
        }
        let shape = shape.and_then(|shape| graph.find_by(node.attributes, shape));
        match shape.map(|shape| graph.value_of(shape)) {
            Some("hexagon") if supervises(graph, node) => {
                return found(
                    Dialect::Samueljklee,
                    format!("`{}`, a hexagon that supervises", node.id),
                );
            }
            Some("house") if !child_for_all && asks_somebody(graph, node) => labelled = Some(index),
            Some("circle" | "doublecircle") => round = Some(index),
            _ => {}
        }
    }
    if let Some(node) = labelled.and_then(|index| graph.nodes.get(index)) {
        return found(
            Dialect::Samueljklee,
            format!("`{}`, a house without a pipeline to run", node.id),
        );
    }
    if let Some(node) = round.and_then(|index| graph.nodes.get(index))
        && !has_ends(graph)
    {
        return found(
            Dialect::Kilroy,
            format!("`{}`, a circle where a run begins or ends", node.id),
        );
    }
    Recognised {
        dialect: Dialect::Attractor,
        evidence: None,
    }
}

fn found(dialect: Dialect, evidence: String) -> Recognised {
    Recognised {
        dialect,
        evidence: Some(evidence),
    }
}

fn giveaway(name: &str) -> Option<(&'static str, Dialect)> {
    GIVEAWAYS.iter().copied().find(|(own, _)| *own == name)
}

fn supervises(graph: &Graph, node: &Node) -> bool {
    graph.list(node.attributes).iter().any(|attribute| {
        let name = graph.name_of(attribute);
        SUPERVISES.contains(&name.as_str()) || name.starts_with("manager.")
    })
}

/// A label or prompt and nothing that supervises or names a kind.
fn asks_somebody(graph: &Graph, node: &Node) -> bool {
    let mut speaks = false;
    for attribute in graph.list(node.attributes) {
        match graph.name_of(attribute).as_str() {
            "handler" | "type" | "node_type" | "pipeline" | "dot_file" | "graph_ref"
            | "subgraph_ref" => {
                return false;
            }
            "label" | "prompt" | "question" => speaks = true,
            _ => {}
        }
    }
    speaks && !supervises(graph, node)
}

/// Whether the graph has a start or exit in the common shapes or by an attribute or name.
fn has_ends(graph: &Graph) -> bool {
    graph.nodes.iter().any(|node| {
        node.id.eq_ignore_ascii_case("start")
            || graph.list(node.attributes).iter().any(|attribute| {
                matches!(
                    (graph.name_of(attribute).as_str(), graph.value_of(attribute)),
                    ("shape", "Mdiamond" | "Msquare") | ("start", _)
                )
            })
    })
}

/// Shapes a dialect reads in its own way.
const OWN_SHAPES: &[(Dialect, &str, NodeKind)] = &[
    (Dialect::Samueljklee, "hexagon", NodeKind::Supervisor),
    (Dialect::Samueljklee, "house", NodeKind::HumanGate),
    (Dialect::Tracker, "tab", NodeKind::Pipeline),
    (Dialect::Kilroy, "circle", NodeKind::Start),
    (Dialect::Kilroy, "doublecircle", NodeKind::Exit),
];

/// The kind a shape chooses in a dialect.
pub fn kind_of_shape(dialect: Dialect, shape: &str) -> Option<NodeKind> {
    let mut own = OWN_SHAPES.iter();
    own.find(|(by, own, _)| *by == dialect && *own == shape)
        .map(|(_, _, kind)| *kind)
        .or_else(|| NodeKind::from_shape(shape))
}

/// The shape to draw a kind with in a dialect; none for custom handlers.
pub fn shape_of(dialect: Dialect, kind: NodeKind) -> Option<&'static str> {
    if kind == NodeKind::Codergen {
        return Some("box");
    }
    let own = OWN_SHAPES.iter().map(|(_, shape, _)| *shape);
    let mut shapes = kind.row()?.shapes.iter().copied().chain(own);
    shapes.find(|shape| kind_of_shape(dialect, shape) == Some(kind))
}
