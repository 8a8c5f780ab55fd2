//! Does a condition hold? Total: every condition has an answer in every context, and nothing is run.
//!
//! Besides the answer it gives each clause with the values that decided it ("why did this edge win") and
//! warnings in words, such as an order asked of things that have none. Clauses that a person would not
//! look at, because an earlier one decided, warn about nothing.

use super::ast::{Compare, Condition, Expr, ExprKind, Keyword, Op, Operand, OperandKind};
use crate::lookup::{Lookup, find};
use crate::status::Status;
use crate::value::{Number, Value};

mod compare;

use compare::{is_status, lenient, ordered, textual, typed, within};
pub(super) use compare::{is_status_key, regular_expression};

/// What a condition is evaluated against.
pub struct Facts<'a> {
    /// The context of the run.
    pub context: &'a dyn Lookup,
    /// How the stage before the edge ended; also the value of `outcome`.
    pub status: Status,
    /// Whether the stage may be run again; `on_retry` against `on_fail` and `on_exhaust`.
    pub retries_left: bool,
    /// The labels of the node's outgoing edges; a bare word of `==` that names one is that text.
    pub labels: &'a [String],
}

/// The answer and its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Whether the condition holds.
    pub value: bool,
    /// Every comparison, truth test and keyword, from left to right.
    pub clauses: Vec<Clause>,
    /// What a person should know: mismatched types, bad patterns.
    pub warnings: Vec<String>,
}

/// One part of a condition that is true or false by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause {
    /// As it is printed.
    pub text: String,
    /// Whether it holds.
    pub value: bool,
    /// Whether the answer depended on it; `false` when an earlier clause had decided.
    pub reached: bool,
    /// The keys it looked up, with their values; missing ones as [`Value::Null`].
    pub operands: Vec<(String, Value)>,
}

/// Evaluates a condition; an empty one holds. A part with a syntax error does not hold, and says so.
pub fn evaluate(condition: &Condition, facts: &Facts<'_>) -> Evaluation {
    let mut evaluator = Evaluator {
        facts,
        detail: Detail::Reasons,
        clauses: Vec::new(),
        warnings: Vec::new(),
    };
    let root = condition.root.as_ref();
    let value = root.is_none_or(|root| evaluator.expr(root, Reach::Live));
    Evaluation {
        value,
        clauses: evaluator.clauses,
        warnings: evaluator.warnings,
    }
}

/// Whether an expression holds, without reasons.
pub(super) fn holds(expr: &Expr, facts: &Facts<'_>) -> bool {
    let mut evaluator = Evaluator {
        facts,
        detail: Detail::Answer,
        clauses: Vec::new(),
        warnings: Vec::new(),
    };
    evaluator.expr(expr, Reach::Live)
}

struct Evaluator<'a> {
    facts: &'a Facts<'a>,
    detail: Detail,
    clauses: Vec<Clause>,
    warnings: Vec<String>,
}

/// How much is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// The answer and its reasons.
    Reasons,
    /// Only the answer.
    Answer,
}

/// Whether earlier clauses left the answer open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Live,
    Decided,
}

impl Evaluator<'_> {
    fn expr(&mut self, expr: &Expr, reach: Reach) -> bool {
        match &expr.kind {
            ExprKind::Or(parts) => self.joined(parts, reach, true),
            ExprKind::And(parts) => self.joined(parts, reach, false),
            ExprKind::Not(inner) => !self.expr(inner, reach),
            ExprKind::Group(inner) => self.expr(inner, reach),
            ExprKind::Compare(compare) => {
                let mut operands = Vec::new();
                let mut warning = None;
                let value = self.compare(compare, &mut operands, &mut warning);
                self.record(expr, value, reach, operands, warning)
            }
            ExprKind::Truth(operand) => {
                let mut operands = Vec::new();
                let value = self.operand(operand, &mut operands);
                let warning = (operand.kind == OperandKind::Missing)
                    .then(|| "the condition has a syntax error".to_owned());
                self.record(expr, value.truth(), reach, operands, warning)
            }
            ExprKind::Keyword(keyword) => {
                let value = self.keyword(*keyword);
                let operands = match keyword {
                    Keyword::Always => Vec::new(),
                    _ => vec![("outcome".to_owned(), Value::from(self.facts.status.name()))],
                };
                self.record(expr, value, reach, operands, None)
            }
        }
    }

    /// Evaluates all of `parts`; the first whose value is `decider` decides.
    fn joined(&mut self, parts: &[Expr], reach: Reach, decider: bool) -> bool {
        let mut reach_here = reach;
        let mut value = !decider;
        for part in parts {
            if self.expr(part, reach_here) == decider && value != decider {
                value = decider;
                reach_here = Reach::Decided;
            }
        }
        value
    }

    fn record(
        &mut self,
        expr: &Expr,
        value: bool,
        reach: Reach,
        operands: Vec<(String, Value)>,
        warning: Option<String>,
    ) -> bool {
        if self.detail == Detail::Answer {
            return value;
        }
        let reached = reach == Reach::Live;
        if reached {
            self.warnings.extend(warning);
        }
        self.clauses.push(Clause {
            text: expr.to_string(),
            value,
            reached,
            operands,
        });
        value
    }

    fn keyword(&self, keyword: Keyword) -> bool {
        let failed = self.facts.status.is_failure();
        match keyword {
            Keyword::Always => true,
            Keyword::OnSuccess => !failed,
            Keyword::OnRetry => failed && self.facts.retries_left,
            Keyword::OnFail | Keyword::OnExhaust => failed && !self.facts.retries_left,
        }
    }

    /// The value of a key: the context's, except that `outcome` is the stage's own status. `status` is
    /// another name for it where the context has no such key.
    fn key(&self, key: &str) -> Option<Value> {
        if key == "outcome" || key == "context.outcome" {
            return Some(Value::from(self.facts.status.name()));
        }
        find(self.facts.context, key)
            .or_else(|| (key == "status").then(|| Value::from(self.facts.status.name())))
    }

    fn operand(&self, operand: &Operand, seen: &mut Vec<(String, Value)>) -> Value {
        match &operand.kind {
            OperandKind::Key(key) => {
                let value = self.key(key).unwrap_or_default();
                seen.push((key.to_string(), value.clone()));
                value
            }
            OperandKind::Insert(key) => {
                let value = self.key(key).unwrap_or_default();
                seen.push((key.to_string(), value.clone()));
                as_written(value)
            }
            OperandKind::Text(text) | OperandKind::Bare(text) => Value::from(text.as_str()),
            OperandKind::Number(number) => Value::Number(*number),
            OperandKind::Bool(value) => Value::Bool(*value),
            OperandKind::Null | OperandKind::Missing => Value::Null,
        }
    }

    fn compare(
        &self,
        compare: &Compare,
        seen: &mut Vec<(String, Value)>,
        warning: &mut Option<String>,
    ) -> bool {
        let Compare {
            left, op, right, ..
        } = compare;
        if left.kind == OperandKind::Missing || right.kind == OperandKind::Missing {
            *warning = Some("the condition has a syntax error".to_owned());
            return false;
        }
        let value = self.operand(left, seen);
        let status = is_status(left) || is_status(right);
        match op {
            Op::Is => self.is(&value, right, status, seen),
            Op::NotEqual => !self.is(&value, right, status, seen),
            Op::Equal => typed(&value, &self.right(right, seen), status, compare, warning),
            Op::Less | Op::AtMost | Op::Greater | Op::AtLeast => {
                ordered(&value, *op, &self.operand(right, seen), compare, warning)
            }
            Op::In => within(&value, &self.operand(right, seen)),
            Op::Contains | Op::Matches | Op::StartsWith | Op::EndsWith => {
                let pattern = self.bare_key_or_text(right, seen);
                textual(&value, *op, &pattern, warning)
            }
        }
    }

    /// `=`; `!=` is its negation.
    fn is(
        &self,
        value: &Value,
        right: &Operand,
        status: bool,
        seen: &mut Vec<(String, Value)>,
    ) -> bool {
        match &right.kind {
            OperandKind::Null => value.is_nothing(),
            // An unquoted word is text, whatever keys there are.
            OperandKind::Key(word) => lenient(value, &Value::from(word.as_str()), status),
            _ => lenient(value, &self.operand(right, seen), status),
        }
    }

    /// The right side of `==`: a bare word is a key, unless no such key is set and it is a status word or
    /// one of the labels; then it is that text.
    fn right(&self, right: &Operand, seen: &mut Vec<(String, Value)>) -> Value {
        match &right.kind {
            OperandKind::Key(word) if self.key(word).is_none() && self.is_text(word) => {
                Value::from(word.as_str())
            }
            _ => self.operand(right, seen),
        }
    }

    fn is_text(&self, word: &str) -> bool {
        Status::known(word).is_some() || self.facts.labels.iter().any(|label| label == word)
    }

    /// The right side of `contains` and its kin: one bare word is the key of that name if it is set, else text.
    fn bare_key_or_text(&self, right: &Operand, seen: &mut Vec<(String, Value)>) -> Value {
        match &right.kind {
            OperandKind::Bare(word) => match self.key(word) {
                Some(value) => {
                    seen.push((word.to_string(), value.clone()));
                    value
                }
                None => Value::from(word.as_str()),
            },
            _ => self.operand(right, seen),
        }
    }
}

/// A value that takes the place of `{{ key }}` reads as if it were written there: the text `3` is a number.
fn as_written(value: Value) -> Value {
    let Value::Text(text) = &value else {
        return value;
    };
    match text.trim() {
        word if word.eq_ignore_ascii_case("true") => Value::Bool(true),
        word if word.eq_ignore_ascii_case("false") => Value::Bool(false),
        word => Number::parse(word).map_or(value.clone(), Value::Number),
    }
}
