//! The grammar of statements, in chumsky, over [`Word`]s.
//!
//! ```text
//! statement = id '=' value
//!           | ('graph' | 'node' | 'edge') (id '=')? list+
//!           | end (operator end)* list*                      each with an optional ';'
//! end       = node (',' node)* | ('subgraph' id?)? body
//! node      = id (':' id (':' id)?)?
//! list      = '[' (id '=' value [,;]?)* ']'
//! ```
//!
//! It is strict, needs no recursion (a body is one word) and never goes back: the next word alone
//! tells whether a part that may be missing is there ([`when`], [`while_next`]). Its errors say
//! nothing, which makes it fast: a statement it refuses is mended word by word and tried again, alone.

use chumsky::error::EmptyErr;
use chumsky::extra;
use chumsky::input::{InputRef, MapExtra};
use chumsky::inspector::SimpleState;
use chumsky::prelude::*;

use super::gather::Gather;
use super::words::{Word, WordKind};
use crate::ast::{
    Attr, Block, DefaultsStmt, DefaultsTarget, EdgeEnd, EdgeOp, Id, IdKind, NodeRef, OneOrMany,
    Port, Stmt, Subgraph,
};
use crate::{TextRange, TokenKind};

pub(super) type Input<'w> = &'w [Word];
pub(super) type Extra = extra::Full<EmptyErr, SimpleState<Gather>, ()>;

/// One statement with its `;`, put on the stack of the [`Gather`]. Bodies of subgraphs are
/// stand-ins, to be put in with [`Stand::take`].
pub(super) fn statement<'w>() -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    let assign = token(TokenKind::Equals)
        .then(value())
        .map(|(equals, value)| AfterId::Value(equals, value));
    let nodes = port_if_any()
        .then(more_nodes())
        .then(edge_tail())
        .then(lists())
        .map(|(((port, more), ()), ())| AfterId::Nodes(port, more));
    let from_id = id()
        .then(either(|next| next.is(TokenKind::Equals), assign, nodes))
        .map_with(|(id, rest), extra| match rest {
            AfterId::Value(equals, value) => {
                let pair = Attr::new(id, equals, value);
                extra.state().statement(Stmt::Assign(pair));
            }
            AfterId::Nodes(port, more) => {
                let range = range(extra);
                extra
                    .state()
                    .nodes(one_and(NodeRef { id, port }, more), range);
            }
        });
    let dotted = dotted()
        .then(token(TokenKind::Equals))
        .then(value())
        .map_with(|((key, equals), value), extra| {
            let pair = Attr::new(key, equals, value);
            extra.state().statement(Stmt::Assign(pair));
        });
    let from_subgraph =
        subgraph()
            .then(edge_tail())
            .then(lists())
            .map_with(|((subgraph, ()), ()), extra| {
                let range = range(extra);
                let gather = extra.state();
                if gather.is_edge() {
                    return gather.edges(EdgeEnd::Subgraph(Box::new(subgraph)), range);
                }
                let attributes = gather.lists();
                gather.statement(Stmt::Subgraph(Box::new(Subgraph {
                    range,
                    attributes,
                    ..subgraph
                })));
            });
    let from_missing =
        missing()
            .then(edge_tail())
            .then(lists())
            .map_with(|((missing, ()), ()), extra| {
                let range = range(extra);
                extra.state().edges(EdgeEnd::Missing(missing), range);
            });
    choice((from_id, dotted, defaults(), from_subgraph, from_missing)).then_ignore(when(
        |next| next.is(TokenKind::Semicolon),
        token(TokenKind::Semicolon).ignored(),
    ))
}

/// `one` where the next word passes `test`, else `other`.
fn either<'w, O>(
    test: impl Fn(Word) -> bool + Clone,
    one: impl Parser<'w, Input<'w>, O, Extra> + Clone,
    other: impl Parser<'w, Input<'w>, O, Extra> + Clone,
) -> impl Parser<'w, Input<'w>, O, Extra> + Clone {
    custom(move |input| {
        if sees(input, &test) {
            input.parse(&one)
        } else {
            input.parse(&other)
        }
    })
}

/// `parser` where the next word passes `test`, else nothing.
fn when<'w, O: Default>(
    test: impl Fn(Word) -> bool + Clone,
    parser: impl Parser<'w, Input<'w>, O, Extra> + Clone,
) -> impl Parser<'w, Input<'w>, O, Extra> + Clone {
    either(test, parser, empty().map(|()| O::default()))
}

/// `parser` again and again, while the next word passes `test`.
fn while_next<'w>(
    test: impl Fn(Word) -> bool + Clone,
    parser: impl Parser<'w, Input<'w>, (), Extra> + Clone,
) -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    custom(move |input| {
        while sees(input, &test) {
            input.parse(&parser)?;
        }
        Ok(())
    })
}

fn sees<'w>(input: &mut InputRef<'w, '_, Input<'w>, Extra>, test: impl Fn(Word) -> bool) -> bool {
    input.peek().is_some_and(test)
}

/// A stand-in for a body: an empty block with its range.
pub(super) struct Stand;

impl Stand {
    fn of(range: TextRange) -> Block {
        Block {
            range,
            ..Block::default()
        }
    }

    /// Puts the bodies of a statement in their places; `bodies` are in order.
    pub(super) fn take(statement: &mut Stmt, bodies: &mut impl Iterator<Item = Block>) {
        match statement {
            Stmt::Subgraph(subgraph) => Self::fill(subgraph, bodies),
            Stmt::Edge(edge) => edge.ends.iter_mut().for_each(|end| {
                if let EdgeEnd::Subgraph(subgraph) = end {
                    Self::fill(subgraph, bodies);
                }
            }),
            Stmt::Node(_) | Stmt::Defaults(_) | Stmt::Assign(_) | Stmt::Error(_) => {}
        }
    }

    fn fill(subgraph: &mut Subgraph, bodies: &mut impl Iterator<Item = Block>) {
        if let Some(body) = &mut subgraph.body
            && let Some(parsed) = bodies.find(|parsed| parsed.range == body.range)
        {
            *body = parsed;
        }
    }
}

/// What can follow the identifier a statement begins with.
enum AfterId {
    Value(TextRange, Option<Id>),
    Nodes(Option<Box<Port>>, Option<Vec<NodeRef>>),
}

#[inline]
fn one_and(first: NodeRef, more: Option<Vec<NodeRef>>) -> OneOrMany<NodeRef> {
    match more {
        None => OneOrMany::One(first),
        Some(more) => std::iter::once(first)
            .chain(more)
            .collect::<Vec<_>>()
            .into(),
    }
}

/// The operators and ends behind the first end of an edge.
fn edge_tail<'w>() -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    let end = choice((
        node()
            .then(more_nodes())
            .map(|(first, more)| EdgeEnd::Nodes(one_and(first, more))),
        subgraph().map(|subgraph| EdgeEnd::Subgraph(Box::new(subgraph))),
        missing().map(EdgeEnd::Missing),
    ));
    let edge = operator()
        .then(end)
        .map_with(|(operator, end), extra| extra.state().edge(operator, end));
    while_next(|next| matches!(next.kind, WordKind::Operator { .. }), edge)
}

fn node<'w>() -> impl Parser<'w, Input<'w>, NodeRef, Extra> + Clone {
    id().then(port_if_any())
        .map(|(id, port)| NodeRef { id, port })
}

fn more_nodes<'w>() -> impl Parser<'w, Input<'w>, Option<Vec<NodeRef>>, Extra> + Clone {
    let node = token(TokenKind::Comma).ignore_then(node());
    let nodes = node.repeated().collect().map(Some);
    when(|next| next.is(TokenKind::Comma), nodes)
}

fn port_if_any<'w>() -> impl Parser<'w, Input<'w>, Option<Box<Port>>, Extra> + Clone {
    let name = token(TokenKind::Colon).ignore_then(value());
    let port = name
        .clone()
        .then(name.or_not())
        .map_with(|(name, compass), extra| {
            Some(Box::new(Port {
                range: range(extra),
                name,
                compass: compass.flatten(),
            }))
        });
    when(|next| next.is(TokenKind::Colon), port)
}

fn subgraph<'w>() -> impl Parser<'w, Input<'w>, Subgraph, Extra> + Clone {
    let header = token(TokenKind::Subgraph).then(id().or_not());
    let named = header
        .then(body())
        .map(|((keyword, id), body)| (Some(keyword), id, body));
    choice((named, body().map(|body| (None, None, body)))).map_with(|(keyword, id, body), extra| {
        Subgraph {
            range: range(extra),
            keyword,
            id,
            body,
            attributes: OneOrMany::default(),
        }
    })
}

fn defaults<'w>() -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    let target = select! {
        Word { kind: WordKind::Token(TokenKind::Graph), range } => (DefaultsTarget::Graph, range),
        Word { kind: WordKind::Token(TokenKind::Node), range } => (DefaultsTarget::Node, range),
        Word { kind: WordKind::Token(TokenKind::Edge), range } => (DefaultsTarget::Edge, range),
    };
    // Graphviz accepts `graph name = [..]`, warns, and forgets the name.
    let name = id().then_ignore(token(TokenKind::Equals)).or_not();
    target
        .then_ignore(name)
        .then(list().repeated().at_least(1).collect())
        .map_with(|((target, keyword), ()), extra| {
            let range = range(extra);
            let gather = extra.state();
            let attributes = gather.lists();
            gather.statement(Stmt::Defaults(DefaultsStmt {
                range,
                target,
                keyword,
                attributes,
            }));
        })
}

/// The lists behind a statement.
fn lists<'w>() -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    while_next(|next| next.is(TokenKind::LeftBracket), list())
}

fn list<'w>() -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    let key = select! {
        Word { kind: WordKind::Id(kind), range } => Id { range, kind },
        Word { kind: WordKind::Key, range } => Id { range, kind: IdKind::Extended },
    };
    let separator = select! {
        word if is_separator(word) => (),
    };
    let pair = key.then(token(TokenKind::Equals)).then(value()).map_with(
        |((key, equals), value), extra| {
            extra.state().pair(Attr::new(key, equals, value));
        },
    );
    let pairs = while_next(
        |next| matches!(next.kind, WordKind::Id(_) | WordKind::Key),
        pair.then_ignore(when(is_separator, separator)),
    );
    token(TokenKind::LeftBracket)
        .ignore_then(pairs)
        .then(token(TokenKind::RightBracket))
        .map_with(|((), close), extra| {
            let range = range(extra);
            extra.state().list(range, !close.is_empty());
        })
}

fn id<'w>() -> impl Parser<'w, Input<'w>, Id, Extra> + Clone {
    select! { Word { kind: WordKind::Id(kind), range } => Id { range, kind } }
}

/// `human.default_choice`
fn dotted<'w>() -> impl Parser<'w, Input<'w>, Id, Extra> + Clone {
    select! { Word { kind: WordKind::Key, range } => Id { range, kind: IdKind::Extended } }
}

/// An identifier, or nothing where recovery says that one is missing.
fn value<'w>() -> impl Parser<'w, Input<'w>, Option<Id>, Extra> + Clone {
    select! {
        Word { kind: WordKind::Id(kind), range } => Some(Id { range, kind }),
        Word { kind: WordKind::Missing, .. } => None,
    }
}

fn missing<'w>() -> impl Parser<'w, Input<'w>, TextRange, Extra> + Clone {
    select! { Word { kind: WordKind::Missing, range } => range }
}

fn body<'w>() -> impl Parser<'w, Input<'w>, Option<Block>, Extra> + Clone {
    select! {
        Word { kind: WordKind::Body, range } => Some(Stand::of(range)),
        Word { kind: WordKind::NoBody, .. } => None,
    }
}

fn operator<'w>() -> impl Parser<'w, Input<'w>, EdgeOp, Extra> + Clone {
    select! { Word { kind: WordKind::Operator { directed }, range } => EdgeOp::new(range, directed) }
}

fn token<'w>(kind: TokenKind) -> impl Parser<'w, Input<'w>, TextRange, Extra> + Clone {
    select! { word if Word::is(word, kind) => word.range }
}

fn is_separator(word: Word) -> bool {
    word.is(TokenKind::Comma) || word.is(TokenKind::Semicolon)
}

/// From the first to the last word of what was just parsed.
fn range<'w>(extra: &mut MapExtra<'w, '_, Input<'w>, Extra>) -> TextRange {
    match extra.slice() {
        [one] => one.range,
        [first, .., last] => first.range.cover(last.range),
        [] => TextRange::default(),
    }
}
