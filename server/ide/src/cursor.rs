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

mod preceding_tokens;

use attractor_dot::ast::{DefaultsTarget, Id};
use attractor_dot::{TextRange, Token, TokenKind};

use crate::document::Document;
use preceding_tokens::{id_kind, is_line_comment, is_wordish, joined};

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

/// What belongs at a place.
#[derive(Debug)]
pub(crate) enum CursorContext {
    /// Nothing to offer: a comment, the name of something new, a place between words.
    Nothing,
    /// Outside every graph.
    File,
    /// The beginning of a statement.
    Statement,
    /// After an edge operator.
    EdgeEnd {
        /// The node the edge comes from, when it is one.
        from: Option<String>,
    },
    /// After `NODE:`.
    Port {
        /// The node.
        node: String,
    },
    /// The name of an attribute in a list.
    Key {
        /// Whose.
        head: ListOwner,
        /// What the list holds already, the name under the cursor left out.
        siblings: Siblings,
        /// The name before it in the list.
        previous: Option<String>,
    },
    /// The value of an attribute.
    Value {
        /// Whose.
        head: ListOwner,
        /// The attribute's name.
        key: String,
        /// What the list holds.
        siblings: Siblings,
        /// The value, if there is one.
        value: Option<Id>,
    },
}

/// Names and values of a list, as far as they are typed.
pub(crate) type Siblings = Vec<(String, String)>;

/// Whose attributes a list holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListOwner {
    /// The graph's or subgraph's around it.
    Around,
    /// A node's.
    Node(String),
    /// Of the edges between two nodes; `None` for a subgraph or nothing.
    Edge(Option<String>, Option<String>),
    /// Defaults.
    Defaults(DefaultsTarget),
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

struct CursorAnalyzer<'d> {
    doc: &'d Document,
    offset: usize,
    word: TextRange,
    /// How many stored tokens precede the word.
    before: usize,
}

impl<'d> CursorAnalyzer<'d> {
    fn new(doc: &'d Document, offset: usize) -> Self {
        let tokens = &doc.parse.tokens;
        let mut before = tokens.index_after(offset);
        let mut word = TextRange::empty(offset);
        let inside = tokens
            .get(before)
            .filter(|token| token.range.start() < offset);
        let touched = inside.or_else(|| {
            let last = tokens.get(before.checked_sub(1)?)?;
            let open = matches!(
                last.kind,
                TokenKind::UnclosedString | TokenKind::UnclosedHtml
            );
            let touches = last.range.end() == offset
                && (is_wordish(last.kind) || open || is_line_comment(last.kind));
            touches.then(|| before -= 1).map(|()| last)
        });
        if let Some(token) = touched {
            word = token.range;
            if is_wordish(token.kind) {
                word = joined(doc, &mut before, word);
            }
        } else if let Some(next) = tokens
            .get(before)
            .filter(|next| next.range.start() == offset && is_wordish(next.kind))
        {
            word = joined(doc, &mut before, next.range);
        }
        Self {
            doc,
            offset,
            word,
            before,
        }
    }

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
