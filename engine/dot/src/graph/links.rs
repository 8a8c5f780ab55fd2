//! Edge statements: the ends they name, the edges between these, and which edges are one.

use std::ops::Range;

use super::edges::{Found, Turned};
use super::resolve::Resolver;
use super::scope::{Kind, Object, set};
use super::{Attribute, Edge, Role, find};
use crate::TextRange;
use crate::ast::{self, EdgeEnd};

/// A node an edge runs to.
#[derive(Clone)]
struct EndNode {
    node: usize,
    port: Option<String>,
    /// Where it is named, unless by a subgraph.
    range: TextRange,
}

/// One end of an edge statement.
struct End {
    range: TextRange,
    /// Its nodes among those of the statement.
    nodes: Range<usize>,
    subgraph: Option<usize>,
}

/// Lists of one edge statement, kept so that the next one need not allocate.
#[derive(Default)]
pub(super) struct Spare {
    ends: Vec<End>,
    nodes: Vec<EndNode>,
}

impl Resolver<'_> {
    pub(super) fn edge_statement(&mut self, statement: &ast::EdgeStmt, scope: usize) {
        // A statement inside an end of this one finds none and makes its own.
        let mut spare = std::mem::take(&mut self.spare);
        for end in &statement.ends {
            let start = spare.nodes.len();
            let subgraph = self.end(end, statement.range, scope, &mut spare.nodes);
            spare.ends.push(End {
                range: end.range(),
                nodes: start..spare.nodes.len(),
                subgraph,
            });
        }
        // Nodes of a subgraph count when the statement ends: a later end may open it again.
        for end in &mut spare.ends {
            if let Some(subgraph) = end.subgraph {
                let start = spare.nodes.len();
                self.members_of(subgraph, &mut spare.nodes);
                end.nodes = start..spare.nodes.len();
            }
        }
        self.link(statement, scope, &spare);
        spare.ends.clear();
        spare.nodes.clear();
        self.spare = spare;
    }

    /// Makes the edges between the ends.
    fn link(&mut self, statement: &ast::EdgeStmt, scope: usize, spare: &Spare) {
        let (mut attributes, names) = self.written(&statement.attributes);
        let key = if names.may_have("key") {
            find(&attributes, "key").map(|key| key.value.clone())
        } else {
            None
        };
        let ends = spare.ends.iter();
        let pairs = ends.clone().zip(ends.skip(1)).zip(&statement.operators);
        let mut left: usize = pairs
            .clone()
            .map(|((from, to), _)| from.nodes.len() * to.nodes.len())
            .sum();
        for ((from, to), operator) in pairs {
            let nodes = |end: &End| spare.nodes.get(end.nodes.clone()).unwrap_or_default();
            let (tails, heads) = (nodes(from), nodes(to));
            let product = tails.len() > 1 || heads.len() > 1;
            for tail in tails {
                for (count, head) in heads.iter().enumerate() {
                    if product && !self.may_copy(1) {
                        self.graph.omitted += heads.len() - count - 1;
                        break;
                    }
                    let place = |node: &EndNode, end: &End| {
                        if node.range.is_empty() {
                            end.range
                        } else {
                            node.range
                        }
                    };
                    let edge = Edge {
                        from: tail.node,
                        to: head.node,
                        from_port: tail.port.clone(),
                        to_port: head.port.clone(),
                        range: statement.range,
                        from_range: place(tail, from),
                        to_range: place(head, to),
                        operator: operator.range,
                        attributes: Vec::new(),
                        subgraph: scope.checked_sub(1),
                    };
                    left = left.saturating_sub(1);
                    let attributes = if left == 0 {
                        std::mem::take(&mut attributes)
                    } else {
                        attributes.clone()
                    };
                    self.edge(edge, key.as_deref(), attributes, scope);
                }
            }
        }
    }

    /// Adds the nodes an end names; gives the subgraph when it is one.
    fn end(
        &mut self,
        end: &EdgeEnd,
        statement: TextRange,
        scope: usize,
        nodes: &mut Vec<EndNode>,
    ) -> Option<usize> {
        match end {
            EdgeEnd::Nodes(named) => {
                nodes.extend(named.iter().map(|named| EndNode {
                    node: self.mention(named.id, statement, Role::EdgeEnd, scope),
                    port: named.port.as_ref().map(|port| self.port(port)),
                    range: named.id.range,
                }));
                None
            }
            EdgeEnd::Subgraph(subgraph) => Some(self.subgraph(subgraph, scope)),
            EdgeEnd::Missing(_) => None,
        }
    }

    fn members_of(&mut self, subgraph: usize, nodes: &mut Vec<EndNode>) {
        let Some(subgraph) = self.graph.subgraphs.get_mut(subgraph) else {
            return;
        };
        subgraph.nodes.sort_unstable();
        nodes.extend(subgraph.nodes.iter().map(|&node| EndNode {
            node,
            port: None,
            range: TextRange::default(),
        }));
    }

    fn port(&self, port: &ast::Port) -> String {
        let parts = [port.name, port.compass].into_iter().flatten();
        let parts: Vec<_> = parts.map(|id| id.text(self.source)).collect();
        parts.join(":")
    }

    /// Makes the edge, or finds the one it is the same as, and sets its ports and attributes.
    fn edge(&mut self, mut new: Edge, key: Option<&str>, attributes: Vec<Attribute>, scope: usize) {
        let next = self.graph.edges.len();
        let (mut tail, mut head) = (new.from_port.take(), new.to_port.take());
        let scopes = &self.scopes;
        let around = std::iter::successors(Some(scope), |&scope| {
            scopes.get(scope).and_then(|scope| scope.parent)
        });
        let index = match self.edges.meet((new.from, new.to), key, around, next) {
            Found::Refused => return,
            Found::Same { edge, turned } => {
                if turned == Turned::Yes {
                    std::mem::swap(&mut tail, &mut head);
                }
                edge
            }
            Found::New => {
                new.attributes = self.inherited(Kind::Edge, scope, Object::Edge(next));
                self.graph.edges.push(new);
                next
            }
        };
        let Some(edge) = self.graph.edges.get_mut(index) else {
            return;
        };
        let object = Object::Edge(index);
        for (port, place, name) in [
            (tail, &mut edge.from_port, "tailport"),
            (head, &mut edge.to_port, "headport"),
        ] {
            if port.is_some() {
                *place = port;
                // A port is that attribute by another name, and the later wins.
                edge.attributes.retain(|attribute| attribute.name != name);
                self.index.forget(object, &edge.attributes);
            }
        }
        if edge.attributes.is_empty() {
            edge.attributes = attributes;
            return self.index.added(&edge.attributes, object);
        }
        edge.attributes.reserve_exact(attributes.len());
        for attribute in attributes {
            set(&mut edge.attributes, &mut self.index, object, attribute);
        }
    }
}
