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
mod types;
mod value;
mod words;
mod write;

use serde_json::Value;

pub use convert::{Converted, convert, is_library};
pub(crate) use words::TYPES;
pub use write::{Library, to_json};

/// Writes a library as DOT, one digraph for each plan. What cannot be read is left out and named.
pub fn to_dot(library: &Value) -> (String, Vec<String>) {
    let (plans, problems) = read::library(library);
    let problems = problems.into_iter().map(|problem| problem.message);
    (dot::graphs(&plans).text, problems.collect())
}
