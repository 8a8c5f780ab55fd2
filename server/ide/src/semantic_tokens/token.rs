//! What a semantic token is, and the names that clients know its kinds by.

use attractor_dot::TextRange;
use attractor_model::{NodeKind, NodeWork};

/// A word and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word.
    pub range: TextRange,
    /// What it is.
    pub kind: TokenKind,
    /// More about it, as bits in the order of [`MODIFIERS`].
    pub modifiers: u32,
}

/// What a word is; the names are those of LSP 3.17, so that every theme has colors for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The name of a graph.
    Namespace,
    /// The name of a subgraph, a class of the stylesheet.
    Class,
    /// A node of a plain graph, or one whose kind has no color of its own.
    Variable,
    /// A node that calls a model.
    Function,
    /// A node that runs a command or another pipeline.
    Method,
    /// A node that asks a user.
    Interface,
    /// A node that only routes, starts, ends, waits or joins.
    Event,
    /// The name of an attribute.
    Property,
    /// A context key.
    Parameter,
    /// One of a closed list of words.
    EnumMember,
    /// A keyword of DOT.
    Keyword,
    /// An operator.
    Operator,
    /// A string.
    String,
    /// A number or duration.
    Number,
    /// A comment.
    Comment,
}

/// The names of the kinds, in the order of [`TokenKind::index`].
pub const TOKEN_TYPES: &[&str] = &[
    "namespace",
    "class",
    "variable",
    "function",
    "method",
    "interface",
    "event",
    "property",
    "parameter",
    "enumMember",
    "keyword",
    "operator",
    "string",
    "number",
    "comment",
];

/// The names of the modifiers, in the order of their bits.
pub const MODIFIERS: &[&str] = &["declaration", "defaultLibrary", "unknown"];

/// The bit of a word that declares something.
pub const DECLARATION: u32 = 1;
/// The bit of an attribute of Graphviz.
pub const DEFAULT_LIBRARY: u32 = 1 << 1;
/// The bit of a name the catalogue does not know.
pub const UNKNOWN: u32 = 1 << 2;

impl TokenKind {
    /// The position of the kind's name in [`TOKEN_TYPES`].
    pub fn index(self) -> u32 {
        self as u32
    }

    /// The kind of the names of nodes of a kind.
    pub(super) fn of_node(kind: NodeKind) -> Self {
        match kind.work() {
            NodeWork::Commands if kind == NodeKind::Custom => Self::Function,
            NodeWork::Model => Self::Function,
            NodeWork::Commands | NodeWork::SubPipeline => Self::Method,
            NodeWork::Question => Self::Interface,
            NodeWork::Branches
            | NodeWork::Join
            | NodeWork::Time
            | NodeWork::Escalation
            | NodeWork::Optional
            | NodeWork::Nothing => Self::Event,
        }
    }
}
