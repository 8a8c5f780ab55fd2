//! Conditions in canonical form: `outcome = "succeeded" && !(x=1)` is `outcome=success and not x=1`.

use attractor_lang::Status;
use attractor_lang::condition::{self, Compare, Expr, ExprKind, Op, OperandKind};

/// The canonical text of a condition; none if it has errors.
pub(crate) fn canonical(text: &str) -> Option<String> {
    let (mut condition, errors) = condition::parse(text);
    if !errors.is_empty() {
        return None;
    }
    if let Some(root) = condition.root.take() {
        let root = simplified(root);
        condition.root = Some(match root.kind {
            ExprKind::Group(inner) => *inner,
            _ => root,
        });
    }
    Some(condition.to_string())
}

/// The same expression without brackets that change nothing, its statuses by their canonical words.
fn simplified(expr: Expr) -> Expr {
    let range = expr.range;
    let kind = match expr.kind {
        ExprKind::Or(parts) => ExprKind::Or(parts.into_iter().map(simplified).collect()),
        ExprKind::And(parts) => ExprKind::And(parts.into_iter().map(simplified).collect()),
        ExprKind::Not(inner) => ExprKind::Not(Box::new(simplified(*inner))),
        ExprKind::Group(inner) => {
            let inner = simplified(*inner);
            match inner.kind {
                ExprKind::Or(_) | ExprKind::And(_) | ExprKind::Not(_) => {
                    ExprKind::Group(Box::new(inner))
                }
                kind => kind,
            }
        }
        ExprKind::Compare(compare) => ExprKind::Compare(Box::new(compared(*compare))),
        kind @ (ExprKind::Truth(_) | ExprKind::Keyword(_)) => kind,
    };
    Expr { kind, range }
}

fn compared(mut compare: Compare) -> Compare {
    let is_outcome = matches!(&compare.left.kind, OperandKind::Key(key) if is_outcome(key));
    let is_lenient = matches!(compare.op, Op::Is | Op::NotEqual);
    let text = match &compare.right.kind {
        OperandKind::Bare(text) | OperandKind::Text(text) if is_lenient => text.clone(),
        OperandKind::Text(text) if is_outcome => text.clone(),
        _ => return compare,
    };
    let status = is_outcome.then(|| Status::known(&text)).flatten();
    let text = status.map_or(text, |status| status.name().into());
    // Quotes around a plain word change nothing where the comparison takes it for text.
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_word =
        text.chars().next().is_some_and(char::is_alphabetic) && text.chars().all(is_plain);
    let is_read_otherwise = ["true", "false", "null", "none", "and", "or", "not"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    let is_bare = matches!(compare.right.kind, OperandKind::Bare(_));
    compare.right.kind = if is_bare || is_lenient && is_word && !is_read_otherwise {
        OperandKind::Bare(text)
    } else {
        OperandKind::Text(text)
    };
    compare
}

fn is_outcome(key: &str) -> bool {
    key.strip_prefix("context.").unwrap_or(key) == "outcome"
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn conditions_of_one_meaning_have_one_form() {
        for (written, form) in [
            (" outcome = success ", "outcome=success"),
            ("outcome=\"succeeded\"", "outcome=success"),
            ("outcome==\"failed\"", "outcome == \"fail\""),
            ("(x=1) && !y", "x=1 and not y"),
            ("((a or b))", "a or b"),
            ("(a or b) AND c", "(a or b) and c"),
            ("label=\"true\"", "label=\"true\""),
            ("On_Success", "on_success"),
            ("a=\"two words\"", "a=\"two words\""),
        ] {
            assert_eq!(canonical(written).as_deref(), Some(form), "{written}");
        }
        assert_eq!(canonical("x =="), None);
    }
}
