//! Edge statements: the ends they name, the edges between these, and which edges are one.

use smol_str::SmolStr;

use super::edge_identity::{EdgeMatch, Reversed};
use super::endpoints::{EndNode, Endpoint, EndpointBuffers, Ends, Ports};
use super::resolve::Resolver;
use super::scopes::{AttributeOwner, Kind, ScopeId};
use super::{AttributeList, Edge, OccurrenceKind};
use crate::TextRange;
use crate::ast::{self, EdgeEnd, EdgeOp};

impl<'s> Resolver<'s> {
    pub(super) fn edge_statement(&mut self, statement: &'s ast::EdgeStmt, scope: usize) {
        if let ([EdgeEnd::Nodes(tail), EdgeEnd::Nodes(head)], [operator]) =
            (&*statement.ends, &*statement.operators)
            && let ([tail], [head]) = (&**tail, &**head)
        {
            return self.plain_edge(statement, [tail, head], *operator, scope);
        }
        // A statement inside an end of this one finds none and makes its own.
        let mut buffers = std::mem::take(&mut self.buffers);
        for end in &statement.ends {
            let start = buffers.nodes.len();
            let subgraph = self.end(end, statement.range, scope, &mut buffers.nodes);
            buffers.ends.push(Endpoint {
                range: end.range(),
                nodes: start..buffers.nodes.len(),
                subgraph,
            });
        }
        // Nodes of a subgraph count when the statement ends: a later end may open it again.
        for end in &mut buffers.ends {
            if let Some(subgraph) = end.subgraph {
                let start = buffers.nodes.len();
                self.members_of(subgraph, end.range, &mut buffers.nodes);
                end.nodes = start..buffers.nodes.len();
            }
        }
        self.link(statement, scope, &buffers);
        buffers.ends.clear();
        buffers.nodes.clear();
        self.buffers = buffers;
    }

    /// `a -> b`, which nearly every edge statement is, without the lists that others need.
    fn plain_edge(
        &mut self,
        statement: &ast::EdgeStmt,
        ends: [&'s ast::NodeRef; 2],
        operator: EdgeOp,
        scope: usize,
    ) {
        let [tail, head] = ends.map(|end| self.end_node(end, statement.range, scope));
        let template = self.template(statement, operator, scope);
        self.edge([&tail, &head], &template);
    }

    /// Makes the edges between the ends.
    fn link(&mut self, statement: &ast::EdgeStmt, scope: usize, buffers: &EndpointBuffers) {
        let Some(operator) = statement.operators.first() else {
            return;
        };
        let mut template = self.template(statement, *operator, scope);
        // Every edge of the statement has them until it is given others.
        template.attributes.share();
        let ends = buffers.ends.iter();
        let pairs = ends.clone().zip(ends.skip(1)).zip(&statement.operators);
        for ((from, to), operator) in pairs {
            template.operator = *operator;
            let nodes = |end: &Endpoint| buffers.nodes.get(end.nodes.clone()).unwrap_or_default();
            let (tails, heads) = (nodes(from), nodes(to));
            let product = tails.len() > 1 || heads.len() > 1;
            for tail in tails {
                for (count, head) in heads.iter().enumerate() {
                    if product && !self.may_copy(1) {
                        self.graph.omitted += heads.len() - count - 1;
                        break;
                    }
                    self.edge([tail, head], &template);
                }
            }
        }
    }

    /// Adds the nodes an end names; gives the subgraph when it is one.
    fn end(
        &mut self,
        end: &'s EdgeEnd,
        statement: TextRange,
        scope: usize,
        nodes: &mut Vec<EndNode<'s>>,
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

    fn end_node(
        &mut self,
        named: &'s ast::NodeRef,
        statement: TextRange,
        scope: usize,
    ) -> EndNode<'s> {
        EndNode {
            node: self.occurrence(named.id, statement, OccurrenceKind::EdgeEnd, scope),
            port: named.port.as_deref(),
            range: named.id.range,
        }
    }

    fn members_of(&mut self, subgraph: usize, range: TextRange, nodes: &mut Vec<EndNode<'s>>) {
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

    /// Makes the edge, or finds the one it is the same as, and gives it its ports and attributes.
    fn edge(&mut self, ends: [&EndNode; 2], template: &EdgeTemplate) {
        let key = template.key.as_deref();
        if !self.edges.may_exist(key) {
            return self.new_edge(ends, template);
        }
        let scopes = &self.scopes;
        let enclosing = std::iter::successors(Some(template.scope), |&scope| {
            scopes.get(scope).and_then(|scope| scope.parent)
        });
        let [tail, head] = ends;
        let next = self.graph.edges.len();
        match self
            .edges
            .find_or_note((tail.node, head.node), key, enclosing, next)
        {
            EdgeMatch::Refused => {}
            EdgeMatch::New => self.new_edge(ends, template),
            EdgeMatch::Same { edge, reversed } => match reversed {
                Reversed::Yes => self.update_edge(edge, [head, tail], template.attributes),
                Reversed::No => self.update_edge(edge, [tail, head], template.attributes),
            },
        }
    }

    fn new_edge(&mut self, [tail, head]: [&EndNode; 2], template: &EdgeTemplate) {
        let owner = AttributeOwner::Edge(self.graph.edges.len());
        let mut attributes = self.inherited(Kind::Edge, template.scope, owner);
        let mut ports = None;
        if tail.port.is_some() || head.port.is_some() {
            let given = self.ports([tail, head], (&mut attributes, owner));
            ports = Some(Box::new(given));
        }
        self.add((&mut attributes, owner), template.attributes);
        self.graph.edges.push(Edge {
            ends: Ends::new(tail.node, head.node),
            ports,
            range: template.range,
            from_range: tail.range,
            to_range: head.range,
            operator: template.operator,
            attributes,
            scope: ScopeId::new(template.scope),
        });
    }

    /// Gives ports and attributes to an edge that is there already.
    fn update_edge(&mut self, index: usize, ends: [&EndNode; 2], attributes: AttributeList) {
        let Some(mut list) = self.graph.edges.get(index).map(|edge| edge.attributes) else {
            return;
        };
        let owner = AttributeOwner::Edge(index);
        let given = self.ports(ends, (&mut list, owner));
        self.add((&mut list, owner), attributes);
        if let Some(edge) = self.graph.edges.get_mut(index) {
            edge.attributes = list;
            if given != Ports::default() {
                edge.ports.get_or_insert_default().set(given);
            }
        }
    }

    /// The ports at the ends. A port is the attribute `tailport` or `headport` by another name, and the
    /// later wins, so the edge's attributes lose it.
    fn ports(
        &mut self,
        ends: [&EndNode; 2],
        (list, owner): (&mut AttributeList, AttributeOwner),
    ) -> Ports {
        let ports = ends.map(|end| end.port.map(|port| self.port(port)));
        for (port, name) in ports.iter().zip(["tailport", "headport"]) {
            if port.is_some() {
                self.forget((list, owner), name);
            }
        }
        let [tail, head] = ports;
        Ports { tail, head }
    }

    fn port(&self, port: &ast::Port) -> Box<str> {
        let parts = [port.name, port.compass].into_iter().flatten();
        let parts: Vec<_> = parts.map(|id| id.text(self.source)).collect();
        parts.join(":").into()
    }

    /// Adds to the attributes of an edge those of a statement.
    fn add(
        &mut self,
        (list, owner): (&mut AttributeList, AttributeOwner),
        attributes: AttributeList,
    ) {
        if list.is_empty() {
            *list = attributes;
            return;
        }
        for place in attributes.places() {
            if let Some(attribute) = self.graph.lists.at(place) {
                self.set((list, owner), attribute);
            }
        }
    }

    fn forget(&mut self, (list, owner): (&mut AttributeList, AttributeOwner), name: &str) {
        if let Some(name) = self.graph.find(*list, name).map(|found| found.name) {
            *list = self.graph.without(*list, &[name]);
            self.index.forget(owner);
        }
    }

    /// What a statement says of each of its edges.
    fn template(
        &mut self,
        statement: &ast::EdgeStmt,
        operator: EdgeOp,
        scope: usize,
    ) -> EdgeTemplate {
        let attributes = self.written(&statement.attributes);
        EdgeTemplate {
            range: statement.range,
            operator,
            key: self.key_of(attributes),
            attributes,
            scope,
        }
    }

    /// What lists say, one attribute per name.
    fn written(&mut self, lists: &[ast::AttrList]) -> AttributeList {
        let mut list = AttributeList::default();
        if !lists.is_empty() {
            self.write(lists, (&mut list, AttributeOwner::Statement));
            self.index.forget(AttributeOwner::Statement);
        }
        list
    }

    /// The value of the attribute `key`, which distinguishes edges between the same nodes.
    fn key_of(&self, attributes: AttributeList) -> Option<SmolStr> {
        let key = self.graph.find(attributes, "key")?;
        Some(SmolStr::new(key.value_id.text(self.source)))
    }
}

/// What a statement says of an edge.
struct EdgeTemplate {
    range: TextRange,
    operator: EdgeOp,
    key: Option<SmolStr>,
    attributes: AttributeList,
    scope: usize,
}
