//! Mermaid flowcharts.

use std::fmt::Write;

use super::{Arrow, Box, Drawing, Mark};
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
    /// The drawing as a Mermaid flowchart. What is marked has a word and a colour; edges that were added are thick, those that
    /// were removed are dotted.
    pub fn mermaid(&self) -> String {
        let mut text = format!("flowchart {}\n", self.direction);
        for (at, node) in self.nodes.iter().enumerate() {
            let (open, close) = outline(node.kind);
            let _ = writeln!(
                text,
                "    {}{open}\"{}{}\"{close}",
                name(node, at),
                escaped(&node.label),
                node.mark.map_or("", note)
            );
        }
        let named = |at: usize| {
            self.nodes
                .get(at)
                .map_or_else(String::new, |node| name(node, at))
        };
        for edge in &self.edges {
            let marked = match edge.mark {
                Some(Mark::Changed) => format!("{} (changed)", edge.text),
                _ => edge.text.clone(),
            };
            let caption = match marked.trim_start() {
                "" => String::new(),
                caption => format!("|\"{}\"|", escaped(caption)),
            };
            let _ = writeln!(
                text,
                "    {} {}{caption} {}",
                named(edge.from),
                line(edge, self.directed),
                named(edge.to)
            );
        }
        self.add_colours(&mut text);
        text
    }

    /// The colours of what is marked: those of differences on the usual code hosts, readable on light and dark pages.
    fn add_colours(&self, text: &mut String) {
        for (mark, class, fill, stroke) in [
            (Mark::Added, "added", "#dafbe1", "#1a7f37"),
            (Mark::Changed, "changed", "#fff8c5", "#9a6700"),
            (Mark::Removed, "removed", "#ffebe9", "#cf222e"),
        ] {
            let nodes = self.nodes.iter().enumerate();
            let nodes: Vec<String> = nodes
                .filter(|(_, node)| node.mark == Some(mark))
                .map(|(at, node)| name(node, at))
                .collect();
            if !nodes.is_empty() {
                let nodes = nodes.join(",");
                let _ = writeln!(
                    text,
                    "    classDef {class} fill:{fill},stroke:{stroke},color:#1f2328\n    class {nodes} {class}"
                );
            }
            let edges = self.edges.iter().enumerate();
            let edges: Vec<String> = edges
                .filter(|(_, edge)| edge.mark == Some(mark))
                .map(|(at, _)| at.to_string())
                .collect();
            if !edges.is_empty() {
                let _ = writeln!(text, "    linkStyle {} stroke:{stroke}", edges.join(","));
            }
        }
    }
}

/// After the label of a node: colours alone are not seen by everybody, and signs in front of it would be a list in Markdown.
const fn note(mark: Mark) -> &'static str {
    match mark {
        Mark::Added => " (new)",
        Mark::Changed => " (changed)",
        Mark::Removed => " (removed)",
    }
}

/// The line of an edge.
const fn line(edge: &Arrow, directed: bool) -> &'static str {
    match (edge.mark, directed) {
        (None | Some(Mark::Changed), true) => "-->",
        (None | Some(Mark::Changed), false) => "---",
        (Some(Mark::Added), true) => "==>",
        (Some(Mark::Added), false) => "===",
        (Some(Mark::Removed), true) => "-.->",
        (Some(Mark::Removed), false) => "-.-",
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
    let row = kind.and_then(NodeKind::row);
    row.map_or(("[", "]"), |row| row.mermaid)
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
