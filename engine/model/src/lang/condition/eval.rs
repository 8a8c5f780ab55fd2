//! Does a condition hold? Total: every condition has an answer in every context, and nothing is run.
//!
//! Besides the answer it gives each clause with the values that decided it ("why did this edge win") and
//! warnings in words, such as an order asked of things that have none. Clauses that a person would not
//! look at, because an earlier one decided, warn about nothing.

use regex::{Regex, RegexBuilder};

use super::ast::{Compare, Condition, Expr, ExprKind, Keyword, Op, Operand, OperandKind};
use crate::lang::lookup::{Lookup, find};
use crate::lang::status::Status;
use crate::lang::value::Value;

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

/// Compiles a pattern of `matches`. Matching is linear in the text, and the size of the program is bounded.
pub(super) fn regular_expression(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .size_limit(1 << 20)
        .nest_limit(50)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "it is too big".to_owned(),
            other => other
                .to_string()
                .lines()
                .last()
                .unwrap_or("it cannot be read")
                .trim()
                .to_owned(),
        })
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
                let warning = match (&operand.kind, &value) {
                    (OperandKind::Missing, _) => {
                        Some("the condition has a syntax error".to_owned())
                    }
                    (OperandKind::Key(key), Value::Text(text)) if reads_false(text) => {
                        Some(format!(
                            "`{key}` is the text \"{text}\", which counts as true; compare it: `{key}=true`"
                        ))
                    }
                    _ => None,
                };
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
                seen.push((key.clone(), value.clone()));
                value
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
        match (op, &right.kind) {
            (Op::Is, _) => lenient(&value, right, status),
            (Op::NotEqual, OperandKind::Bare(_)) => !lenient(&value, right, status),
            (Op::Equal, _) => typed(&value, &self.right(right, seen), status, compare, warning),
            (Op::NotEqual, _) => !typed(&value, &self.right(right, seen), status, compare, warning),
            (Op::Less | Op::AtMost | Op::Greater | Op::AtLeast, _) => {
                ordered(&value, *op, &self.operand(right, seen), compare, warning)
            }
            (Op::In, _) => within(&value, &self.operand(right, seen)),
            (Op::Contains | Op::Matches | Op::StartsWith | Op::EndsWith, _) => {
                let pattern = self.bare_key_or_text(right, seen);
                textual(&value, *op, &pattern, warning)
            }
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
                    seen.push((word.clone(), value.clone()));
                    value
                }
                None => Value::from(word.as_str()),
            },
            _ => self.operand(right, seen),
        }
    }
}

/// Whether a key holds a status, so that aliases of status words compare equal.
pub(super) fn is_status_key(key: &str) -> bool {
    matches!(
        key.rsplit('.').next(),
        Some("outcome" | "status" | "best_outcome")
    )
}

fn is_status(operand: &Operand) -> bool {
    matches!(&operand.kind, OperandKind::Key(key) if is_status_key(key))
}

fn reads_false(text: &str) -> bool {
    ["false", "0", "no", "null", "none"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(text.trim()))
}

/// `=`: by text form; a status by its meaning; `null` also means missing.
fn lenient(value: &Value, right: &Operand, status: bool) -> bool {
    let text = match &right.kind {
        OperandKind::Text(text) | OperandKind::Bare(text) | OperandKind::Key(text) => text.clone(),
        OperandKind::Number(number) => number.to_string(),
        OperandKind::Bool(value) => value.to_string(),
        OperandKind::Null => {
            return match value {
                Value::Null => true,
                Value::Text(text) => ["null", "none"]
                    .iter()
                    .any(|word| word.eq_ignore_ascii_case(text)),
                _ => false,
            };
        }
        OperandKind::Missing => return false,
    };
    let equal = match (&right.kind, value) {
        // The text "3.0" is the number 3 read leniently, and "True" is true.
        (OperandKind::Number(number), Value::Text(own)) => {
            *own == text || super::super::value::Number::parse(own.trim()) == Some(*number)
        }
        (OperandKind::Bool(_), Value::Text(own)) => own.eq_ignore_ascii_case(&text),
        _ => value.reads_as(&text),
    };
    equal || (status && same_status(value, &Value::from(text)))
}

fn same_status(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Status::parse(left) == Status::parse(right),
        _ => false,
    }
}

fn typed(
    left: &Value,
    right: &Value,
    status: bool,
    compare: &Compare,
    warning: &mut Option<String>,
) -> bool {
    let equal = left == right || (status && same_status(left, right));
    let kinds_differ = left.kind() != right.kind() && *left != Value::Null && *right != Value::Null;
    if !equal && kinds_differ && left.to_string() == right.to_string() {
        *warning = Some(format!(
            "`{compare}`: {} and {} are never equal by `{}`; `=` compares their text",
            describe(left),
            describe(right),
            compare.op.symbol()
        ));
    }
    equal
}

fn ordered(
    left: &Value,
    op: Op,
    right: &Value,
    compare: &Compare,
    warning: &mut Option<String>,
) -> bool {
    let Some(order) = left.compare(right) else {
        *warning = Some(format!(
            "`{compare}` is false: {} and {} have no order",
            describe(left),
            describe(right)
        ));
        return false;
    };
    match op {
        Op::Less => order.is_lt(),
        Op::AtMost => order.is_le(),
        Op::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// `in`: an element of a list, a key of a table, a part of a text.
fn within(needle: &Value, container: &Value) -> bool {
    match container {
        Value::List(items) => items.contains(needle),
        Value::Map(entries) => entries.contains_key(&needle.to_string()),
        Value::Text(text) => *needle != Value::Null && text.contains(&needle.to_string()),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn textual(value: &Value, op: Op, pattern: &Value, warning: &mut Option<String>) -> bool {
    if *value == Value::Null || *pattern == Value::Null {
        return false;
    }
    let text = pattern.to_string();
    match op {
        Op::Contains => match value {
            Value::List(_) | Value::Map(_) => within(pattern, value),
            _ => value.to_string().contains(&text),
        },
        Op::StartsWith => value.to_string().starts_with(&text),
        Op::EndsWith => value.to_string().ends_with(&text),
        _ => match regular_expression(&text) {
            Ok(regex) => regex.is_match(&value.to_string()),
            Err(problem) => {
                *warning = Some(format!("`{text}` is no regular expression: {problem}"));
                false
            }
        },
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "a missing value".to_owned(),
        Value::Text(text) => format!("the text \"{}\"", shortened(text)),
        Value::Number(number) => format!("the number {number}"),
        Value::Bool(value) => format!("`{value}`"),
        Value::List(_) | Value::Map(_) => value.kind().to_owned(),
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
