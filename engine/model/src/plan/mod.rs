//! JSON plan libraries of graph workflows → DOT and back.
//!
//! A library is a plan, a list of plans, a table of plans by name, or one of these under `plans`. A plan has a
//! `graph` (nodes, edges with `on_success`, `on_fail`, `on_retry`, `on_exhaust`, `always`) or `steps`, a line
//! of steps that becomes such a graph. What a plan says beyond that is kept as attributes.
//!
//! ```
//! use attractor_model::plan;
//! let json = serde_json::json!({"name": "Two steps", "steps": [{"name": "Look"}, {"name": "Act"}]});
//! let (dot, problems) = plan::to_dot(&json);
//! assert!(problems.is_empty());
//! assert!(dot.contains("look -> act [condition=on_success]"));
//! ```

mod dot;
mod read;
#[cfg(test)]
mod tests;
mod write;

use serde_json::Value;

pub use write::to_json;

/// A plan, between JSON and DOT.
#[derive(Debug, Clone, Default, PartialEq)]
struct Plan {
    id: String,
    /// Attributes of the graph, canonical names, in order.
    attributes: Vec<(String, String)>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// A node: its ID and attributes.
#[derive(Debug, Clone, Default, PartialEq)]
struct Node {
    id: String,
    attributes: Vec<(String, String)>,
}

/// An edge with its condition.
#[derive(Debug, Clone, PartialEq)]
struct Edge {
    from: String,
    to: String,
    condition: String,
}

/// The types of plan nodes: the word in JSON, and the shape it gets in DOT (none: an agent's box).
pub(crate) const TYPES: &[(&str, Option<&str>)] = &[
    ("task", None),
    ("start", Some("Mdiamond")),
    ("exit", Some("Msquare")),
    ("decision", Some("diamond")),
    ("escalate", Some("octagon")),
    ("checkpoint", Some("cylinder")),
];

/// Fields of a plan node and the attributes they are.
const FIELDS: &[(&str, &str)] = &[
    ("name", "label"),
    ("action", "prompt"),
    ("tool_hint", "user_instructions"),
];

/// Writes a library as DOT, one digraph for each plan. What cannot be read is left out and named.
pub fn to_dot(library: &Value) -> (String, Vec<String>) {
    let (plans, problems) = read::library(library);
    let graphs: Vec<String> = plans.iter().map(dot::graph).collect();
    (graphs.join("\n"), problems)
}
