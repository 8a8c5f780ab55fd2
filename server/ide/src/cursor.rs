//! What is being typed at an offset, read from the tokens before it.
//!
//! Completion has to work while the statement is broken, so it does not ask the tree: it looks back over the
//! tokens for the bracket, brace, edge operator or `=` that decides what can be typed here. Never looks further
//! back than the attribute list or block it is in.
//!
//! ```text
//! a -> b [condition="out$0"]     a value of `condition`, on the edge a -> b, inside quotes
//! a -> $0                        the end of an edge from a
//! tool [shape=box, co$0          the name of an attribute of the node tool
//! ```

mod context;
mod preceding_tokens;

use attractor_dot::ast::Id;
use attractor_dot::{TextRange, Token, TokenKind};

pub(crate) use context::{CursorContext, ListOwner, Siblings};

use crate::document::Document;
use preceding_tokens::{CursorAnalyzer, id_kind, is_wordish};

/// What can be typed at an offset.
#[derive(Debug)]
pub(crate) struct Cursor {
    /// The cursor.
    pub offset: usize,
    /// The graph around it.
    pub graph: Option<usize>,
    /// The word it touches, empty when it touches none. A string in quotes is one word.
    pub word: TextRange,
    /// What belongs there.
    pub place: CursorContext,
}

impl Cursor {
    /// Looks at an offset.
    pub(crate) fn new(doc: &Document, offset: usize) -> Self {
        let mut look = CursorAnalyzer::new(doc, offset);
        let place = look.place();
        Self {
            offset,
            graph: doc.graph_at(offset),
            word: look.word,
            place,
        }
    }
}

impl CursorAnalyzer<'_> {
    fn place(&mut self) -> CursorContext {
        let touched = self
            .get(self.before)
            .filter(|token| token.range == self.word);
        if touched.is_some_and(|token| token.kind.is_comment()) {
            return CursorContext::Nothing;
        }
        let previous = self.previous(self.before);
        if self.doc.graph_at(self.offset).is_none() {
            let naming = previous.is_some_and(|(_, token)| {
                matches!(token.kind, TokenKind::Graph | TokenKind::Digraph)
            });
            return if naming {
                CursorContext::Nothing
            } else {
                CursorContext::File
            };
        }
        let Some((mut at, mut token)) = previous else {
            return CursorContext::File;
        };
        // "one" + "two": go back to what the sum is the value of.
        while token.kind == TokenKind::Plus {
            let Some(part) = self.previous(at) else {
                return CursorContext::Nothing;
            };
            let Some(sign) = self.previous(part.0) else {
                return CursorContext::Nothing;
            };
            (at, token) = sign;
        }
        if token.kind == TokenKind::Equals {
            return self.value(at);
        }
        match self.list_start(self.before) {
            Some(bracket) => self.key(bracket),
            None => self.statement(at, token),
        }
    }

    fn value(&self, equals: usize) -> CursorContext {
        let Some((key, first)) = self.id_before(equals) else {
            return CursorContext::Nothing;
        };
        let (head, siblings) = match self.list_start(first) {
            Some(bracket) => (self.head(bracket), self.siblings(bracket)),
            None => (ListOwner::Around, Siblings::new()),
        };
        let token = self
            .get(self.before)
            .filter(|token| self.word.contains_range(token.range));
        let value = token.map(|token| Id {
            range: self.word,
            kind: id_kind(token, self.word),
        });
        CursorContext::Value {
            head,
            key,
            siblings,
            value,
        }
    }

    fn key(&self, bracket: usize) -> CursorContext {
        let wordish = self.word.is_empty()
            || self
                .get(self.before)
                .is_some_and(|token| is_wordish(token.kind) || token.kind == TokenKind::String);
        if !wordish {
            return CursorContext::Nothing;
        }
        CursorContext::Key {
            head: self.head(bracket),
            siblings: self.siblings(bracket),
            previous: self.name_before(bracket),
        }
    }

    fn statement(&self, at: usize, token: Token) -> CursorContext {
        match token.kind {
            kind if kind.is_edge_operator() => CursorContext::EdgeEnd {
                from: self.id_before(at).map(|(id, _)| id),
            },
            TokenKind::Comma => self.list_of_nodes(at),
            TokenKind::Colon => match self.id_before(at) {
                Some((node, _)) => CursorContext::Port { node },
                None => CursorContext::Nothing,
            },
            TokenKind::LeftBrace => self
                .edge_into_block(at + 1)
                .unwrap_or(CursorContext::Statement),
            TokenKind::RightBrace | TokenKind::Semicolon | TokenKind::RightBracket => {
                CursorContext::Statement
            }
            TokenKind::Subgraph | TokenKind::Graph | TokenKind::Digraph | TokenKind::Strict => {
                CursorContext::Nothing
            }
            _ => {
                let between =
                    TextRange::new(token.range.end(), self.word.start()).text(&self.doc.text);
                let new_line = between.contains(['\n', '\r']);
                if let Some(end) = self.edge_into_block(at + 1) {
                    return end;
                }
                if new_line || !self.word.is_empty() {
                    CursorContext::Statement
                } else {
                    CursorContext::Nothing
                }
            }
        }
    }

    /// An end of the edge that leads into the block the place is in, when nothing but nodes precede it there:
    /// `a -> { b $0`.
    fn edge_into_block(&self, before: usize) -> Option<CursorContext> {
        let mut at = before;
        loop {
            let (index, token) = self.previous(at)?;
            match token.kind {
                TokenKind::LeftBrace => {
                    let (operator, token) = self.previous(index)?;
                    let is_edge = token.kind.is_edge_operator();
                    return is_edge.then(|| CursorContext::EdgeEnd {
                        from: self.id_before(operator).map(|(id, _)| id),
                    });
                }
                kind if kind.is_id() || matches!(kind, TokenKind::Comma | TokenKind::Semicolon) => {
                    at = index;
                }
                _ => return None,
            }
        }
    }

    /// `a -> b, $0` is the end of an edge; `a, $0` the beginning of a list of nodes.
    fn list_of_nodes(&self, mut comma: usize) -> CursorContext {
        while let Some((_, first)) = self.id_before(comma) {
            match self.previous(first) {
                Some((at, token)) if token.kind == TokenKind::Comma => comma = at,
                Some((at, token)) if token.kind.is_edge_operator() => {
                    return CursorContext::EdgeEnd {
                        from: self.id_before(at).map(|(id, _)| id),
                    };
                }
                _ => break,
            }
        }
        CursorContext::Statement
    }
}
