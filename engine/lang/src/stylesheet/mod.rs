//! Stylesheets: which model, effort, timeout … a node gets, by selectors as in CSS.
//!
//! Selectors by rising strength: `*`; a shape or kind of node; `.class`; `#id`, `[name=glob]` and
//! `[attribute=value]`. They may be joined (`box.hard`) and listed with commas; among equals the later
//! rule wins. Parsing is total: a broken rule costs itself and no other. What a property means, and that
//! a node's own attributes win, is not known here.
//!
//! ```
//! use attractor_lang::stylesheet::{Target, parse};
//! let (sheet, errors) = parse("* { model: small; } .hard, #review { model: large }");
//! assert!(errors.is_empty());
//! let classes = ["hard".into()];
//! let target = Target { id: "plan", names: &["codergen", "box"], classes: &classes, attribute: &|_| None };
//! let matches = sheet.cascade(&target);
//! assert_eq!(matches.last().unwrap().selector.to_string(), ".hard");
//! ```

mod cascade;
mod context;
mod data;
mod file;
mod parse;
mod rules;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

pub use cascade::{Match, Target};
pub use context::{StylesheetContext, context_at};
pub use file::parse_file;
pub use parse::parse;
pub use rules::Properties;

/// A stylesheet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stylesheet {
    /// The rules in order.
    pub rules: Vec<Rule>,
    /// The comments in order, `/*` and `*/` included; printing keeps them.
    pub comments: Vec<Comment>,
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// As written.
    pub text: String,
    /// Its bytes.
    pub range: Range<usize>,
}

/// Selectors and what they set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The selectors; any of them suffices.
    pub selectors: Vec<Selector>,
    /// What is set, in order.
    pub declarations: Vec<Declaration>,
    /// The bytes of the whole rule.
    pub range: Range<usize>,
    /// What decides between rules that match the same node.
    pub weight: Weight,
}

/// What decides between rules that match the same node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weight {
    /// The strength of the selector, then the order: stylesheets as text.
    BySelector,
    /// The order: rule lists and options. Against stylesheets as text each rule is as strong as a name.
    ByOrder,
}

/// One selector: all of its parts must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// The parts, written without spaces between them.
    pub parts: Vec<Part>,
    /// Its bytes.
    pub range: Range<usize>,
}

/// A part of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it asks for.
    pub kind: PartKind,
    /// Its bytes, with `.`, `#` or brackets.
    pub range: Range<usize>,
}

/// What a part of a selector asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind {
    /// `*`
    Any,
    /// A shape or a kind of node.
    Name(String),
    /// `.class`
    Class(String),
    /// `#id`
    Id(String),
    /// `[attribute=value]`; for `name` the value is a pattern of the node's ID.
    Attribute {
        /// The attribute.
        name: String,
        /// What it must be.
        value: String,
    },
}

/// `property: value`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The property as written.
    pub property: String,
    /// Its bytes.
    pub property_range: Range<usize>,
    /// The value without quotes.
    pub value: String,
    /// Its bytes, quotes included.
    pub value_range: Range<usize>,
}

/// How strong a selector is: first its strongest part, then how many parts it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity {
    /// 0 for `*`, 1 for names, 2 for classes, 3 for IDs and attributes.
    pub rank: u8,
    /// The number of parts.
    pub parts: usize,
}

impl Rule {
    /// A rule for nodes of these shapes or kinds that no file holds; others override it as in a rule list.
    pub fn for_names(names: &[&str], declarations: &[(&str, &str)]) -> Self {
        let selector = |name: &&str| Selector {
            parts: vec![Part {
                kind: PartKind::Name((*name).to_owned()),
                range: 0..0,
            }],
            range: 0..0,
        };
        let declaration = |(property, value): &(&str, &str)| Declaration {
            property: (*property).to_owned(),
            property_range: 0..0,
            value: (*value).to_owned(),
            value_range: 0..0,
        };
        Self {
            selectors: names.iter().map(selector).collect(),
            declarations: declarations.iter().map(declaration).collect(),
            range: 0..0,
            weight: Weight::ByOrder,
        }
    }
}

impl Selector {
    /// How strong it is.
    pub fn specificity(&self) -> Specificity {
        let rank = |part: &Part| match part.kind {
            PartKind::Any => 0,
            PartKind::Name(_) => 1,
            PartKind::Class(_) => 2,
            PartKind::Id(_) | PartKind::Attribute { .. } => 3,
        };
        Specificity {
            rank: self.parts.iter().map(rank).max().unwrap_or(0),
            parts: self.parts.len(),
        }
    }
}

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

/// Characters of names in selectors and of properties.
fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn quoted_unless(text: &str, plain: impl Fn(char) -> bool) -> String {
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let quote = if text.contains('"') { '\'' } else { '"' };
    format!("{quote}{text}{quote}")
}
