//! Stage 4: from statement tokens to the tree: a chumsky grammar that recovers in place.
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
//! Where the next token does not fit, the last alternative of a choice is a parser that
//! [`recovery`](super::recovery) makes: it reports the token and leaves it out, replaces it, or lets something
//! be missing. So one error costs what it touches and no more. Every other alternative is chosen by the next
//! few tokens and does not go back once it has read them. Braces match already, so the recursion is as deep as
//! braces are nested: at most [`MAX_DEPTH`](super::MAX_DEPTH).

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the path of a method is not general over the lifetimes of the input"
)]

mod attributes;
mod edges;
mod input;
mod plain;

use chumsky::prelude::*;

pub(super) use input::{Preceding, Recovery, StatementState};

use super::edge_operators::{EdgeOperators, OperatorSurvey};
use super::header;
use super::statement_tokens::{Word, WordKind, WordReader};
use crate::ast::{Block, DefaultsStmt, DefaultsTarget, File, Graph, Stmt};
use crate::error::ErrorSink;
use crate::{TextRange, TokenKind, Tokens};
use attributes::{assignment, lists, missing_list};
use edges::{edge_or_node, edge_without_start};
use input::{Grammar, State, kept, recover, token, when};

/// Builds the tree of tokens whose delimiters match. Errors are added to `errors`.
pub(super) fn build_tree(text: &str, tokens: &Tokens, errors: &mut ErrorSink<'_>) -> File {
    let survey = OperatorSurvey::new(tokens, errors);
    let mut file = File::default();
    let mut at = 0;
    let mut preceding = Preceding::Sound;
    while let Some(header) = header::next_header(tokens, &mut at, preceding, errors) {
        let mut operators = EdgeOperators::new(header.directed, &survey, errors);
        preceding = header.preceding;
        let mut reader = WordReader::new(tokens, at);
        let body = graph_body(text, &mut reader, header.directed, &mut preceding, errors);
        let end = reader.next_token();
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

/// The block of a graph, which is parsed some statements at a time.
fn graph_body(
    text: &str,
    reader: &mut WordReader<'_>,
    directed: bool,
    preceding: &mut Preceding,
    errors: &mut ErrorSink<'_>,
) -> Block {
    let open = reader.open().map(|word| word.range).unwrap_or_default();
    let mut all = Statements::default();
    while let Some(words) = reader.statements() {
        let mut state = State::new(text, words, directed, *preceding, errors);
        // Every token can be recovered from, so the parse never fails.
        let parsed = statements().parse_with_state(words, &mut state);
        *preceding = state.preceding;
        all.extend(parsed.into_output().unwrap_or_default());
    }
    let close = reader.close().map_or(open, |word| word.range);
    Block {
        range: open.cover(close),
        statements: all.0.into_boxed_slice(),
        closed: !close.is_empty(),
    }
}

/// The statements of a graph, to the end of the input.
fn statements<'w, 't: 'w>() -> impl Grammar<'w, 't, Statements> {
    let block = recursive(block);
    statement(block).repeated().collect()
}

/// From `{` to `}`.
fn block<'w, 't: 'w>(block: impl Grammar<'w, 't, Block>) -> impl Grammar<'w, 't, Block> {
    let brace = |brace| select! { Word { kind, range } if kind == brace => range };
    when(|input| input.enter_block(), brace(WordKind::OpenBrace))
        .then(statement(block).repeated().collect::<Statements>())
        .then(brace(WordKind::CloseBrace))
        .then_ignore(recover(|input| input.leave_block()))
        .map(|((open, statements), close)| Block {
            range: open.cover(close),
            statements: statements.0.into_boxed_slice(),
            closed: !close.is_empty(),
        })
}

/// What was read as one statement.
enum Parsed {
    Statement(Stmt),
    Error(TextRange),
}

/// One statement with its `;`, or one that is only an error.
fn statement<'w, 't: 'w>(block: impl Grammar<'w, 't, Block>) -> impl Grammar<'w, 't, Parsed> {
    let edge_or_node = edge_or_node(block.clone()).boxed();
    let assignment = when(|input| input.begins_assignment(), assignment()).map(Stmt::Assign);
    let without_start = when(
        |input| input.kind(0).is_some_and(WordKind::is_operator),
        edge_without_start(block).boxed(),
    );
    let list_of_nothing = when(
        |input| input.sees(0, TokenKind::LeftBracket),
        recover(|input| input.report_list_of_nothing()),
    )
    .ignore_then(lists())
    .to(None);
    let stray = when(
        |input| input.is_stray(),
        recover(|input| input.skip_stray()).to(None),
    );
    let statement = choice((
        when(|input| input.begins_with_node(), edge_or_node.clone()).map(Some),
        assignment.map(Some),
        without_start.map(Some),
        defaults(edge_or_node.clone()).boxed().map(Some),
        list_of_nothing,
        stray,
        edge_or_node.map(Some),
    ));
    when(
        |input| input.enter_statement(),
        statement.then_ignore(token(TokenKind::Semicolon).or_not()),
    )
    .map_with(|statement, extra| {
        let words: &[Word] = extra.slice();
        let range = match words {
            [first, .., last] => first.range.cover(last.range),
            [one] => one.range,
            [] => TextRange::default(),
        };
        extra.state().leave_statement(range);
        statement.map_or(Parsed::Error(range), Parsed::Statement)
    })
}

/// `node [x=1]`
fn defaults<'w, 't: 'w>(edge_or_node: impl Grammar<'w, 't, Stmt>) -> impl Grammar<'w, 't, Stmt> {
    let keyword = select! {
        Word { kind: WordKind::Token(TokenKind::Graph), range } => (DefaultsTarget::Graph, range),
        Word { kind: WordKind::Token(TokenKind::Node), range } => (DefaultsTarget::Node, range),
        Word { kind: WordKind::Token(TokenKind::Edge), range } => (DefaultsTarget::Edge, range),
    };
    // Graphviz accepts `graph name = [..]`, warns, and forgets the name.
    let name = recover(|input| input.skip_name_of_defaults());
    let sound = when(|input| input.sees(1, TokenKind::LeftBracket), keyword);
    let named = when(|input| input.names_defaults(), keyword).then_ignore(name);
    let before_surplus = when(|input| input.has_surplus_before_list(), keyword)
        .then_ignore(recover(|input| input.skip_surplus()));
    let before_unexpected = when(|input| input.has_unexpected_before_list(), keyword)
        .then_ignore(recover(|input| input.skip_before_list()));
    let with_list = choice((sound, named, before_surplus, before_unexpected)).then(lists());
    let as_id = when(
        |input| input.sees(1, TokenKind::Equals),
        assignment().map(Stmt::Assign),
    )
    .or(edge_or_node);
    let without_list = recover(|input| input.report_defaults_without_list())
        .ignore_then(keyword)
        .then(missing_list());
    let defaults = with_list.or(without_list);
    let defaults = defaults.map_with(|((target, keyword), attributes), extra| {
        Stmt::Defaults(DefaultsStmt {
            range: kept(extra),
            target,
            keyword,
            attributes,
        })
    });
    when(
        |input| input.begins_defaults(),
        when(|input| input.keyword_is_id(), as_id).or(defaults),
    )
}

/// Statements in order, as many errors that touch as one.
#[derive(Default)]
struct Statements(Vec<Stmt>);

impl FromIterator<Parsed> for Statements {
    fn from_iter<I: IntoIterator<Item = Parsed>>(parsed: I) -> Self {
        let mut statements = Self::default();
        for parsed in parsed {
            statements.push(parsed);
        }
        statements
    }
}

impl Statements {
    /// Adds a statement, or text that is not one. If that touches the error before it, the two are one, so that
    /// garbage is one error and not one for each of its characters.
    fn push(&mut self, parsed: Parsed) {
        match (parsed, self.0.last_mut()) {
            (Parsed::Statement(statement), _) => self.0.push(statement),
            (Parsed::Error(range), Some(Stmt::Error(last))) if last.end() == range.start() => {
                *last = last.cover(range);
            }
            (Parsed::Error(range), _) if range.is_empty() => {}
            (Parsed::Error(range), _) => self.0.push(Stmt::Error(range)),
        }
    }

    /// Adds those of the next part of the graph. The first of them may be an error that touches the last one.
    fn extend(&mut self, others: Self) {
        let mut others = others.0.into_iter();
        match others.next() {
            Some(Stmt::Error(range)) => self.push(Parsed::Error(range)),
            first => self.0.extend(first),
        }
        self.0.extend(others);
    }
}
