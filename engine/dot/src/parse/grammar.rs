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
//! It is strict, needs no recursion (a body is one word) and never goes back. Its errors say
//! nothing, which makes it fast: a statement it refuses is mended word by word and tried again, alone.

use chumsky::error::EmptyErr;
use chumsky::extra;
use chumsky::input::MapExtra;
use chumsky::inspector::SimpleState;
use chumsky::prelude::*;

use super::gather::Gather;
use super::words::{Word, WordKind};
use crate::ast::{
    Attr, Block, DefaultsStmt, DefaultsTarget, EdgeEnd, EdgeOp, Few, Id, IdKind, NodeRef, Port,
    Stmt, Subgraph,
};
use crate::{TextRange, TokenKind};

pub(super) type Input<'w> = &'w [Word];
pub(super) type Extra = extra::Full<EmptyErr, SimpleState<Gather>, ()>;

/// One statement with its `;`, put on the stack of the [`Gather`]. Bodies of subgraphs are
/// stand-ins, to be put in with [`Stand::take`].
pub(super) fn statement<'w>() -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    let assign = token(TokenKind::Equals)
        .then(value())
        .map(|(eq, value)| AfterId::Value(eq, value));
    let nodes = port()
        .or_not()
        .then(more_nodes())
        .then(edge_tail())
        .then(lists())
        .map(|(((port, more), ()), ())| AfterId::Nodes(port, more));
    let from_id = id()
        .then(choice((assign, nodes)))
        .map_with(|(id, rest), extra| {
            let range = range(extra);
            match rest {
                AfterId::Value(eq, value) => {
                    extra.state().statement(assignment(range, id, eq, value));
                }
                AfterId::Nodes(port, more) => {
                    extra
                        .state()
                        .nodes(one_and(NodeRef { id, port }, more), range);
                }
            }
        });
    let dotted = dotted()
        .then(token(TokenKind::Equals))
        .then(value())
        .map_with(|((key, eq), value), extra| {
            let range = range(extra);
            extra.state().statement(assignment(range, key, eq, value));
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
    choice((from_id, dotted, defaults(), from_subgraph, from_missing))
        .then_ignore(token(TokenKind::Semicolon).or_not())
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
    Nodes(Option<Box<Port>>, Vec<NodeRef>),
}

fn assignment(range: TextRange, key: Id, eq: TextRange, value: Option<Id>) -> Stmt {
    Stmt::Assign(Attr {
        range,
        key,
        eq: solid(eq),
        value,
    })
}

fn one_and(first: NodeRef, mut more: Vec<NodeRef>) -> Few<NodeRef> {
    if more.is_empty() {
        return Few::One(first);
    }
    more.insert(0, first);
    more.into()
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
    operator()
        .then(end)
        .map_with(|(operator, end), extra| extra.state().edge(operator, end))
        .repeated()
        .collect()
}

fn node<'w>() -> impl Parser<'w, Input<'w>, NodeRef, Extra> + Clone {
    id().then(port().or_not())
        .map(|(id, port)| NodeRef { id, port })
}

fn more_nodes<'w>() -> impl Parser<'w, Input<'w>, Vec<NodeRef>, Extra> + Clone {
    token(TokenKind::Comma)
        .ignore_then(node())
        .repeated()
        .collect()
}

fn port<'w>() -> impl Parser<'w, Input<'w>, Box<Port>, Extra> + Clone {
    let part = token(TokenKind::Colon).ignore_then(value());
    part.clone()
        .then(part.or_not())
        .map_with(|(name, compass), extra| {
            Box::new(Port {
                range: range(extra),
                name,
                compass: compass.flatten(),
            })
        })
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
            attributes: Few::default(),
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
    list().repeated().collect()
}

fn list<'w>() -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    let pair = choice((id(), dotted()))
        .then(token(TokenKind::Equals))
        .then(value())
        .map_with(|((key, eq), value), extra| {
            let pair = Attr {
                range: range(extra),
                key,
                eq: solid(eq),
                value,
            };
            extra.state().pair(pair);
        });
    let separator = one_of_tokens(TokenKind::Comma, TokenKind::Semicolon).or_not();
    let pairs = pair.then_ignore(separator).repeated().collect();
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
    select! { Word { kind: WordKind::Operator { directed }, range } => EdgeOp { range, directed } }
}

fn token<'w>(kind: TokenKind) -> impl Parser<'w, Input<'w>, TextRange, Extra> + Clone {
    select! { word if Word::is(word, kind) => word.range }
}

fn one_of_tokens<'w>(
    one: TokenKind,
    other: TokenKind,
) -> impl Parser<'w, Input<'w>, (), Extra> + Clone {
    select! { word if Word::is(word, one) || Word::is(word, other) => () }
}

/// From the first to the last word of what was just parsed.
fn range<'w>(extra: &mut MapExtra<'w, '_, Input<'w>, Extra>) -> TextRange {
    match extra.slice() {
        [one] => one.range,
        [first, .., last] => first.range.cover(last.range),
        [] => TextRange::default(),
    }
}

/// What recovery made up is not there.
fn solid(range: TextRange) -> Option<TextRange> {
    (!range.is_empty()).then_some(range)
}
