//! Changes to a pipeline, as DOT statements.

use std::fmt::Write as _;

use attractor_model::dot::strings::quote;

/// Changes to a pipeline. They are written as DOT statements at the end of its graph, where they win over what the
/// graph says before; the text of the file stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PipelineEdit {
    statements: String,
}

impl PipelineEdit {
    /// Sets an attribute of the graph.
    pub fn graph(&mut self, name: &str, value: &str) -> &mut Self {
        self.statement(&format!("{}={}", quote(name), quote(value)))
    }

    /// Sets attributes of a node; adds the node when there is none.
    pub fn node(&mut self, id: &str, attributes: &[(&str, &str)]) -> &mut Self {
        self.statement(&format!("{}{}", quote(id), list(attributes)))
    }

    /// Adds an edge.
    pub fn edge(&mut self, from: &str, to: &str, attributes: &[(&str, &str)]) -> &mut Self {
        self.statement(&format!(
            "{} -> {}{}",
            quote(from),
            quote(to),
            list(attributes)
        ))
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// The statements, a line each.
    pub fn as_dot(&self) -> &str {
        &self.statements
    }

    fn statement(&mut self, statement: &str) -> &mut Self {
        self.statements.extend(["  ", statement, ";\n"]);
        self
    }
}

/// ` [name="value", …]`, or nothing.
fn list(attributes: &[(&str, &str)]) -> String {
    if attributes.is_empty() {
        return String::new();
    }
    let mut list = String::new();
    for (name, value) in attributes {
        let separator = if list.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(list, "{separator}{}={}", quote(name), quote(value));
    }
    format!(" [{list}]")
}
