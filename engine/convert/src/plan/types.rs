//! A plan, between JSON and DOT.

/// A plan, between JSON and DOT.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Plan {
    /// Its JSON Pointer in the library.
    pub(super) pointer: String,
    pub(super) id: String,
    /// Attributes of the graph, canonical names, in order.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

/// A node: its ID and attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Node {
    /// The JSON Pointer of what it comes from.
    pub(super) pointer: String,
    pub(super) id: String,
    pub(super) attributes: Vec<(String, String)>,
}

/// An edge with its condition; the rest are attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Edge {
    /// The JSON Pointer of what it comes from.
    pub(super) pointer: String,
    pub(super) from: String,
    pub(super) to: String,
    /// None leaves it to the pipeline: a choice at a gate, a branch.
    pub(super) condition: Option<String>,
    pub(super) attributes: Vec<(String, String)>,
    /// The lint that is not reported of it, since the plan asks for just that.
    pub(super) allowed: Option<&'static str>,
}
