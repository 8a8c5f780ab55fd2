//! What a stylesheet consists of.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A stylesheet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stylesheet {
    /// The rules in order.
    pub rules: Vec<Rule>,
    /// The comments in order, `/*` and `*/` included; printing keeps them.
    pub comments: Vec<Comment>,
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// As written.
    pub text: String,
    /// Its bytes.
    pub range: Range<usize>,
}

/// Selectors and what they set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The selectors; any of them suffices.
    pub selectors: Vec<Selector>,
    /// What is set, in order.
    pub declarations: Vec<Declaration>,
    /// The bytes of the whole rule.
    pub range: Range<usize>,
    /// What decides between rules that match the same node.
    pub weight: Weight,
    /// Which of the nodes it selects it is for.
    #[serde(default, skip_serializing_if = "Scope::is_all")]
    pub scope: Scope,
}

/// Which of the nodes that a rule selects it is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// All of them.
    #[default]
    All,
    /// Nodes that are left a model: a model and its provider belong together, so a node with a `model` or another
    /// `provider` of its own gets neither, and one with any `model` gets no `provider` alone.
    WithoutModel,
}

impl Scope {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_all(&self) -> bool {
        *self == Self::All
    }
}

/// What decides between rules that match the same node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The strength of the selector, then the order: stylesheets as text.
    BySelector,
    /// The order: rule lists and options. Against stylesheets as text each rule is as strong as a name.
    ByOrder,
}

/// One selector: all of its parts must match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selector {
    /// The parts, written without spaces between them.
    pub parts: Vec<Part>,
    /// Its bytes.
    pub range: Range<usize>,
}

/// A part of a selector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What it asks for.
    pub kind: PartKind,
    /// Its bytes, with `.`, `#` or brackets.
    pub range: Range<usize>,
}

/// What a part of a selector asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
            scope: Scope::All,
        }
    }

    /// The same rule with another scope.
    #[must_use]
    pub fn scoped(self, scope: Scope) -> Self {
        Self { scope, ..self }
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

/// Characters of names in selectors and of properties.
pub(super) fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}
