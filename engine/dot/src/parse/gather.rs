//! What the grammar has read of the statements not yet finished, kept in lists that are used again.
//!
//! Children are gathered here while their statement is read and move into boxes of their exact size
//! when it ends, so that a statement costs no allocation that the tree does not keep. Statements lie
//! on one stack for all open blocks; a block takes its own when it closes.

use crate::TextRange;
use crate::ast::{Attr, AttrList, EdgeEnd, EdgeOp, EdgeStmt, NodeRef, NodeStmt, OneOrMany, Stmt};

/// The pieces of the statement being read, and the statements read.
#[derive(Default)]
pub(super) struct Gather {
    pairs: Vec<Attr>,
    lists: Vec<AttrList>,
    operators: Vec<EdgeOp>,
    /// The ends of an edge but the first.
    ends: Vec<EdgeEnd>,
    statements: Vec<Stmt>,
}

impl Gather {
    /// With room for the statements that are usual among so many tokens.
    pub(super) fn with_room(tokens: usize) -> Self {
        Self {
            statements: Vec::with_capacity(tokens / 8),
            ..Self::default()
        }
    }

    pub(super) fn pair(&mut self, pair: Attr) {
        self.pairs.push(pair);
    }

    /// Finishes a list of the pairs since the last one.
    pub(super) fn list(&mut self, range: TextRange, closed: bool) {
        let items = Box::from(self.pairs.as_slice());
        self.pairs.clear();
        self.lists.push(AttrList {
            range,
            items,
            closed,
        });
    }

    /// The lists since the last statement.
    pub(super) fn lists(&mut self) -> OneOrMany<AttrList> {
        OneOrMany::take(&mut self.lists)
    }

    pub(super) fn edge(&mut self, operator: EdgeOp, end: EdgeEnd) {
        self.operators.push(operator);
        self.ends.push(end);
    }

    /// Whether the statement being read is an edge.
    pub(super) fn is_edge(&self) -> bool {
        !self.operators.is_empty()
    }

    /// Finishes a statement that begins with these nodes.
    pub(super) fn nodes(&mut self, nodes: OneOrMany<NodeRef>, range: TextRange) {
        if self.is_edge() {
            return self.edges(EdgeEnd::Nodes(nodes), range);
        }
        let attributes = self.lists();
        self.statements.push(Stmt::Node(NodeStmt {
            range,
            nodes,
            attributes,
        }));
    }

    /// Finishes a statement of the edges that begin at `first`.
    pub(super) fn edges(&mut self, first: EdgeEnd, range: TextRange) {
        let ends = std::iter::once(first).chain(self.ends.drain(..)).collect();
        let operators = OneOrMany::take(&mut self.operators);
        let attributes = self.lists();
        self.statements.push(Stmt::Edge(EdgeStmt {
            range,
            ends,
            operators,
            attributes,
        }));
    }

    pub(super) fn statement(&mut self, statement: Stmt) {
        self.statements.push(statement);
    }

    /// Notes text that is no statement of the block whose statements begin at the `from`th. What touches the error
    /// before it is part of that, so that garbage is one error and not one for each of its characters.
    pub(super) fn error(&mut self, range: TextRange, from: usize) {
        match self.since(from).last_mut() {
            Some(Stmt::Error(last)) if last.end() == range.start() => *last = last.cover(range),
            _ => self.statements.push(Stmt::Error(range)),
        }
    }

    /// How many statements lie on the stack.
    pub(super) fn count(&self) -> usize {
        self.statements.len()
    }

    /// Forgets what was gathered of a statement that is broken, and the statements from the `count`th on.
    pub(super) fn forget(&mut self, count: usize) {
        self.pairs.clear();
        self.lists.clear();
        self.operators.clear();
        self.ends.clear();
        self.statements.truncate(count);
    }

    /// The statements from the `from`th on.
    pub(super) fn since(&mut self, from: usize) -> &mut [Stmt] {
        self.statements.get_mut(from..).unwrap_or_default()
    }

    /// Takes the statements from the `from`th on off the stack. What fills most of it takes its place in memory as
    /// well; the rest is moved out, so that the stack keeps its room for the blocks and graphs that follow.
    pub(super) fn take(&mut self, from: usize) -> Box<[Stmt]> {
        let fills = self.statements.len() > self.statements.capacity() / 2;
        if from == 0 && fills {
            return std::mem::take(&mut self.statements).into_boxed_slice();
        }
        self.statements.drain(from..).collect()
    }
}
