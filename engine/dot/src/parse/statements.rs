//! Stage 4: from statement tokens to the tree, by recursive descent.
//!
//! ```text
//! graph     = 'strict'? ('graph' | 'digraph') id? block                 header.rs
//! block     = '{' (statement ';'?)* '}'                                 here
//! statement = id '=' value
//!           | ('graph' | 'node' | 'edge') (id '=')? list+
//!           | end (operator end)* list*
//! end       = node (',' node)* | ('subgraph' id?)? block                statements/edges.rs
//! node      = id (':' id (':' id)?)?
//! list      = '[' (id '=' value [,;]?)* ']'                             statements/attributes.rs
//! ```
//!
//! ```text
//! input:   { a -> ; b [x=1] }
//! output:  Block { Edge { a, Missing }, Node { b, [x=1] } }   and: expected a node after `->`
//! ```
//!
//! The files under `statements/` read what is right. Where the next token does not fit, they call
//! [`recovery`](super::recovery), which reports it and leaves it out, replaces it, or lets the parser
//! continue without it. So one error costs what it touches and no more. Braces match already, so the
//! recursion is as deep as braces are nested: at most [`MAX_DEPTH`](super::MAX_DEPTH).

mod attributes;
mod edges;

use smallvec::SmallVec;

use super::edge_operators::{EdgeOperators, OperatorSurvey};
use super::statement_tokens::{Word, WordKind, WordReader};
use super::{header, lines};
use crate::ast::{Attr, AttrList, Block, DefaultsStmt, DefaultsTarget, File, Graph, Stmt};
use crate::error::ErrorSink;
use crate::{TextRange, TokenKind, Tokens};

/// Builds the tree of tokens whose delimiters match. Errors are added to `errors`.
pub(super) fn build_tree(text: &str, tokens: &Tokens, errors: &mut ErrorSink<'_>) -> File {
    let survey = OperatorSurvey::new(tokens, errors);
    let mut file = File::default();
    let mut at = 0;
    let mut preceding = Preceding::Sound;
    while let Some(header) = header::next_header(tokens, &mut at, preceding, errors) {
        let mut operators = EdgeOperators::new(header.directed, &survey, errors);
        let mut parser = StatementParser {
            text,
            words: WordReader::new(tokens, at),
            directed: header.directed,
            errors,
            last: TextRange::default(),
            pairs: Vec::new(),
            preceding: header.preceding,
            state: StatementState::default(),
        };
        let body = parser.block();
        preceding = parser.preceding;
        let end = parser.words.next_token();
        operators.count(text, tokens, at..end);
        at = end;
        let directed = operators.finish(&header, errors);
        file.graphs.push(Graph {
            range: header.range.cover(body.range),
            strict: header.strict,
            directed,
            keyword: header.keyword,
            id: header.id,
            body,
        });
    }
    file.graphs.shrink_to_fit();
    file
}

/// What precedes a statement or a graph: something sound or nothing, or something with an error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Preceding {
    #[default]
    Sound,
    Broken,
}

/// Reads the statements of one graph.
pub(super) struct StatementParser<'a, 't> {
    pub(super) text: &'a str,
    pub(super) words: WordReader<'a>,
    pub(super) directed: bool,
    pub(super) errors: &'a mut ErrorSink<'t>,
    /// The last token that became part of the tree.
    last: TextRange,
    /// The pairs of the list that is being read.
    pairs: Vec<Attr>,
    /// What precedes the next statement.
    preceding: Preceding,
    pub(super) state: StatementState,
}

/// What recovery knows about the statement that is being read.
#[derive(Clone, Copy, Default)]
pub(super) struct StatementState {
    /// The index of its first token.
    pub(super) start: usize,
    /// Where its last error was reported.
    pub(super) reported: Option<usize>,
    /// Whether it is only the rest of the broken statement before it.
    pub(super) continues_error: bool,
}

impl StatementParser<'_, '_> {
    /// From `{` to `}`.
    fn block(&mut self) -> Block {
        let start = self.words.position();
        let outer = self.state;
        if start > 0 {
            self.preceding = self.header_is_broken();
        }
        let open = self.keep();
        let mut statements = Vec::new();
        while self.kind(0).is_some() {
            self.statement(&mut statements);
        }
        let close = self.keep();
        // To the statement around it, a block is one token.
        let inside = self.words.position().saturating_sub(start + 1);
        self.state = StatementState {
            start: outer.start + inside,
            reported: outer.reported.map(|at| at + inside),
            ..outer
        };
        Block {
            range: open.cover(close),
            statements: statements.into_boxed_slice(),
            closed: !close.is_empty(),
        }
    }

    /// One statement with its `;`, or one that is only an error.
    fn statement(&mut self, statements: &mut Vec<Stmt>) {
        let start = self.words.position();
        let first = self.next_range();
        self.state = StatementState {
            start,
            reported: None,
            continues_error: self.preceding == Preceding::Broken && self.begins_no_statement(),
        };
        let statement = self.statement_without_semicolon();
        if self.sees(0, TokenKind::Semicolon) || self.words.position() == start {
            self.words.advance();
        }
        let range = self
            .words
            .before(1)
            .map_or(first, |last| first.cover(last.range));
        let is_broken = self.state.continues_error || self.state.reported.is_some();
        self.preceding = if is_broken {
            Preceding::Broken
        } else {
            Preceding::Sound
        };
        if is_broken {
            self.errors.mark_broken(range);
        }
        match statement {
            Some(statement) => statements.push(statement),
            None => push_error(statements, range),
        }
    }

    /// What a statement begins with shows what it is. `None` if nothing of it can be kept.
    fn statement_without_semicolon(&mut self) -> Option<Stmt> {
        let first = self.words.peek(0)?;
        let first = match first.kind {
            kind if kind.is_id_like() && self.begins_assignment() => {
                return self.pair_with_equals().map(Stmt::Assign);
            }
            WordKind::Operator { .. } => self.missing_edge_start(first.range),
            WordKind::Token(TokenKind::Graph | TokenKind::Node | TokenKind::Edge) => {
                return Some(self.defaults(first));
            }
            WordKind::Token(kind) if !kind.is_keyword() => {
                self.skip_stray(first);
                return None;
            }
            _ => self.end(),
        };
        Some(self.node_or_edge(first))
    }

    fn begins_assignment(&self) -> bool {
        self.sees(1, TokenKind::Equals) && !self.is_operator_like(2) && !self.has_surplus_equals()
    }

    /// `node [x=1]`
    fn defaults(&mut self, keyword: Word) -> Stmt {
        let is_named = matches!(self.kind(1), Some(WordKind::Id(_)))
            && self.sees(2, TokenKind::Equals)
            && self.sees(3, TokenKind::LeftBracket);
        if self.sees(1, TokenKind::LeftBracket) {
            self.keep();
        } else if is_named {
            // Graphviz accepts `graph name = [..]`, warns, and forgets the name.
            self.keep();
            self.words.advance();
            self.words.advance();
        } else if let Some(statement) = self.recover_defaults(keyword) {
            return statement;
        }
        let attributes = self.lists();
        self.defaults_with(keyword, attributes)
    }

    pub(super) fn defaults_with(&self, keyword: Word, attributes: SmallVec<[AttrList; 1]>) -> Stmt {
        let target = match keyword.kind {
            WordKind::Token(TokenKind::Node) => DefaultsTarget::Node,
            WordKind::Token(TokenKind::Edge) => DefaultsTarget::Edge,
            _ => DefaultsTarget::Graph,
        };
        Stmt::Defaults(DefaultsStmt {
            range: keyword.range.cover(self.last),
            target,
            keyword: keyword.range,
            attributes,
        })
    }

    /// Whether `subgraph name` and another name precede the `{` that comes next.
    fn header_is_broken(&self) -> Preceding {
        let is_id = |back| matches!(self.words.before(back), Some(word) if matches!(word.kind, WordKind::Id(_)));
        let keyword = self
            .words
            .before(3)
            .filter(|word| word.is(TokenKind::Subgraph));
        if keyword.is_some() && is_id(2) && is_id(1) {
            Preceding::Broken
        } else {
            Preceding::Sound
        }
    }

    pub(super) fn kind(&self, ahead: usize) -> Option<WordKind> {
        self.words.peek(ahead).map(|word| word.kind)
    }

    pub(super) fn sees(&self, ahead: usize, kind: TokenKind) -> bool {
        self.kind(ahead) == Some(WordKind::Token(kind))
    }

    pub(super) fn sees_id(&self, ahead: usize) -> bool {
        self.kind(ahead).is_some_and(WordKind::is_id_like)
    }

    pub(super) fn sees_keyword(&self, ahead: usize) -> bool {
        self.kind(ahead).is_some_and(WordKind::is_keyword)
    }

    /// Makes the next token part of the tree.
    pub(super) fn keep(&mut self) -> TextRange {
        if let Some(word) = self.words.advance() {
            self.last = word.range;
        }
        self.last
    }

    /// The end of what was read so far: where something that is missing would be.
    pub(super) fn here(&self) -> TextRange {
        TextRange::empty(self.words.before(1).map_or(0, |word| word.range.end()))
    }

    /// The same, made part of the tree.
    pub(super) fn keep_missing(&mut self) -> TextRange {
        self.last = self.here();
        self.last
    }

    pub(super) fn next_range(&self) -> TextRange {
        self.words.peek(0).map_or(self.here(), |word| word.range)
    }

    /// Whether the next token is on a later line than the last one.
    pub(super) fn on_new_line(&self) -> bool {
        let next = self
            .words
            .peek(0)
            .map_or(self.text.len(), |word| word.range.start());
        lines::ends_between(self.text, self.here().end(), next)
    }
}

/// Adds text that is not a statement. If it touches the error before it, the two are one, so that garbage is
/// one error and not one for each of its characters.
fn push_error(statements: &mut Vec<Stmt>, range: TextRange) {
    match statements.last_mut() {
        Some(Stmt::Error(last)) if last.end() == range.start() => *last = last.cover(range),
        _ if range.is_empty() => {}
        _ => statements.push(Stmt::Error(range)),
    }
}
