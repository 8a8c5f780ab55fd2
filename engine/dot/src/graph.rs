//! What a graph means: its nodes, edges and subgraphs with their attributes, as Graphviz builds them.
//!
//! [`resolve`] follows Graphviz' own library: nodes in order of creation, edges of `{a b} -> {c d}`
//! as a product, defaults of the scope a node or edge was created in, `strict` merging, a subgraph
//! of the same name in the same parent reopened. It never looks at what an attribute means.
//!
//! ```
//! let text = std::sync::Arc::from("digraph { node [shape=box] a -> {b c} }");
//! let parse = attractor_dot::parse(&text);
//! let graph = attractor_dot::graph::resolve(&parse.file.graphs[0], &text);
//! assert_eq!(graph.edges.len(), 2);
//! assert_eq!(graph.value(graph.nodes[0].attributes, "shape"), Some("box"));
//! ```

mod attribute;
mod attribute_lists;
mod defaults;
mod edge;
mod edge_identity;
mod edge_statements;
mod endpoints;
mod name_filter;
mod node;
mod resolve;
mod scopes;
mod values;

pub use attribute::{Attribute, Name};
pub use attribute_lists::{AttributeList, ListRange};
pub use edge::Edge;
pub use name_filter::{NameFilter, NameHash};
pub use node::{Node, Occurrence, OccurrenceKind};
pub use resolve::{IdSyntax, resolve, resolve_as};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use self::values::ValueStore;
use crate::TextRange;

/// One graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where the name is.
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
    pub attributes: AttributeList,
    /// Its nodes in order of creation, those of subgraphs too.
    pub nodes: Vec<Node>,
    /// Its edges in order of creation.
    pub edges: Vec<Edge>,
    /// Its subgraphs at any depth, in order of creation: a parent precedes its children.
    pub subgraphs: Vec<Subgraph>,
    /// How many inherited attributes and edges of products were left out: a short text can ask for
    /// billions of them, so only a million, and one more for each byte of text, are built.
    pub omitted: usize,
    /// Whether lists may give something the same attribute twice; `false` is certain.
    pub may_have_duplicates: bool,
    /// The names attributes have.
    names: Vec<SmolStr>,
    values: ValueStore,
    /// The positions of nodes by their names.
    index: FxHashMap<SmolStr, usize>,
    lists: attribute_lists::Lists,
    occurrences: Vec<Occurrence>,
}

/// A subgraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subgraph {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Where the name is first.
    pub name_range: Option<TextRange>,
    /// Where it is first opened.
    pub range: TextRange,
    /// The subgraph around it.
    pub parent: Option<usize>,
    /// Its attributes, one per name; those of the graphs around it, set before it was opened, are inherited.
    pub attributes: AttributeList,
    /// Its nodes as indices into [`Graph::nodes`], ascending, those of subgraphs in it too.
    pub nodes: Vec<usize>,
}

impl Graph {
    /// The attributes of a list of this graph.
    #[inline]
    pub fn list(&self, list: AttributeList) -> &[Attribute] {
        self.slice(list.range())
    }

    /// The attributes of a stretch of this graph.
    #[inline]
    pub fn slice(&self, stretch: ListRange) -> &[Attribute] {
        self.lists.of(stretch)
    }

    /// The attribute `name` of a list of this graph.
    #[inline]
    pub fn find(&self, list: AttributeList, name: &str) -> Option<&Attribute> {
        if !list.may_contain(name) {
            return None;
        }
        let mut attributes = self.list(list).iter();
        attributes.find(|attribute| self.name_of(attribute) == name)
    }

    /// The attribute of that name in a list of this graph.
    #[inline]
    pub fn find_by(&self, list: AttributeList, name: Name) -> Option<&Attribute> {
        let mut attributes = self.list(list).iter();
        attributes.find(|attribute| attribute.name == name)
    }

    /// A list of this graph with the attributes of another that bear none of these names.
    pub fn without(&mut self, list: AttributeList, names: &[Name]) -> AttributeList {
        self.lists.without(list, names)
    }

    /// The names attributes of this graph have, each once.
    pub fn names(&self) -> &[SmolStr] {
        &self.names
    }

    /// The name `text`, if an attribute of this graph has it. Linear in the names.
    pub fn name_for(&self, text: &str) -> Option<Name> {
        let at = self.names.iter().position(|name| name == text)?;
        u32::try_from(at).ok().map(Name)
    }

    /// The name of an attribute of this graph, decoded.
    #[inline]
    pub fn name_of(&self, attribute: &Attribute) -> &SmolStr {
        static NONE: SmolStr = SmolStr::new_static("");
        self.names.get(attribute.name.index()).unwrap_or(&NONE)
    }

    /// The value of an attribute of this graph, decoded.
    #[inline]
    pub fn value_of(&self, attribute: &Attribute) -> &str {
        self.values.get(attribute.value_id, attribute.storage)
    }

    /// The value of the attribute `name` of a list of this graph, decoded.
    #[inline]
    pub fn value(&self, list: AttributeList, name: &str) -> Option<&str> {
        Some(self.value_of(self.find(list, name)?))
    }

    /// The position of the node of that name.
    pub fn node(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The position of the node of that name; of a new name that of the next node.
    fn node_or_next(&mut self, name: &str) -> usize {
        if let Some(&known) = self.index.get(name) {
            return known;
        }
        let next = self.nodes.len();
        self.index.insert(SmolStr::new(name), next);
        next
    }

    /// Where a node of this graph is declared, else where it is first mentioned.
    pub fn definition(&self, node: &Node) -> Option<&Occurrence> {
        let mut occurrences = self.occurrences(node);
        let declared =
            occurrences.find(|occurrence| occurrence.kind == OccurrenceKind::Declaration);
        declared.or_else(|| self.occurrences(node).next())
    }

    /// Every place that names a node of this graph, in order; never none.
    pub fn occurrences(&self, node: &Node) -> impl Iterator<Item = &Occurrence> {
        let at = |index: u32| self.occurrences.get(index as usize);
        std::iter::successors(at(node.occurrences.0), move |occurrence| {
            at(occurrence.next?.get())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Attribute, Edge, Node, Occurrence};

    /// A graph would take much memory, and time to walk through it.
    #[test]
    fn what_a_graph_is_made_of_is_small() {
        assert!(size_of::<Attribute>() <= 36);
        assert!(size_of::<Edge>() <= 72);
        assert!(size_of::<Node>() <= 56);
        assert!(size_of::<Occurrence>() <= 24);
    }
}
