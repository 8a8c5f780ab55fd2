//! JSON plan libraries of graph workflows → DOT and back.
//!
//! A library is a plan, a list of plans, a table of plans by name, or one of these under `plans`. A plan has a
//! `graph` (nodes, edges with `on_success`, `on_fail`, `on_retry`, `on_exhaust`, `always`) or `steps`, a line
//! of steps that becomes such a graph. What a plan says beyond that is kept as attributes, and what a pipeline
//! says beyond what plans know as fields, so that both ways back lead to the same; [`to_json`] names the latter.
//!
//! ```
//! use attractor_convert::plan;
//! let json = serde_json::json!({"name": "Two steps", "steps": [{"name": "Look"}, {"name": "Act"}]});
//! let (dot, problems) = plan::to_dot(&json);
//! assert!(problems.is_empty());
//! assert!(dot.contains("look -> act [condition=on_success]"));
//! ```

mod convert;
mod dot;
mod node;
mod places;
mod problem;
mod read;
mod steps;
#[cfg(test)]
mod tests;
mod value;
mod write;

use std::borrow::Cow;

use attractor_dot::strings::quote;
use serde_json::Value;

use attractor_model::catalogue::NodeKind;

pub use convert::{Converted, convert, is_library};
pub use write::{Library, to_json};

/// A plan, between JSON and DOT.
#[derive(Debug, Clone, Default, PartialEq)]
struct Plan {
    /// Its JSON Pointer in the library.
    pointer: String,
    id: String,
    /// Attributes of the graph, canonical names, in order.
    attributes: Vec<(String, String)>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// A node: its ID and attributes.
#[derive(Debug, Clone, Default, PartialEq)]
struct Node {
    /// The JSON Pointer of what it comes from.
    pointer: String,
    id: String,
    attributes: Vec<(String, String)>,
}

/// An edge with its condition; the rest are attributes.
#[derive(Debug, Clone, Default, PartialEq)]
struct Edge {
    /// The JSON Pointer of what it comes from.
    pointer: String,
    from: String,
    to: String,
    /// None leaves it to the pipeline: a choice at a gate, a branch.
    condition: Option<String>,
    attributes: Vec<(String, String)>,
}

/// The condition that always holds. Beside others it is what is left when none of them holds.
const ALWAYS: &str = "always";

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

/// The shape of the plan nodes of a type.
fn shape_of_type(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(other, _)| *other == name)?.1
}

/// The type of plan node that does what a kind does; none for what plans do not know.
fn type_of_kind(kind: NodeKind) -> Option<&'static str> {
    if kind == NodeKind::Codergen {
        return Some("task");
    }
    let mut types = TYPES.iter();
    let found =
        types.find(|(_, shape)| shape.is_some_and(|one| NodeKind::from_shape(one) == Some(kind)));
    found.map(|(name, _)| *name)
}

/// The attribute that a field of a plan node is, and back.
fn attribute_of(field: &str) -> &str {
    let found = FIELDS.iter().find(|(own, _)| *own == field);
    found.map_or(field, |(_, attribute)| attribute)
}

/// See [`attribute_of`].
fn field_of(attribute: &str) -> Option<&'static str> {
    let found = FIELDS.iter().find(|(_, own)| *own == attribute);
    found.map(|(field, _)| *field)
}

/// A text as a value in DOT: in pipelines a backslash is an escape.
fn quoted(text: &str) -> Cow<'_, str> {
    let plain = quote(text);
    if matches!(plain, Cow::Borrowed(_)) {
        return plain;
    }
    Cow::Owned(quote(&text.replace('\\', "\\\\")).into_owned())
}

/// Writes a library as DOT, one digraph for each plan. What cannot be read is left out and named.
pub fn to_dot(library: &Value) -> (String, Vec<String>) {
    let (plans, problems) = read::library(library);
    let problems = problems.into_iter().map(|problem| problem.message);
    (dot::graphs(&plans).text, problems.collect())
}
