//! What can be typed at a place.

use attractor_dot::ast::{DefaultsTarget, Id};

/// What belongs at a place.
#[derive(Debug)]
pub(crate) enum CursorContext {
    /// Nothing to offer: a comment, the name of something new, a place between words.
    Nothing,
    /// Outside every graph.
    File,
    /// The beginning of a statement.
    Statement,
    /// After an edge operator.
    EdgeEnd {
        /// The node the edge comes from, when it is one.
        from: Option<String>,
    },
    /// After `NODE:`.
    Port {
        /// The node.
        node: String,
    },
    /// The name of an attribute in a list.
    Key {
        /// Whose.
        head: ListOwner,
        /// What the list holds already, the name under the cursor left out.
        siblings: Siblings,
        /// The name before it in the list.
        previous: Option<String>,
    },
    /// The value of an attribute.
    Value {
        /// Whose.
        head: ListOwner,
        /// The attribute's name.
        key: String,
        /// What the list holds.
        siblings: Siblings,
        /// The value, if there is one.
        value: Option<Id>,
    },
}

/// Names and values of a list, as far as they are typed.
pub(crate) type Siblings = Vec<(String, String)>;

/// Whose attributes a list holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListOwner {
    /// The graph's or subgraph's around it.
    Around,
    /// A node's.
    Node(String),
    /// Of the edges between two nodes; `None` for a subgraph or nothing.
    Edge(Option<String>, Option<String>),
    /// Defaults.
    Defaults(DefaultsTarget),
}
