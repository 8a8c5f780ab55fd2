//! Walks a tree and builds the graph it means, following Graphviz' own library step by step.
//!
//! Here are statements, nodes and subgraphs; edges are in [`super::edge_statements`], attributes and defaults in
//! [`super::defaults`].

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::num::NonZeroU32;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::attribute_lists::shrink;
use super::edge_identity::Edges;
use super::endpoints::EndpointBuffers;
use super::scopes::{AttributeOwner, Index, Kind, ROOT, Scope, ScopeId};
use super::values::ValueStore;
use super::{Graph, Name, Node, Occurrence, OccurrenceKind, Subgraph};
use crate::TextRange;
use crate::ast::{self, DefaultsTarget, Id, Stmt};

/// How to read `stall_timeout=900s` at the level of statements, where plain Graphviz and pipelines differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum IdSyntax {
    /// As one value.
    #[default]
    Pipeline,
    /// As Graphviz does: `stall_timeout=900` and a node `s`.
    Graphviz,
}

/// The graph `graph` means, where `source` is the text it was parsed from, which it continues holding. Linear in what it
/// gives.
pub fn resolve(graph: &ast::Graph, source: &Arc<str>) -> Graph {
    resolve_as(graph, source, IdSyntax::default())
}

/// [`resolve`] under a given reading of what only pipelines may write.
pub fn resolve_as(graph: &ast::Graph, source: &Arc<str>, id_syntax: IdSyntax) -> Graph {
    let mut resolver = Resolver {
        source,
        id_syntax,
        graph: Graph {
            name: graph.id.map(|id| id.text(source).into_owned()),
            name_range: graph.id.map(|id| id.range),
            range: graph.range,
            keyword: graph.keyword,
            directed: graph.directed,
            strict: graph.strict.is_some(),
            values: ValueStore::new(source),
            ..Graph::default()
        },
        members: FxHashSet::default(),
        subgraphs: FxHashMap::default(),
        edges: Edges::new(graph.directed, graph.strict.is_some()),
        scopes: vec![Scope::default()],
        names: FxHashMap::default(),
        index: Index::default(),
        copy_budget: source.len() + (1 << 20),
        buffers: EndpointBuffers::default(),
    };
    resolver.block(&graph.body, ROOT);
    resolver.finish()
}

pub(super) struct Resolver<'s> {
    pub(super) source: &'s str,
    pub(super) id_syntax: IdSyntax,
    pub(super) graph: Graph,
    /// Which node is in which scope.
    members: FxHashSet<(usize, usize)>,
    /// Named subgraphs by the scope they are in.
    subgraphs: FxHashMap<(usize, Cow<'s, str>), usize>,
    pub(super) edges: Edges,
    pub(super) scopes: Vec<Scope>,
    /// The names of attributes, by their text.
    pub(super) names: FxHashMap<Cow<'s, str>, Name>,
    pub(super) index: Index,
    pub(super) copy_budget: usize,
    pub(super) buffers: EndpointBuffers<'s>,
}

impl<'s> Resolver<'s> {
    fn block(&mut self, block: &'s ast::Block, scope: usize) {
        for statement in &block.statements {
            match statement {
                Stmt::Node(node) => self.node_statement(node, scope),
                Stmt::Edge(edge) => self.edge_statement(edge, scope),
                Stmt::Defaults(defaults) => {
                    let kind = match defaults.target {
                        DefaultsTarget::Graph => Kind::Graph,
                        DefaultsTarget::Node => Kind::Node,
                        DefaultsTarget::Edge => Kind::Edge,
                    };
                    for attr in items(&defaults.attributes) {
                        self.set_default(attr, kind, scope);
                    }
                }
                Stmt::Assign(attr) => {
                    self.set_default(attr, Kind::Graph, scope);
                    self.surplus_nodes(attr, scope);
                }
                Stmt::Subgraph(subgraph) => {
                    self.subgraph(subgraph, scope);
                }
                Stmt::Error(_) => {}
            }
        }
    }

    fn node_statement(&mut self, statement: &ast::NodeStmt, scope: usize) {
        let bare_member = scope != ROOT && statement.attributes.is_empty();
        let kind = if bare_member {
            OccurrenceKind::SubgraphMember
        } else {
            OccurrenceKind::Declaration
        };
        if let [node] = &*statement.nodes {
            let node = self.occurrence(node.id, statement.range, kind, scope);
            self.set_on_node(node, &statement.attributes);
            return;
        }
        let nodes = statement.nodes.iter();
        let nodes: Vec<usize> = nodes
            .map(|node| self.occurrence(node.id, statement.range, kind, scope))
            .collect();
        for node in nodes {
            self.set_on_node(node, &statement.attributes);
        }
    }

    fn set_on_node(&mut self, index: usize, lists: &[ast::AttrList]) {
        if lists.is_empty() {
            return;
        }
        let Some(mut list) = self.graph.nodes.get(index).map(|node| node.attributes) else {
            return;
        };
        self.write(lists, (&mut list, AttributeOwner::Node(index)));
        if let Some(node) = self.graph.nodes.get_mut(index) {
            node.attributes = list;
        }
    }

    pub(super) fn subgraph(&mut self, subgraph: &'s ast::Subgraph, scope: usize) -> usize {
        // Lists after a subgraph have no meaning and are not read.
        self.graph.may_have_duplicates |= subgraph.attributes.iter().next().is_some();
        let name = subgraph.id.map(|id| decoded(id, self.source));
        let next = self.graph.subgraphs.len();
        let index = match name.clone().map(|name| self.subgraphs.entry((scope, name))) {
            Some(Entry::Occupied(known)) => *known.get(),
            other => {
                if let Some(Entry::Vacant(unknown)) = other {
                    unknown.insert(next);
                }
                let attributes =
                    self.inherited(Kind::Graph, scope, AttributeOwner::Subgraph(Some(next)));
                self.scopes.push(Scope::inside(scope));
                self.graph.subgraphs.push(Subgraph {
                    name: name.map(Cow::into_owned),
                    name_range: subgraph.id.map(|id| id.range),
                    range: subgraph.range,
                    parent: scope.checked_sub(1),
                    attributes,
                    nodes: Vec::new(),
                });
                next
            }
        };
        if let Some(body) = &subgraph.body {
            self.block(body, index + 1);
        }
        index
    }

    /// The node `id` names, made if it is new, and made a member of the scope.
    #[inline]
    pub(super) fn occurrence(
        &mut self,
        id: Id,
        statement: TextRange,
        kind: OccurrenceKind,
        scope: usize,
    ) -> usize {
        let occurrence = u32::try_from(self.graph.occurrences.len()).unwrap_or(u32::MAX);
        self.graph.occurrences.push(Occurrence {
            range: id.range,
            statement,
            kind,
            next: None,
        });
        let index = self.named_node(id, occurrence, scope);
        if scope != ROOT {
            self.join(index, scope);
        }
        index
    }

    /// The node `id` names, looked up or made.
    fn named_node(&mut self, id: Id, occurrence: u32, scope: usize) -> usize {
        let name = id.text(self.source);
        let next = self.graph.nodes.len();
        let index = self.graph.node_or_next(&name);
        if index < next {
            self.add_occurrence(index, occurrence);
        } else {
            let attributes = self.inherited(Kind::Node, scope, AttributeOwner::Node(next));
            self.graph.nodes.push(Node {
                id: SmolStr::new(&name),
                attributes,
                occurrences: (occurrence, occurrence),
                scope: ScopeId::new(scope),
            });
        }
        index
    }

    /// Adds a occurrence to those of a node.
    fn add_occurrence(&mut self, index: usize, occurrence: u32) {
        let Some(node) = self.graph.nodes.get_mut(index) else {
            return;
        };
        let last = std::mem::replace(&mut node.occurrences.1, occurrence);
        if let Some(last) = self.graph.occurrences.get_mut(last as usize) {
            last.next = NonZeroU32::new(occurrence);
        }
    }

    /// Makes a node a member of a subgraph and of those enclosing it.
    fn join(&mut self, node: usize, scope: usize) {
        let mut enclosing = scope;
        while let Some(subgraph) = enclosing.checked_sub(1)
            && self.members.insert((enclosing, node))
        {
            if let Some(subgraph) = self.graph.subgraphs.get_mut(subgraph) {
                subgraph.nodes.push(node);
            }
            let scope = self.scopes.get(enclosing);
            enclosing = scope.and_then(|scope| scope.parent).unwrap_or(ROOT);
        }
    }

    fn finish(mut self) -> Graph {
        for subgraph in &mut self.graph.subgraphs {
            subgraph.nodes.sort_unstable();
        }
        self.graph.may_have_duplicates |= self.index.repeated;
        shrink(&mut self.graph.nodes);
        shrink(&mut self.graph.edges);
        shrink(&mut self.graph.occurrences);
        self.graph.lists.shrink();
        self.graph
    }
}

pub(super) fn items(lists: &[ast::AttrList]) -> impl Iterator<Item = &ast::Attr> {
    lists.iter().flat_map(|list| list.items.iter())
}

fn decoded(id: Id, source: &str) -> Cow<'_, str> {
    id.text(source)
}
