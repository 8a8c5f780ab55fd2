//! An outline for terminals: every node with its kind and its outgoing edges.

use std::fmt::Write;

use super::Drawing;

impl Drawing {
    /// The drawing as lines: a node, then its edges indented below it.
    pub fn outline(&self) -> String {
        let mut text = heading(self);
        let arrow = if self.directed { "->" } else { "--" };
        // Plain graphs list their edges in any order; one pass sorts them to their nodes.
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (at, edge) in self.edges.iter().enumerate() {
            if let Some(edges) = leaving.get_mut(edge.from) {
                edges.push(at);
            }
        }
        for (node, edges) in self.nodes.iter().zip(leaving) {
            let kind = node
                .kind
                .map(|kind| format!("  [{}]", kind.name()))
                .unwrap_or_default();
            let label = one_line(&node.label);
            let label = if label == node.id {
                String::new()
            } else {
                format!("  {label}")
            };
            let _ = writeln!(text, "{}{kind}{label}", node.id);
            for edge in edges.into_iter().filter_map(|at| self.edges.get(at)) {
                let to = self.nodes.get(edge.to).map_or("", |node| &node.id);
                let caption = one_line(&edge.text);
                let gap = if caption.is_empty() { "" } else { "  " };
                let _ = writeln!(text, "  {arrow} {to}{gap}{caption}");
            }
        }
        text
    }
}

/// The name and what the graph is for, with an empty line; nothing for a graph without either.
pub(super) fn heading(drawing: &Drawing) -> String {
    match (drawing.name.as_str(), one_line(&drawing.about)) {
        ("", about) if about.is_empty() => String::new(),
        ("", about) => format!("{about}\n\n"),
        (name, about) if about.is_empty() => format!("{name}\n\n"),
        (name, about) => format!("{name}: {about}\n\n"),
    }
}

/// Spaces and line ends as single spaces, control characters dropped.
pub(super) fn one_line(text: &str) -> String {
    let text = text.replace("\\n", " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .collect()
}
