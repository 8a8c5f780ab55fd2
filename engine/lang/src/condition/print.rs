//! The tree → text. What it writes parses to the same tree.

use std::fmt::{self, Display, Formatter, Write};

use super::ast::{Compare, Condition, Expr, ExprKind, Op, Operand, OperandKind};

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.root.iter().try_for_each(|root| write!(f, "{root}"))
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Or(parts) => joined(f, parts, " or "),
            ExprKind::And(parts) => joined(f, parts, " and "),
            ExprKind::Not(inner) => write!(f, "not {inner}"),
            ExprKind::Group(inner) => write!(f, "({inner})"),
            ExprKind::Compare(compare) => write!(f, "{compare}"),
            ExprKind::Truth(operand) => write!(f, "{operand}"),
            ExprKind::Keyword(keyword) => f.write_str(keyword.word()),
        }
    }
}

impl Display for Compare {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tight = matches!(self.op, Op::Is | Op::NotEqual)
            && matches!(self.right.kind, OperandKind::Bare(_))
            || self.op == Op::Is;
        let gap = if tight { "" } else { " " };
        write!(
            f,
            "{}{gap}{}{gap}{}",
            self.left,
            self.op.symbol(),
            self.right
        )
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            OperandKind::Key(text) | OperandKind::Bare(text) => f.write_str(text),
            OperandKind::Insert(key) => write!(f, "{{{{ {key} }}}}"),
            OperandKind::Text(text) => quoted(f, text),
            OperandKind::Number(number) => write!(f, "{number}"),
            OperandKind::Bool(value) => write!(f, "{value}"),
            OperandKind::Null => f.write_str("null"),
            OperandKind::Missing => Ok(()),
        }
    }
}

fn joined(f: &mut Formatter<'_>, parts: &[Expr], connective: &str) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(connective)?;
        }
        write!(f, "{part}")?;
    }
    Ok(())
}

fn quoted(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    let quote = if text.contains('\'') || !text.contains('"') {
        '"'
    } else {
        '\''
    };
    f.write_char(quote)?;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            // A single backslash is kept only where no escape would be read.
            '\\' => match rest.peek() {
                Some('n' | 't' | '"' | '\'' | '\\') | None => f.write_str("\\\\")?,
                Some(_) => f.write_char('\\')?,
            },
            c if c == quote => write!(f, "\\{c}")?,
            c => f.write_char(c)?,
        }
    }
    f.write_char(quote)
}
