//! A stylesheet as text again; comments are kept.

use std::fmt;

use super::parse;
use super::syntax::{
    Comment, Declaration, PartKind, Rule, Selector, Stylesheet, is_name_character,
};

impl fmt::Display for Stylesheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comments = self.comments.as_slice();
        for (at, rule) in self.rules.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            for comment in before(&mut comments, rule.range.start) {
                writeln!(f, "{}", comment.text)?;
            }
            rule.print(f, &mut comments)?;
        }
        for (at, comment) in comments.iter().enumerate() {
            let gap = if at > 0 || !self.rules.is_empty() {
                "\n"
            } else {
                ""
            };
            write!(f, "{gap}{}", comment.text)?;
        }
        Ok(())
    }
}

/// Takes the comments that precede a byte.
fn before<'c>(comments: &mut &'c [Comment], byte: usize) -> &'c [Comment] {
    let count = comments.partition_point(|comment| comment.range.start < byte);
    let (taken, rest) = comments.split_at_checked(count).unwrap_or((comments, &[]));
    *comments = rest;
    taken
}

impl Rule {
    fn print(&self, f: &mut fmt::Formatter<'_>, comments: &mut &[Comment]) -> fmt::Result {
        let selectors: Vec<String> = self.selectors.iter().map(Selector::to_string).collect();
        write!(f, "{} {{ ", selectors.join(", "))?;
        for declaration in &self.declarations {
            for comment in before(comments, declaration.property_range.start) {
                write!(f, "{} ", comment.text)?;
            }
            write!(f, "{declaration} ")?;
        }
        for comment in before(comments, self.range.end) {
            write!(f, "{} ", comment.text)?;
        }
        f.write_str("}")
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, &mut [].as_slice())
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match &part.kind {
            PartKind::Any => f.write_str("*"),
            PartKind::Name(name) => f.write_str(name),
            PartKind::Class(name) => write!(f, ".{name}"),
            PartKind::Id(name) => write!(f, "#{}", quoted_unless(name, is_name_character)),
            PartKind::Attribute { name, value } => {
                write!(
                    f,
                    "[{name}={}]",
                    quoted_unless(value, |c| !matches!(c, ']' | '"' | '\'')
                        && !c.is_whitespace())
                )
            }
        })
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_bare = !self
            .value
            .starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
            && parse::bare_value(&self.value) == self.value;
        let value = quoted_unless(&self.value, |_| is_bare);
        write!(f, "{}: {value};", self.property)
    }
}

fn quoted_unless(text: &str, plain: impl Fn(char) -> bool) -> String {
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let quote = if text.contains('"') { '\'' } else { '"' };
    format!("{quote}{text}{quote}")
}
