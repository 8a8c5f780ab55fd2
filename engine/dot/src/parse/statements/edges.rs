//! Nodes, ports, subgraphs and the edges between them.
//!
//! ```text
//! input:   a:p -> {b c} [x=1]
//! output:  Edge { ends: [Nodes(a:p), Subgraph { b c }], operators: [->], attributes: [[x=1]] }
//! ```

use smallvec::{SmallVec, smallvec};

use super::StatementParser;
use crate::ast::{
    AttrList, EdgeEnd, EdgeOp, EdgeStmt, Id, IdKind, NodeRef, NodeStmt, Port, Stmt, Subgraph,
};
use crate::error;
use crate::parse::statement_tokens::{Word, WordKind};
use crate::{TextRange, TokenKind};

impl StatementParser<'_, '_> {
    /// A statement that begins with `first`, which was read: `a [x=1]`, `a -> b`, `{a b}`.
    pub(in crate::parse) fn node_or_edge(&mut self, first: EdgeEnd) -> Stmt {
        let start = first.range();
        let mut edge = Chain {
            first,
            others: Vec::new(),
            operators: SmallVec::new(),
        };
        self.edge_tail(&mut edge);
        let mut attributes = self.lists();
        while attributes.is_empty() && self.skip_surplus() {
            self.edge_tail(&mut edge);
            attributes = self.lists();
        }
        edge.finish(start.cover(self.last), attributes)
    }

    /// A node, nodes with commas, or a subgraph.
    pub(in crate::parse) fn end(&mut self) -> EdgeEnd {
        let Some(word) = self.words.peek(0) else {
            return self.missing_end();
        };
        let subgraph = match word.kind {
            WordKind::OpenBrace => {
                let body = self.block();
                Subgraph {
                    range: body.range,
                    keyword: None,
                    id: None,
                    body: Some(body),
                    attributes: SmallVec::new(),
                }
            }
            WordKind::Token(
                TokenKind::Subgraph | TokenKind::Graph | TokenKind::Digraph | TokenKind::Strict,
            ) if self.opens_subgraph() => self.subgraph(word),
            WordKind::Token(TokenKind::Subgraph) => self.subgraph_without_body(word),
            _ => return self.nodes(),
        };
        EdgeEnd::Subgraph(Box::new(subgraph))
    }

    /// Whether `subgraph x {`, or `digraph x {` where a subgraph belongs, comes next.
    pub(in crate::parse) fn opens_subgraph(&self) -> bool {
        (1..4)
            .take_while(|&ahead| {
                ahead == 1 || self.sees_id(ahead - 1) || self.sees_keyword(ahead - 1)
            })
            .any(|ahead| self.kind(ahead) == Some(WordKind::OpenBrace))
    }

    fn subgraph(&mut self, keyword: Word) -> Subgraph {
        self.check_subgraph_keyword(keyword);
        let keyword = self.keep();
        let id = self.sees_id(0).then(|| self.name()).flatten();
        self.skip_to_brace();
        let body = self.block();
        Subgraph {
            range: keyword.cover(body.range),
            keyword: Some(keyword),
            id,
            body: Some(body),
            attributes: SmallVec::new(),
        }
    }

    fn nodes(&mut self) -> EdgeEnd {
        let Some(first) = self.node() else {
            return self.missing_end();
        };
        let mut nodes = smallvec![first];
        while self.sees(0, TokenKind::Comma) {
            if !self.sees_id(1) {
                self.skip_separator(TokenKind::Comma);
                continue;
            }
            self.keep();
            nodes.extend(self.node());
        }
        EdgeEnd::Nodes(nodes)
    }

    fn node(&mut self) -> Option<NodeRef> {
        let id = self.name()?;
        let port = self.port();
        Some(NodeRef { id, port })
    }

    /// The name of a node or subgraph: neither dotted nor dashed, nor a keyword.
    pub(in crate::parse) fn name(&mut self) -> Option<Id> {
        match self.kind(0)? {
            WordKind::Id(kind) => Some(self.keep_id(kind)),
            kind if kind.is_id_like() || kind.is_keyword() => Some(self.keep_unquoted()),
            _ => None,
        }
    }

    pub(in crate::parse) fn keep_id(&mut self, kind: IdKind) -> Id {
        let range = self.keep();
        Id { range, kind }
    }

    /// `:name:compass`
    pub(in crate::parse) fn port(&mut self) -> Option<Box<Port>> {
        if !self.sees(0, TokenKind::Colon) {
            return None;
        }
        let start = self.next_range();
        let [name, compass] = [self.port_part(), self.port_part()];
        let range = start.cover(self.last);
        self.skip_third_colon();
        Some(Box::new(Port {
            range,
            name,
            compass,
        }))
    }

    fn port_part(&mut self) -> Option<Id> {
        if !self.sees(0, TokenKind::Colon) {
            return None;
        }
        let colon = self.next_range();
        if let Some(WordKind::Id(kind)) = self.kind(1) {
            self.keep();
            return Some(self.keep_id(kind));
        }
        self.report(|_| error::missing_port(colon));
        self.keep();
        None
    }

    /// The operators and ends after the first end of an edge.
    pub(in crate::parse) fn edge_tail(&mut self, edge: &mut Chain) {
        while let Some(kind) = self.kind(0) {
            let operator = match kind {
                WordKind::Operator { directed } => {
                    let range = self.keep();
                    self.skip_rest_of_arrow();
                    self.skip_doubled_operators(EdgeOp::new(range, directed))
                }
                kind => match self.misspelt_operator(kind) {
                    Some(operator) => operator,
                    None => return,
                },
            };
            let end = self.end_after_operator();
            edge.push(operator, end);
        }
    }
}

/// An edge, or a node as long as it has only one end.
pub(in crate::parse) struct Chain {
    first: EdgeEnd,
    others: Vec<EdgeEnd>,
    operators: SmallVec<[EdgeOp; 1]>,
}

impl Chain {
    fn push(&mut self, operator: EdgeOp, end: EdgeEnd) {
        if self.others.is_empty() {
            // Nearly every edge has two ends.
            self.others.reserve_exact(2);
        }
        self.operators.push(operator);
        self.others.push(end);
    }

    fn finish(self, range: TextRange, attributes: SmallVec<[AttrList; 1]>) -> Stmt {
        match self.first {
            EdgeEnd::Nodes(nodes) if self.others.is_empty() => Stmt::Node(NodeStmt {
                range,
                nodes,
                attributes,
            }),
            EdgeEnd::Subgraph(mut subgraph) if self.others.is_empty() => {
                subgraph.range = range;
                subgraph.attributes = attributes;
                Stmt::Subgraph(subgraph)
            }
            first => {
                let mut ends = self.others;
                ends.insert(0, first);
                Stmt::Edge(EdgeStmt {
                    range,
                    ends: ends.into_boxed_slice(),
                    operators: self.operators,
                    attributes,
                })
            }
        }
    }
}
