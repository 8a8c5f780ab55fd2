//! What a graph means: its nodes, edges and subgraphs with their attributes, as Graphviz builds them.
//!
//! [`resolve`] follows Graphviz' own library: nodes in order of creation, edges of `{a b} -> {c d}`
//! as a product, defaults of the scope a node or edge was created in, `strict` merging, a subgraph
//! of the same name in the same parent reopened. It never looks at what an attribute means.
//!
//! ```
//! let text = "digraph { node [shape=box] a -> {b c} }";
//! let parse = attractor_dot::parse(text);
//! let graph = attractor_dot::graph::resolve(&parse.file.graphs[0], text);
//! assert_eq!(graph.edges.len(), 2);
//! assert_eq!(graph.nodes[0].attribute("shape").unwrap().value, "box");
//! ```

mod defaults;
mod edges;
mod known;
mod links;
mod names;
mod resolve;
mod scope;

pub use names::NameSet;
pub use resolve::{Reading, resolve, resolve_as};

use smol_str::SmolStr;

use crate::TextRange;
use crate::ast;

/// One graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where the name stands.
    pub name_range: Option<TextRange>,
    /// The whole graph.
    pub range: TextRange,
    /// The word `digraph` or `graph`.
    pub keyword: TextRange,
    /// Whether it is a digraph.
    pub directed: bool,
    /// Whether it is strict: no two edges between the same nodes.
    pub strict: bool,
    /// Its own attributes, one per name.
    pub attributes: Vec<Attribute>,
    /// Its nodes in order of creation, those of subgraphs too.
    pub nodes: Vec<Node>,
    /// Its edges in order of creation.
    pub edges: Vec<Edge>,
    /// Its subgraphs at any depth, in order of creation: a parent precedes its children.
    pub subgraphs: Vec<Subgraph>,
    /// How many inherited attributes and edges of products were left out: a short text can ask for
    /// billions of them, so only a million, and one more for each byte of text, are built.
    pub omitted: usize,
}

/// A value given to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name, decoded.
    pub name: SmolStr,
    /// The value, decoded.
    pub value: SmolStr,
    /// Whether the value is an HTML string.
    pub html: bool,
    /// Where the name stands.
    pub key_range: TextRange,
    /// Where the value stands, as written.
    pub value_range: TextRange,
    /// The value as an identifier of the tree.
    pub value_id: ast::Id,
    /// Whether it comes from `node [..]`, `edge [..]` or, for a subgraph, the graph around it.
    pub inherited: bool,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name, decoded.
    pub id: SmolStr,
    /// Its attributes, one per name, defaults included.
    pub attributes: Vec<Attribute>,
    /// The names of its attributes.
    pub(crate) names: NameSet,
    /// Every place that names it, in order; never empty.
    pub mentions: Vec<Mention>,
    /// The subgraph it was created in, as an index into [`Graph::subgraphs`].
    pub subgraph: Option<usize>,
}

/// A place that names a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name, as written.
    pub range: TextRange,
    /// The statement it is part of.
    pub statement: TextRange,
    /// What it does there.
    pub role: Role,
}

/// What a mention does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// `a [..]` or `a` at the graph's own level, or with attributes in a subgraph.
    Declaration,
    /// An end of an edge.
    EdgeEnd,
    /// `a` without attributes inside a subgraph.
    SubgraphMember,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the node on the left of the operator.
    pub from: usize,
    /// Index of the node on its right.
    pub to: usize,
    /// Port of the left node, `name` or `name:compass`.
    pub from_port: Option<String>,
    /// Port of the right node.
    pub to_port: Option<String>,
    /// The statement that created it.
    pub range: TextRange,
    /// The left end as written; for a subgraph, all of it.
    pub from_range: TextRange,
    /// The right end as written.
    pub to_range: TextRange,
    /// The `->` or `--`.
    pub operator: TextRange,
    /// Its attributes, one per name, defaults included. `key` is among them.
    pub attributes: Vec<Attribute>,
    /// The subgraph it was created in, as an index into [`Graph::subgraphs`].
    pub subgraph: Option<usize>,
}

/// A subgraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subgraph {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where the name stands first.
    pub name_range: Option<TextRange>,
    /// Where it is first opened.
    pub range: TextRange,
    /// The subgraph around it.
    pub parent: Option<usize>,
    /// Its attributes, one per name; those of the graphs around it, set before it was opened, are inherited.
    pub attributes: Vec<Attribute>,
    /// Its nodes as indices into [`Graph::nodes`], ascending, those of subgraphs in it too.
    pub nodes: Vec<usize>,
}

/// Finds an attribute by its name.
fn find<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name == name)
}

impl Graph {
    /// Its own attribute `name`.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        find(&self.attributes, name)
    }
}

impl Node {
    /// Its attribute `name`.
    #[inline]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        if self.names.may_have(name) {
            find(&self.attributes, name)
        } else {
            None
        }
    }
}

impl Edge {
    /// Its attribute `name`.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        find(&self.attributes, name)
    }
}

impl Subgraph {
    /// Its attribute `name`.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        find(&self.attributes, name)
    }
}
