//! Walks a tree and builds the graph it means, following Graphviz' own library step by step.
//!
//! Here are statements, nodes and subgraphs; edges are in [`super::links`], attributes and defaults in
//! [`super::defaults`].

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::num::NonZeroU32;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::edges::Edges;
use super::ends::Spare;
use super::known::Known;
use super::lists::Lists;
use super::room::Room;
use super::scope::{Index, Kind, Object, ROOT, Scope};
use super::texts::Texts;
use super::{Graph, Ids, Mention, Node, Role, Subgraph};
use crate::TextRange;
use crate::ast::{self, DefaultsTarget, Id, Stmt};

/// How to read `stall_timeout=900s` at the level of statements, where plain Graphviz and pipelines differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reading {
    /// As one value.
    #[default]
    Pipeline,
    /// As Graphviz does: `stall_timeout=900` and a node `s`.
    Graphviz,
}

/// The graph `graph` means, where `source` is the text it was parsed from. Linear in what it gives.
pub fn resolve(graph: &ast::Graph, source: &str) -> Graph {
    resolve_as(graph, source, Reading::default())
}

/// [`resolve`] under a given reading of what only pipelines may write.
pub fn resolve_as(graph: &ast::Graph, source: &str, reading: Reading) -> Graph {
    let room = Room::of(&graph.body);
    let mut resolver = Resolver {
        source,
        reading,
        graph: Graph {
            name: graph.id.map(|id| id.text(source).into_owned()),
            name_range: graph.id.map(|id| id.range),
            range: graph.range,
            keyword: graph.keyword,
            directed: graph.directed,
            strict: graph.strict.is_some(),
            nodes: Vec::with_capacity(room.nodes),
            edges: Vec::with_capacity(room.edges),
            lists: Lists::with_capacity(room.attributes),
            ids: Ids::with_capacity(room.nodes),
            mentions: Vec::with_capacity(room.mentions),
            ..Graph::default()
        },
        texts: Texts::new(source, graph.range),
        members: FxHashSet::default(),
        subgraphs: FxHashMap::default(),
        edges: Edges::new(graph.directed, graph.strict.is_some()),
        scopes: vec![Scope::default()],
        known: Known::default(),
        index: Index::default(),
        copies_left: source.len() + (1 << 20),
        spare: Spare::default(),
    };
    resolver.block(&graph.body, ROOT);
    resolver.finish()
}

pub(super) struct Resolver<'s> {
    pub(super) source: &'s str,
    pub(super) reading: Reading,
    pub(super) graph: Graph,
    pub(super) texts: Texts<'s>,
    /// Which node is in which scope.
    members: FxHashSet<(usize, usize)>,
    /// Named subgraphs by the scope they are in.
    subgraphs: FxHashMap<(usize, Cow<'s, str>), usize>,
    pub(super) edges: Edges,
    pub(super) scopes: Vec<Scope>,
    pub(super) known: Known<'s>,
    pub(super) index: Index,
    pub(super) copies_left: usize,
    pub(super) spare: Spare,
}

impl Resolver<'_> {
    fn block(&mut self, block: &ast::Block, scope: usize) {
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
        let role = if bare_member {
            Role::SubgraphMember
        } else {
            Role::Declaration
        };
        let Some((last, others)) = statement.nodes.split_last() else {
            return;
        };
        let others: Vec<usize> = others
            .iter()
            .map(|node| self.mention(node.id, statement.range, role, scope))
            .collect();
        let last = self.mention(last.id, statement.range, role, scope);
        for node in others.into_iter().chain([last]) {
            self.set_on_node(node, &statement.attributes);
        }
    }

    fn set_on_node(&mut self, index: usize, lists: &[ast::AttrList]) {
        let Some(mut list) = self.graph.nodes.get(index).map(|node| node.attributes) else {
            return;
        };
        self.write(lists, (&mut list, Object::Node(index)));
        if let Some(node) = self.graph.nodes.get_mut(index) {
            node.attributes = list;
        }
    }

    pub(super) fn subgraph(&mut self, subgraph: &ast::Subgraph, scope: usize) -> usize {
        let name = subgraph.id.map(|id| decoded(id, self.source));
        let next = self.graph.subgraphs.len();
        let index = match name.clone().map(|name| self.subgraphs.entry((scope, name))) {
            Some(Entry::Occupied(known)) => *known.get(),
            other => {
                if let Some(Entry::Vacant(unknown)) = other {
                    unknown.insert(next);
                }
                let attributes = self.inherited(Kind::Graph, scope, Object::Subgraph(Some(next)));
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
    pub(super) fn mention(
        &mut self,
        id: Id,
        statement: TextRange,
        role: Role,
        scope: usize,
    ) -> usize {
        let next = self.graph.nodes.len();
        let mention = u32::try_from(self.graph.mentions.len()).unwrap_or(u32::MAX);
        self.graph.mentions.push(Mention {
            range: id.range,
            statement,
            role,
            next: None,
        });
        let name = decoded(id, self.source);
        let index = self.graph.node_or_next(&name);
        if index < next {
            self.mentioned_again(index, mention);
        } else {
            let attributes = self.inherited(Kind::Node, scope, Object::Node(next));
            self.graph.nodes.push(Node {
                id: SmolStr::new(name),
                attributes,
                mentions: (mention, mention),
                subgraph: scope.checked_sub(1),
            });
        }
        let mut around = scope;
        while let Some(subgraph) = around.checked_sub(1)
            && self.members.insert((around, index))
        {
            if let Some(subgraph) = self.graph.subgraphs.get_mut(subgraph) {
                subgraph.nodes.push(index);
            }
            around = self
                .scopes
                .get(around)
                .and_then(|scope| scope.parent)
                .unwrap_or(ROOT);
        }
        index
    }

    /// Adds a mention to those of a node.
    fn mentioned_again(&mut self, index: usize, mention: u32) {
        let Some(node) = self.graph.nodes.get_mut(index) else {
            return;
        };
        let last = std::mem::replace(&mut node.mentions.1, mention);
        if let Some(last) = self.graph.mentions.get_mut(last as usize) {
            last.next = NonZeroU32::new(mention);
        }
    }

    fn finish(mut self) -> Graph {
        for subgraph in &mut self.graph.subgraphs {
            subgraph.nodes.sort_unstable();
        }
        self.graph.text = self.texts.finish();
        self.graph.nodes.shrink_to_fit();
        self.graph.edges.shrink_to_fit();
        self.graph.mentions.shrink_to_fit();
        self.graph.lists.shrink_to_fit();
        self.graph
    }
}

pub(super) fn items(lists: &[ast::AttrList]) -> impl Iterator<Item = &ast::Attr> {
    lists.iter().flat_map(|list| list.items.iter())
}

fn decoded(id: Id, source: &str) -> Cow<'_, str> {
    id.text(source)
}
