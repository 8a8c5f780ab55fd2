//! Edge statements: the ends they name, the edges between these, and which edges are one.

use smol_str::SmolStr;

use super::edges::{Found, Turned};
use super::ends::{End, EndNode, Spare};
use super::resolve::Resolver;
use super::scope::{Kind, Object};
use super::{Edge, List, Role};
use crate::TextRange;
use crate::ast::{self, EdgeEnd, Few};

impl Resolver<'_> {
    pub(super) fn edge_statement(&mut self, statement: &ast::EdgeStmt, scope: usize) {
        if let [
            EdgeEnd::Nodes(Few::One(tail)),
            EdgeEnd::Nodes(Few::One(head)),
        ] = &*statement.ends
            && let [operator] = &*statement.operators
        {
            return self.plain_edge(statement, [tail, head], operator.range(), scope);
        }
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
                self.members_of(subgraph, end.range, &mut spare.nodes);
                end.nodes = start..spare.nodes.len();
            }
        }
        self.link(statement, scope, &spare);
        spare.ends.clear();
        spare.nodes.clear();
        self.spare = spare;
    }

    /// `a -> b`, which nearly every edge statement is, without the lists that others need.
    fn plain_edge(
        &mut self,
        statement: &ast::EdgeStmt,
        ends: [&ast::NodeRef; 2],
        operator: TextRange,
        scope: usize,
    ) {
        let [tail, head] = ends.map(|end| self.end_node(end, statement.range, scope));
        let attributes = self.written(&statement.attributes);
        let key = self.key_of(attributes);
        let edge = edge_of(statement, [&tail, &head], operator, scope);
        self.edge(edge, key.as_deref(), attributes, scope);
    }

    /// Makes the edges between the ends.
    fn link(&mut self, statement: &ast::EdgeStmt, scope: usize, spare: &Spare) {
        let mut attributes = self.written(&statement.attributes);
        let key = self.key_of(attributes);
        let ends = spare.ends.iter();
        let pairs = ends.clone().zip(ends.skip(1)).zip(&statement.operators);
        // Every edge of the statement has them until it is given others.
        attributes.share();
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
                    let edge = edge_of(statement, [tail, head], operator.range(), scope);
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
                let named = named.iter();
                nodes.extend(named.map(|named| self.end_node(named, statement, scope)));
                None
            }
            EdgeEnd::Subgraph(subgraph) => Some(self.subgraph(subgraph, scope)),
            EdgeEnd::Missing(_) => None,
        }
    }

    fn end_node(&mut self, named: &ast::NodeRef, statement: TextRange, scope: usize) -> EndNode {
        EndNode {
            node: self.mention(named.id, statement, Role::EdgeEnd, scope),
            port: named.port.as_ref().map(|port| self.port(port)),
            range: named.id.range,
        }
    }

    fn members_of(&mut self, subgraph: usize, range: TextRange, nodes: &mut Vec<EndNode>) {
        let Some(subgraph) = self.graph.subgraphs.get_mut(subgraph) else {
            return;
        };
        subgraph.nodes.sort_unstable();
        nodes.extend(subgraph.nodes.iter().map(|&node| EndNode {
            node,
            port: None,
            range,
        }));
    }

    fn port(&self, port: &ast::Port) -> Box<str> {
        let parts = [port.name, port.compass].into_iter().flatten();
        let parts: Vec<_> = parts.map(|id| id.text(self.source)).collect();
        parts.join(":").into()
    }

    /// Makes the edge, or finds the one it is the same as, and sets its ports and attributes.
    fn edge(&mut self, mut new: Edge, key: Option<&str>, attributes: List, scope: usize) {
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
        if tail.is_some() || head.is_some() {
            self.set_ports(index, tail, head);
        }
        let object = Object::Edge(index);
        let Some(mut list) = self.graph.edges.get(index).map(|edge| edge.attributes) else {
            return;
        };
        if list.is_empty() {
            list = attributes;
        } else {
            for place in attributes.places() {
                if let Some(attribute) = self.graph.lists.at(place) {
                    self.set((&mut list, object), attribute);
                }
            }
        }
        if let Some(edge) = self.graph.edges.get_mut(index) {
            edge.attributes = list;
        }
    }

    /// A port is the attribute `tailport` or `headport` by another name, and the later wins.
    fn set_ports(&mut self, edge: usize, tail: Option<Box<str>>, head: Option<Box<str>>) {
        for (port, name) in [(&tail, "tailport"), (&head, "headport")] {
            if port.is_some() {
                self.forget_attribute(edge, name);
            }
        }
        if let Some(edge) = self.graph.edges.get_mut(edge) {
            edge.from_port = tail.or(edge.from_port.take());
            edge.to_port = head.or(edge.to_port.take());
        }
    }

    fn forget_attribute(&mut self, index: usize, name: &str) {
        let Some(edge) = self.graph.edges.get(index) else {
            return;
        };
        let mut list = edge.attributes;
        let Some(name) = self.graph.find(list, name).map(|found| found.name) else {
            return;
        };
        list = self.graph.without(list, &[name]);
        self.index.forget(Object::Edge(index));
        if let Some(edge) = self.graph.edges.get_mut(index) {
            edge.attributes = list;
        }
    }

    /// What lists say, one attribute per name.
    fn written(&mut self, lists: &[ast::AttrList]) -> List {
        let mut list = List::default();
        self.write(lists, (&mut list, Object::Statement));
        self.index.forget(Object::Statement);
        list
    }

    /// The value of the attribute `key`, which tells edges between the same nodes apart.
    fn key_of(&self, attributes: List) -> Option<SmolStr> {
        let key = self.graph.find(attributes, "key")?;
        Some(SmolStr::new(self.texts.at(key.value)))
    }
}

/// The edge of a statement between two nodes, without its attributes.
fn edge_of(
    statement: &ast::EdgeStmt,
    [tail, head]: [&EndNode; 2],
    operator: TextRange,
    scope: usize,
) -> Edge {
    Edge {
        from: tail.node,
        to: head.node,
        from_port: tail.port.clone(),
        to_port: head.port.clone(),
        range: statement.range,
        from_range: tail.range,
        to_range: head.range,
        operator,
        attributes: List::default(),
        subgraph: scope.checked_sub(1),
    }
}
