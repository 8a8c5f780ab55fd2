//! Tokens → tree, with chumsky. Never fails: whatever does not fit becomes a [`Problem`] and a hole.
//!
//! Each alternative is chosen by its first token, so parsing is linear and nothing is reported twice.
//! Nesting is counted before, in [`too_deep`]; the grammar is only ever asked for shallow input.

use chumsky::error::{Error, LabelError};
use chumsky::input::Input;
use chumsky::prelude::*;
use chumsky::util::MaybeRef;

use super::token::{Spanned, Token};

/// How deep brackets and `not` may nest.
pub(super) const DEEPEST: usize = 48;

/// What is wrong, in token numbers; `errors` finds the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    /// An operand must precede token `at`.
    Missing { at: usize },
    /// These tokens fit nowhere.
    Junk { from: usize, to: usize },
    /// The bracket at `open` is never closed.
    Unclosed { open: usize },
    /// The `)` at `close` has no partner.
    Surplus { close: usize },
}

/// A tree in token numbers, turned into the public one by `build`.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Or(Vec<Node>),
    And(Vec<Node>),
    Not(usize, Box<Node>),
    Group(usize, usize, Box<Node>),
    Compare { left: Side, op: usize, right: Side },
    Truth(Side),
}

/// An operand: the number of its token, or a hole before that token.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Token(usize),
    Hole(usize),
}

impl<'a, I: Input<'a>> Error<'a, I> for Problem {}

impl<'a, I: Input<'a>, L> LabelError<'a, I, L> for Problem {
    fn expected_found<E: IntoIterator<Item = L>>(
        _expected: E,
        _found: Option<MaybeRef<'a, I::Token>>,
        _span: I::Span,
    ) -> Self {
        // Only an alternative that is not taken ends here; the choice after it continues.
        Self::Missing { at: 0 }
    }
}

type Extra = extra::Err<Problem>;

/// The first token at which brackets or `not`s nest deeper than [`DEEPEST`].
pub(super) fn too_deep(tokens: &[Spanned]) -> Option<&Spanned> {
    let mut open: Vec<usize> = Vec::new();
    let mut depth = 0usize;
    let mut nots = 0usize;
    tokens.iter().find(|spanned| {
        match spanned.token {
            Token::Not => nots += 1,
            Token::Open => {
                open.push(nots + 1);
                depth += nots + 1;
                nots = 0;
            }
            Token::Close => {
                depth -= open.pop().unwrap_or(0);
                nots = 0;
            }
            _ => nots = 0,
        }
        depth + nots > DEEPEST
    })
}

/// Parses all of `tokens`, which must not be empty nor [`too_deep`].
pub(super) fn parse(tokens: &[Token]) -> (Option<Node>, Vec<Problem>) {
    condition().parse(tokens).into_output_errors()
}

fn condition<'a>() -> impl Parser<'a, &'a [Token], Node, Extra> {
    let index = |span: SimpleSpan| span.start;
    let one = move |token: Token| just(token).map_with(move |_, e| index(e.span()));
    let operand = any()
        .filter(|token: &Token| token.is_operand())
        .map_with(move |_, e| Side::Token(index(e.span())));
    let operator = any()
        .filter(|token: &Token| token.is_operator())
        .map_with(move |_, e| index(e.span()));

    // Tokens that fit nowhere, up to a connective; brackets among them are taken whole.
    let bracketed = recursive(|bracketed| {
        choice((bracketed, none_of([Token::Open, Token::Close]).ignored()))
            .repeated()
            .delimited_by(just(Token::Open), just(Token::Close).or_not())
    });
    let stray = choice((
        bracketed,
        none_of([Token::And, Token::Or, Token::Open, Token::Close]).ignored(),
    ));
    let junk = stray.repeated().at_least(1).validate(|(), e, emitter| {
        let span: SimpleSpan = e.span();
        emitter.emit(Problem::Junk {
            from: span.start,
            to: span.end,
        });
        Side::Hole(span.start)
    });
    let hole = empty().validate(move |(), e, emitter| {
        let at = index(e.span());
        emitter.emit(Problem::Missing { at });
        Side::Hole(at)
    });

    let expression = recursive(|expression| {
        let group = one(Token::Open)
            .then(expression)
            .then(one(Token::Close).or_not())
            .validate(|((open, inner), close), e, emitter| {
                let span: SimpleSpan = e.span();
                if close.is_none() {
                    emitter.emit(Problem::Unclosed { open });
                }
                Node::Group(
                    open,
                    close.unwrap_or(span.end.saturating_sub(1)),
                    Box::new(inner),
                )
            })
            .then_ignore(junk.clone().or_not());
        let right = choice((operand, junk.clone(), hole));
        // `x not in y`, `x !contains y`: other engines and Python write it so.
        let word_operator = any()
            .filter(|token: &Token| token.is_word_operator())
            .map_with(move |_, e| index(e.span()));
        let negated_operator = one(Token::Not)
            .then(word_operator)
            .map(|(not, op)| (Some(not), op));
        let any_operator = choice((negated_operator, operator.map(|op| (None, op))));
        let comparison = operand
            .then(any_operator.then(right.clone()).or_not())
            .map(|(left, rest)| match rest {
                Some(((not, op), right)) => {
                    let compare = Node::Compare { left, op, right };
                    match not {
                        Some(not) => Node::Not(not, Box::new(compare)),
                        None => compare,
                    }
                }
                None => Node::Truth(left),
            })
            .then_ignore(junk.clone().or_not());
        // `= success`: the left side is missing, the rest is fine.
        let headless = hole
            .then(operator.then(right))
            .map(|(left, (op, right))| Node::Compare { left, op, right })
            .then_ignore(junk.clone().or_not());
        let primary = choice((
            group,
            comparison,
            operator.rewind().ignore_then(headless),
            junk.map(Node::Truth),
            hole.map(Node::Truth),
        ));
        let negated = one(Token::Not)
            .repeated()
            .collect::<Vec<_>>()
            .then(primary)
            .map(|(nots, primary)| {
                nots.into_iter()
                    .rev()
                    .fold(primary, |inner, at| Node::Not(at, Box::new(inner)))
            });
        let all = joined(negated, Token::And, Node::And);
        joined(all, Token::Or, Node::Or)
    });

    // After a surplus `)` what follows is parsed as if it were not there.
    let surplus = one(Token::Close)
        .validate(|close, _, emitter| emitter.emit(Problem::Surplus { close }))
        .ignore_then(
            just(Token::And)
                .or(just(Token::Or))
                .ignore_then(expression.clone())
                .or_not(),
        );
    expression
        .then(surplus.repeated().collect::<Vec<_>>())
        .then_ignore(end())
        .map(|(first, rest)| {
            let mut parts = vec![first];
            parts.extend(rest.into_iter().flatten());
            single_or(parts, Node::And)
        })
}

fn joined<'a>(
    part: impl Parser<'a, &'a [Token], Node, Extra> + Clone,
    connective: Token,
    make: fn(Vec<Node>) -> Node,
) -> impl Parser<'a, &'a [Token], Node, Extra> + Clone {
    part.clone()
        .then(
            just(connective)
                .ignore_then(part)
                .repeated()
                .collect::<Vec<_>>(),
        )
        .map(move |(first, rest)| {
            let mut parts = vec![first];
            parts.extend(rest);
            single_or(parts, make)
        })
}

fn single_or(mut parts: Vec<Node>, make: fn(Vec<Node>) -> Node) -> Node {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            make(parts)
        }
        None => make(parts),
    }
}
