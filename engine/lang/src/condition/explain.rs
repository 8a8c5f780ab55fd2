//! A condition in words, for hovers and for "why did this edge win".
//!
//! ```
//! use attractor_lang::condition::{explain, parse};
//! let (condition, _) = parse("outcome=fail && !(retries >= 3)");
//! assert_eq!(explain(&condition), "the outcome is `fail` and not (`retries` is at least 3)");
//! ```

use super::ast::{Compare, Condition, Expr, ExprKind, Keyword, Op, Operand, OperandKind};

/// The condition as a phrase that follows "taken when …". An empty condition is "always".
pub fn explain(condition: &Condition) -> String {
    condition
        .root
        .as_ref()
        .map_or_else(|| "always".to_owned(), expression)
}

fn expression(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Or(parts) => joined(parts, ", or "),
        ExprKind::And(parts) => joined(parts, " and "),
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::Group(_) => format!("not {}", expression(inner)),
            ExprKind::Truth(operand) => {
                format!("{} is missing, empty, 0 or false", subject(operand))
            }
            _ => format!("not ({})", expression(inner)),
        },
        ExprKind::Group(inner) => format!("({})", expression(inner)),
        ExprKind::Compare(compare) => comparison(compare),
        ExprKind::Truth(operand) => match &operand.kind {
            OperandKind::Key(_) => format!("{} is set and not empty, 0 or false", subject(operand)),
            _ => subject(operand),
        },
        ExprKind::Keyword(keyword) => keyword_phrase(*keyword).to_owned(),
    }
}

fn joined(parts: &[Expr], connective: &str) -> String {
    parts
        .iter()
        .map(expression)
        .collect::<Vec<_>>()
        .join(connective)
}

/// What a keyword of graph workflows says.
pub(super) fn keyword_phrase(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::OnSuccess => "the stage succeeded",
        Keyword::OnFail => "the stage failed",
        Keyword::OnRetry => "the stage failed and may be run again",
        Keyword::OnExhaust => "the stage failed and its retries are used up",
        Keyword::Always => "always",
    }
}

fn comparison(compare: &Compare) -> String {
    let left = subject(&compare.left);
    if compare.right.kind == OperandKind::Null {
        match compare.op {
            Op::Is | Op::Equal => return format!("{left} is missing"),
            Op::NotEqual => return format!("{left} is set"),
            _ => {}
        }
    }
    let phrase = match compare.op {
        Op::Is => "is",
        Op::Equal => "equals",
        Op::NotEqual => "is not",
        Op::Less => "is less than",
        Op::AtMost => "is at most",
        Op::Greater => "is more than",
        Op::AtLeast => "is at least",
        Op::Contains => "contains",
        Op::Matches => "matches the pattern",
        Op::In => "is one of",
        Op::StartsWith => "starts with",
        Op::EndsWith => "ends with",
    };
    format!("{left} {phrase} {}", subject(&compare.right))
}

fn subject(operand: &Operand) -> String {
    match &operand.kind {
        OperandKind::Key(key) => match key.strip_prefix("context.").unwrap_or(key) {
            "outcome" => "the outcome".to_owned(),
            "preferred_label" => "the preferred label".to_owned(),
            key => format!("`{key}`"),
        },
        OperandKind::Insert(key) => format!("the value of `{key}`"),
        OperandKind::Bare(text) => format!("`{text}`"),
        OperandKind::Text(text) => format!("\"{text}\""),
        OperandKind::Missing => "…".to_owned(),
        OperandKind::Number(_) | OperandKind::Bool(_) | OperandKind::Null => operand.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn conditions_read_as_sentences() {
        for (text, words) in [
            ("", "always"),
            ("outcome=success", "the outcome is `success`"),
            (
                "exit_code == 0 and retries < 3",
                "`exit_code` equals 0 and `retries` is less than 3",
            ),
            (
                "a == 'x' or b",
                "`a` equals \"x\", or `b` is set and not empty, 0 or false",
            ),
            ("not failed", "`failed` is missing, empty, 0 or false"),
            ("x != null and y = null", "`x` is set and `y` is missing"),
            ("on_exhaust", "the stage failed and its retries are used up"),
            ("preferred_label=Fix it", "the preferred label is `Fix it`"),
            (
                "not (a and b == 1)",
                "not (`a` is set and not empty, 0 or false and `b` equals 1)",
            ),
            (
                "tool.output contains \"id\"",
                "`tool.output` contains \"id\"",
            ),
            ("x == ", "`x` equals …"),
        ] {
            assert_eq!(explain(&parse(text).0), words);
        }
    }
}
