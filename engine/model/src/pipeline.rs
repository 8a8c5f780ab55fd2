//! A pipeline: what the validator checks, the editor explains and the executor runs.
//!
//! Owned, immutable, `Send + Sync`; nodes and edges are named by index newtypes and looked up through total
//! accessors. It has the range of every part in its file and never opens one.
//!
//! ```
//! use attractor_model::Pipeline;
//! let pipelines =
//!     Pipeline::from_text("digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> a -> e; a [prompt=hi] }");
//! let pipeline = &pipelines[0];
//! let start = pipeline.start.unwrap();
//! assert_eq!(&*pipeline.node(start).unwrap().id, "s");
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_dot::TextRange;
use smol_str::SmolStr;

use crate::attributes::{Attribute, Attributes, Rivals};
use crate::catalogue::NodeKind;
use crate::groups::Groups;
use crate::options::Dialect;
use attractor_lang::condition::Condition;

/// A node of a pipeline, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIx(pub u32);

/// An edge of a pipeline, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeIx(pub u32);

impl NodeIx {
    /// The position in [`Pipeline::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The index of a position.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

impl EdgeIx {
    /// The position in [`Pipeline::edges`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The index of a position.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// One pipeline of a file.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The graph's name, or the file's stem when it has none.
    pub name: String,
    /// The whole graph.
    pub range: TextRange,
    /// Its name, or the keyword when it has none.
    pub name_range: TextRange,
    /// The dialect it is read in.
    pub dialect: Dialect,
    /// What gave the dialect away: an attribute or a comment.
    pub dialect_evidence: Option<String>,
    /// The context keys that handlers of the configuration declare in `sets`, by the handler's name.
    pub handler_keys: BTreeMap<String, Vec<String>>,
    /// Attributes of the graph.
    pub attributes: Attributes,
    /// Nodes in the order of their first mention.
    pub nodes: Vec<Node>,
    /// Edges in the order written.
    pub edges: Vec<Edge>,
    /// Where a run begins; `None` when it is missing or ambiguous.
    pub start: Option<NodeIx>,
    /// Values lost to another name of the same attribute.
    pub rivals: Rivals,
    pub(crate) outgoing: Adjacency,
    pub(crate) incoming: Adjacency,
}

/// The edges at one end of each node, and the nodes they run to.
#[derive(Clone, Debug)]
pub(crate) struct Adjacency {
    pub(crate) edges: Groups<EdgeIx>,
    /// In the same order.
    pub(crate) nodes: Groups<NodeIx>,
}

/// A node.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent facts, each read alone"
)]
pub struct Node {
    /// Its id, decoded.
    pub id: SmolStr,
    /// What it does.
    pub kind: NodeKind,
    /// The handler's name when [`Node::kind`] is [`NodeKind::Custom`].
    pub custom_handler: Option<Box<str>>,
    /// Resolved attributes.
    pub attributes: Attributes,
    /// The number of its list of classes.
    pub class_list: u32,
    /// A run begins here.
    pub start: bool,
    /// A run ends here, after the node's own work.
    pub terminal: bool,
    /// No edge leaves it, and nothing else makes it terminal.
    pub implicit_terminal: bool,
    /// The id where the node is declared, else where it is first mentioned.
    pub range: TextRange,
    /// The statement around it.
    pub statement: TextRange,
    /// Whether a node statement declares it (not just an edge that names it).
    pub declared: bool,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it comes from.
    pub from: NodeIx,
    /// Where it leads.
    pub to: NodeIx,
    /// When it may be taken; `None` is always. A condition that could not be read is `None` here and an error
    /// in the diagnostics.
    pub condition: Option<Arc<Condition>>,
    /// Lower goes first.
    pub priority: i64,
    /// Among equal priorities, higher goes first.
    pub weight: i64,
    /// A human gate's way out that takes free text.
    pub freeform: bool,
    /// Taking it starts the run over from its target with a fresh context.
    pub loop_restart: bool,
    /// Resolved attributes.
    pub attributes: Attributes,
    /// The whole statement.
    pub statement: TextRange,
    /// The target's id in this statement.
    pub to_range: TextRange,
    /// The source's id in this statement.
    pub from_range: TextRange,
}

impl Node {
    /// The name of its handler: of its kind, or the one that [`NodeKind::Custom`] represents.
    pub fn handler(&self) -> &str {
        let custom = self.custom_handler.as_deref();
        custom.unwrap_or_else(|| self.kind.name())
    }

    /// Its classes: from `class` and from the labels of subgraphs around it.
    pub fn classes(&self) -> &[SmolStr] {
        self.attributes.classes(self.class_list)
    }

    /// Its display name: the label, or the id, which is also what Graphviz means by `\N`.
    pub fn label(&self) -> &str {
        let label = self.attributes.get("label").map_or("", Attribute::value);
        if label.is_empty() || label == "\\N" {
            &self.id
        } else {
            label
        }
    }
}

impl Edge {
    /// Its label, also the routing key.
    pub fn label(&self) -> Option<&str> {
        self.non_empty("label")
    }

    /// Whether it has a condition, also one that could not be read.
    pub fn is_conditional(&self) -> bool {
        self.condition.is_some() || self.condition_text().is_some()
    }

    /// Its condition as written, decoded.
    pub fn condition_text(&self) -> Option<&str> {
        self.non_empty("condition")
    }

    /// The value of an attribute, if it is not blank.
    fn non_empty(&self, name: &str) -> Option<&str> {
        let value = self.attributes.get(name)?.value();
        Some(value).filter(|value| !value.trim().is_empty())
    }

    /// Its part of the statement: from its source to its target.
    pub fn range(&self) -> TextRange {
        self.from_range.cover(self.to_range)
    }
}

impl Pipeline {
    /// The node at a position.
    pub fn node(&self, ix: NodeIx) -> Option<&Node> {
        self.nodes.get(ix.index())
    }

    /// The edge at a position.
    pub fn edge(&self, ix: EdgeIx) -> Option<&Edge> {
        self.edges.get(ix.index())
    }

    /// The position of the node of that id.
    pub fn by_id(&self, id: &str) -> Option<NodeIx> {
        // Nodes stand at the positions they have in the graph.
        self.attributes.graph().node(id).map(NodeIx::new)
    }

    /// The node of that id.
    pub fn node_by_id(&self, id: &str) -> Option<&Node> {
        self.node(self.by_id(id)?)
    }

    /// The id of a node; empty for a position of another pipeline.
    pub fn id(&self, ix: NodeIx) -> &str {
        self.node(ix).map_or("", |node| &node.id)
    }

    /// Edges that leave a node, in routing order: [`precedence`](crate::precedence::precedence) of the condition, priority
    /// ascending, weight descending, target id ascending.
    pub fn outgoing(&self, ix: NodeIx) -> &[EdgeIx] {
        self.outgoing.edges.of(ix.index())
    }

    /// Edges that lead to a node, in the order written.
    pub fn incoming(&self, ix: NodeIx) -> &[EdgeIx] {
        self.incoming.edges.of(ix.index())
    }

    /// Every node with its position.
    pub fn indexed_nodes(&self) -> impl Iterator<Item = (NodeIx, &Node)> {
        self.nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (NodeIx::new(index), node))
    }

    /// Every edge with its position.
    pub fn indexed_edges(&self) -> impl Iterator<Item = (EdgeIx, &Edge)> {
        self.edges
            .iter()
            .enumerate()
            .map(|(index, edge)| (EdgeIx::new(index), edge))
    }

    /// The nodes a node leads to, in routing order, once per edge.
    pub fn successors(&self, ix: NodeIx) -> std::iter::Copied<std::slice::Iter<'_, NodeIx>> {
        self.outgoing.nodes.of(ix.index()).iter().copied()
    }

    /// The nodes that lead to a node, once per edge.
    pub fn predecessors(&self, ix: NodeIx) -> std::iter::Copied<std::slice::Iter<'_, NodeIx>> {
        self.incoming.nodes.of(ix.index()).iter().copied()
    }
}
