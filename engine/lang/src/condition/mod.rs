//! Conditions of edges, goals, supervisors and `verify`: `outcome=success and retries < 3`.
//!
//! One language for both dialects: the lenient `=` of graph pipelines (its right side may be an unquoted
//! text) and the typed `==`; the words `on_success`, `on_fail`, `on_retry`, `on_exhaust`, `always` may
//! represent a comparison. No calls, no arithmetic, no subscripts, and no host language behind it.
//! Parsing is total and linear, nesting is bounded, evaluation always ends.
//!
//! ```
//! use std::collections::BTreeMap;
//! use attractor_lang::{Status, Value, condition::{Facts, evaluate, parse}};
//! let (condition, errors) = parse("outcome=success && exit_code == 0");
//! assert!(errors.is_empty());
//! let context = BTreeMap::from([("exit_code".to_owned(), Value::from(0))]);
//! let facts = Facts { context: &context, status: Status::Success, retries_left: false, labels: &[] };
//! assert!(evaluate(&condition, &facts).value);
//! ```

mod ast;
mod build;
mod classify;
mod context;
mod errors;
mod eval;
mod explain;
mod grammar;
mod list;
mod print;
mod solve;
#[cfg(test)]
mod tests;
mod token;

pub use crate::lookup::Lookup;
pub use ast::{Compare, Condition, Expr, ExprKind, Keyword, Op, Operand, OperandKind};
pub use classify::{Class, classify};
pub use context::{Expected, ExprContext, context_at};
pub use eval::{Clause, Evaluation, Facts, evaluate};
pub use explain::explain;
pub use list::pieces;
pub use solve::{Case, Domain, Literal, Sat, satisfiable};

use super::LangError;

/// Parses a condition; ranges are bytes of `text`. Blank text is the condition that always holds.
pub fn parse(text: &str) -> (Condition, Vec<LangError>) {
    let tokens = token::lex(text);
    if tokens.is_empty() {
        return (Condition::default(), Vec::new());
    }
    let source = build::Source {
        text,
        tokens: &tokens,
    };
    if let Some(deep) = grammar::too_deep(&tokens) {
        let hole = Operand {
            kind: OperandKind::Missing,
            range: deep.range.clone(),
        };
        let root = Expr {
            kind: ExprKind::Truth(hole),
            range: 0..text.len(),
        };
        return (
            Condition { root: Some(root) },
            vec![errors::too_deep(deep.range.clone())],
        );
    }
    let kinds: Vec<token::Token> = tokens.iter().map(|spanned| spanned.token).collect();
    let (node, problems) = grammar::parse(&kinds);
    let condition = Condition {
        root: node.map(|node| source.expr(node)),
    };
    let mut found: Vec<LangError> = problems
        .iter()
        .map(|problem| errors::explain(problem, &source))
        .collect();
    found.extend(errors::check(&condition));
    found.sort_by_key(|error| error.range.start);
    (condition, found)
}
