//! Mermaid flowcharts.

use std::fmt::Write;

use super::{Box, Drawing};
use crate::catalogue::NodeKind;

/// Words a flowchart reads as its own.
const RESERVED: &[&str] = &[
    "end",
    "graph",
    "flowchart",
    "subgraph",
    "style",
    "class",
    "classdef",
    "click",
    "linkstyle",
    "default",
    "direction",
    "call",
    "href",
    "o",
    "x",
];

impl Drawing {
    /// The drawing as a Mermaid flowchart.
    pub fn mermaid(&self) -> String {
        let mut text = format!("flowchart {}\n", self.direction);
        for (at, node) in self.nodes.iter().enumerate() {
            let (open, close) = outline(node.kind);
            let _ = writeln!(
                text,
                "    {}{open}\"{}\"{close}",
                name(node, at),
                escaped(&node.label)
            );
        }
        let arrow = if self.directed { "-->" } else { "---" };
        let named = |at: usize| {
            self.nodes
                .get(at)
                .map_or_else(String::new, |node| name(node, at))
        };
        for edge in &self.edges {
            let caption = match edge.text.as_str() {
                "" => String::new(),
                caption => format!("|\"{}\"|", escaped(caption)),
            };
            let _ = writeln!(
                text,
                "    {} {arrow}{caption} {}",
                named(edge.from),
                named(edge.to)
            );
        }
        text
    }
}

/// The ID where Mermaid can read it, else one made from the position.
fn name(node: &Box, at: usize) -> String {
    let plain = node
        .id
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_')
        && node.id.starts_with(|c: char| c.is_ascii_alphabetic());
    if plain && !RESERVED.contains(&node.id.to_ascii_lowercase().as_str()) {
        node.id.clone()
    } else {
        format!("node_{at}")
    }
}

/// The brackets that give a node the outline of its kind.
fn outline(kind: Option<NodeKind>) -> (&'static str, &'static str) {
    match kind {
        Some(NodeKind::Start | NodeKind::Exit) => ("([", "])"),
        Some(NodeKind::Conditional) => ("{", "}"),
        Some(NodeKind::HumanGate) => ("{{", "}}"),
        Some(NodeKind::Tool) => ("[/", "/]"),
        Some(NodeKind::Supervisor | NodeKind::Pipeline) => ("[[", "]]"),
        Some(NodeKind::Parallel | NodeKind::FanIn) => ("[\\", "\\]"),
        Some(NodeKind::Checkpoint) => ("[(", ")]"),
        Some(NodeKind::Escalate) => ("((", "))"),
        Some(NodeKind::Prompt | NodeKind::Wait) => ("(", ")"),
        _ => ("[", "]"),
    }
}

/// Text inside Mermaid's quotes; what it or a browser would read as markup becomes an entity.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '&' => out.push_str("#amp;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '\n' => out.push_str("<br/>"),
            // Graphviz writes line ends as `\n`, `\l` and `\r`.
            '\\' if rest
                .next_if(|next| matches!(next, 'n' | 'l' | 'r'))
                .is_some() =>
            {
                out.push_str("<br/>");
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
