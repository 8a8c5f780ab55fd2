//! The tree of a condition: plain data with byte ranges in the decoded text.

use std::ops::Range;

use smol_str::SmolStr;

use crate::value::Number;

/// A parsed condition. An empty one always holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Condition {
    /// The expression; `None` when the text is blank.
    pub root: Option<Expr>,
}

/// An expression and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Bytes of the decoded text.
    pub range: Range<usize>,
}

/// The kinds of expression.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// Two or more alternatives joined by `or`.
    Or(Vec<Expr>),
    /// Two or more requirements joined by `and`.
    And(Vec<Expr>),
    /// `not` of an expression.
    Not(Box<Expr>),
    /// Brackets, kept as they were written.
    Group(Box<Expr>),
    /// Two operands and an operator.
    Compare(Box<Compare>),
    /// One operand alone: its truth.
    Truth(Operand),
    /// A word of graph workflows that is used alone: `on_success`, `always`, …
    Keyword(Keyword),
}

/// A comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// Left of the operator.
    pub left: Operand,
    /// The operator.
    pub op: Op,
    /// Where the operator is.
    pub op_range: Range<usize>,
    /// Right of the operator.
    pub right: Operand,
}

/// One side of a comparison, or a value that is used alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// Bytes of the decoded text; empty where the operand is missing.
    pub range: Range<usize>,
}

/// The kinds of operand.
#[derive(Debug, Clone, PartialEq)]
pub enum OperandKind {
    /// A context key, as written.
    Key(SmolStr),
    /// A key whose value takes this place, written `{{ key }}`.
    Insert(SmolStr),
    /// A quoted text, decoded.
    Text(SmolStr),
    /// A number.
    Number(Number),
    /// `true` or `false`.
    Bool(bool),
    /// `null` or `none`.
    Null,
    /// Unquoted text on the right of a lenient operator, as written.
    Bare(SmolStr),
    /// The operand is missing; there is an error for it.
    Missing,
}

/// The operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// `==`, typed.
    Equal,
    /// `=`, lenient.
    Is,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
    /// `contains`.
    Contains,
    /// `matches`, a regular expression.
    Matches,
    /// `in`.
    In,
    /// `startswith`.
    StartsWith,
    /// `endswith`.
    EndsWith,
}

impl Op {
    /// Every operator, in the order completion offers them.
    pub const ALL: [Self; 12] = [
        Self::Is,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::AtMost,
        Self::Greater,
        Self::AtLeast,
        Self::Contains,
        Self::Matches,
        Self::In,
        Self::StartsWith,
        Self::EndsWith,
    ];

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::Is => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
            Self::Contains => "contains",
            Self::Matches => "matches",
            Self::In => "in",
            Self::StartsWith => "startswith",
            Self::EndsWith => "endswith",
        }
    }
}

/// The words that are whole conditions in graph workflows; they may be combined like any operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// The stage succeeded.
    OnSuccess,
    /// The stage failed and has no retries left.
    OnFail,
    /// The stage failed and has retries left.
    OnRetry,
    /// The stage failed and its retries are used up.
    OnExhaust,
    /// Holds.
    Always,
}

impl Keyword {
    /// Every keyword.
    pub const ALL: [Self; 5] = [
        Self::OnSuccess,
        Self::OnFail,
        Self::OnRetry,
        Self::OnExhaust,
        Self::Always,
    ];

    /// As it is written.
    pub fn word(self) -> &'static str {
        match self {
            Self::OnSuccess => "on_success",
            Self::OnFail => "on_fail",
            Self::OnRetry => "on_retry",
            Self::OnExhaust => "on_exhaust",
            Self::Always => "always",
        }
    }

    /// The keyword a word names, in any case.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|keyword| keyword.word().eq_ignore_ascii_case(word))
    }
}

impl Condition {
    /// Every expression, outer ones before the inner.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let mut stack: Vec<&Expr> = self.root.iter().collect();
        std::iter::from_fn(move || {
            let next = stack.pop()?;
            match &next.kind {
                ExprKind::Or(parts) | ExprKind::And(parts) => stack.extend(parts.iter().rev()),
                ExprKind::Not(inner) | ExprKind::Group(inner) => stack.push(inner),
                ExprKind::Compare(_) | ExprKind::Truth(_) | ExprKind::Keyword(_) => {}
            }
            Some(next)
        })
    }

    /// Every comparison, from left to right.
    pub fn comparisons(&self) -> impl Iterator<Item = &Compare> {
        self.expressions().filter_map(|expr| match &expr.kind {
            ExprKind::Compare(compare) => Some(&**compare),
            _ => None,
        })
    }

    /// Every keyword, from left to right.
    pub fn keywords(&self) -> impl Iterator<Item = Keyword> {
        self.expressions().filter_map(|expr| match expr.kind {
            ExprKind::Keyword(keyword) => Some(keyword),
            _ => None,
        })
    }

    /// Every mention of a context key, from left to right: the key as written and where it is.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &Range<usize>)> {
        self.expressions().flat_map(|expr| {
            let pair = match &expr.kind {
                ExprKind::Compare(compare) => [Some(&compare.left), Some(&compare.right)],
                ExprKind::Truth(operand) => [Some(operand), None],
                _ => [None, None],
            };
            pair.into_iter()
                .flatten()
                .filter_map(|operand| match &operand.kind {
                    OperandKind::Key(key) | OperandKind::Insert(key) => {
                        Some((key.as_str(), &operand.range))
                    }
                    _ => None,
                })
        })
    }
}
