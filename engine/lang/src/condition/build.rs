//! Tree of token numbers → the public tree: texts decoded, words recognised, byte ranges found.

use std::ops::Range;

use super::ast::{Compare, Expr, ExprKind, Keyword, Op, Operand, OperandKind};
use super::grammar::{Node, Side};
use super::token::{Spanned, Token};
use crate::value::Number;

/// The text and its tokens; every lookup is total.
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Spanned],
}

impl<'a> Source<'a> {
    /// The bytes of a token; an empty range at the end of the text for a number past the last.
    pub(super) fn range(&self, at: usize) -> Range<usize> {
        let end = self.text.len();
        self.tokens
            .get(at)
            .map_or(end..end, |spanned| spanned.range.clone())
    }

    pub(super) fn token(&self, at: usize) -> Option<Token> {
        self.tokens.get(at).map(|spanned| spanned.token)
    }

    /// What a token is written as; empty past the end.
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.text.get(self.range(at)).unwrap_or_default()
    }

    pub(super) fn expr(&self, node: Node) -> Expr {
        match node {
            Node::Or(parts) => self.joined(parts, ExprKind::Or),
            Node::And(parts) => self.joined(parts, ExprKind::And),
            Node::Not(at, inner) => {
                let inner = self.expr(*inner);
                // `not` precedes what it negates, or is inside it: `x not in y`.
                let start = self.range(at).start.min(inner.range.start);
                let range = start..inner.range.end;
                Expr {
                    kind: ExprKind::Not(Box::new(inner)),
                    range,
                }
            }
            Node::Group(open, close, inner) => {
                let inner = self.expr(*inner);
                let range = self.range(open).start..self.range(close).end;
                Expr {
                    kind: ExprKind::Group(Box::new(inner)),
                    range,
                }
            }
            Node::Compare { left, op, right } => {
                let (left, right) = (self.operand(left), self.operand(right));
                let op_range = self.range(op);
                let range = left.range.start.min(op_range.start)..right.range.end.max(op_range.end);
                let op = self.operator(op);
                let compare = Compare {
                    left,
                    op,
                    op_range,
                    right,
                };
                Expr {
                    kind: ExprKind::Compare(Box::new(compare)),
                    range,
                }
            }
            Node::Truth(side) => {
                let operand = self.operand(side);
                let range = operand.range.clone();
                let kind = match &operand.kind {
                    OperandKind::Key(word) => Keyword::from_word(word).map(ExprKind::Keyword),
                    _ => None,
                };
                Expr {
                    kind: kind.unwrap_or(ExprKind::Truth(operand)),
                    range,
                }
            }
        }
    }

    fn joined(&self, parts: Vec<Node>, make: fn(Vec<Expr>) -> ExprKind) -> Expr {
        let parts: Vec<Expr> = parts.into_iter().map(|part| self.expr(part)).collect();
        let start = parts.first().map_or(0, |part| part.range.start);
        let end = parts.last().map_or(start, |part| part.range.end);
        Expr {
            kind: make(parts),
            range: start..end,
        }
    }

    fn operand(&self, side: Side) -> Operand {
        let at = match side {
            Side::Token(at) => at,
            Side::Hole(at) => {
                let start = self.hole(at);
                return Operand {
                    kind: OperandKind::Missing,
                    range: start..start,
                };
            }
        };
        let word = self.word(at);
        let kind = match self.token(at) {
            Some(Token::Text) => OperandKind::Text(unquote(word).into()),
            Some(Token::Number) => {
                Number::parse(word).map_or(OperandKind::Missing, OperandKind::Number)
            }
            Some(Token::Literal) if word.eq_ignore_ascii_case("true") => OperandKind::Bool(true),
            Some(Token::Literal) if word.eq_ignore_ascii_case("false") => OperandKind::Bool(false),
            Some(Token::Literal) => OperandKind::Null,
            Some(Token::Bare) => OperandKind::Bare(word.into()),
            Some(Token::Insert) => {
                let key = word.trim_matches(['{', '}', ' ', '\t']);
                OperandKind::Insert(key.into())
            }
            _ => OperandKind::Key(word.into()),
        };
        Operand {
            kind,
            range: self.range(at),
        }
    }

    /// Where a missing operand would go: right after the token before it.
    pub(super) fn hole(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.range(before).end)
    }

    fn operator(&self, at: usize) -> Op {
        match self.token(at) {
            Some(Token::Is) => Op::Is,
            Some(Token::NotEqual) => Op::NotEqual,
            Some(Token::Less) => Op::Less,
            Some(Token::AtMost) => Op::AtMost,
            Some(Token::Greater) => Op::Greater,
            Some(Token::AtLeast) => Op::AtLeast,
            Some(Token::Contains) => Op::Contains,
            Some(Token::Matches) => Op::Matches,
            Some(Token::In) => Op::In,
            Some(Token::StartsWith) => Op::StartsWith,
            Some(Token::EndsWith) => Op::EndsWith,
            _ => Op::Equal,
        }
    }
}

/// A quoted text without its quotes: `\"`, `\'`, `\\`, `\n` and `\t` are decoded, other escapes stay.
fn unquote(written: &str) -> String {
    let mut inner = written.chars();
    inner.next();
    inner.next_back();
    let mut text = String::with_capacity(written.len());
    while let Some(c) = inner.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match inner.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some(escaped @ ('"' | '\'' | '\\')) => text.push(escaped),
            Some(other) => text.extend(['\\', other]),
            None => text.push('\\'),
        }
    }
    text
}
