//! The graph of a run as DOT text with the state of its nodes, and as a picture drawn by Graphviz.

use std::fmt::Write;
use std::io::{self, Seek};
use std::path::Path;
use std::process::{Command, Stdio};

use attractor::parse_dot_file;
use attractor_run::{NodeState, RunSnapshot};
use serde::Serialize;

use crate::error::ApiError;

/// The graph of a run.
pub(crate) struct Drawn {
    pub(crate) nodes: Vec<DrawnNode>,
    pub(crate) edges: Vec<DrawnEdge>,
    /// The same as DOT.
    pub(crate) dot: String,
}

/// A node of it.
#[derive(Serialize)]
pub(crate) struct DrawnNode {
    id: String,
    label: String,
    /// Its kind, as `type` names it.
    kind: String,
    /// Its state, once it has been entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<NodeState>,
}

/// An edge of it.
#[derive(Serialize)]
pub(crate) struct DrawnEdge {
    from: String,
    to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// The graph in a file, as the run is now.
pub(crate) fn draw(file: &Path, run: &RunSnapshot) -> Result<Drawn, ApiError> {
    let pipeline = parse_dot_file(file).map_err(|error| ApiError::internal(error.to_string()))?;
    let nodes = pipeline.nodes().map(|node| DrawnNode {
        id: node.id.to_string(),
        label: node.label().to_owned(),
        kind: node.kind.name().to_owned(),
        state: run.nodes.get(node.id.as_str()).map(|node| node.state),
    });
    let edges = pipeline.edges().map(|edge| {
        let written = |name| edge.attributes.get(name).map(|one| one.value().to_owned());
        DrawnEdge {
            from: pipeline.id(edge.from).to_owned(),
            to: pipeline.id(edge.to).to_owned(),
            label: written("label").or_else(|| written("condition")),
        }
    });
    let (nodes, edges): (Vec<_>, Vec<_>) = (nodes.collect(), edges.collect());
    let dot = dot(pipeline.name(), &nodes, &edges);
    Ok(Drawn { nodes, edges, dot })
}

fn dot(name: &str, nodes: &[DrawnNode], edges: &[DrawnEdge]) -> String {
    let mut text = format!("digraph {} {{\n", quoted(name));
    text.push_str(
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"]\n",
    );
    for node in nodes {
        let color = node.state.map_or("white", color);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {} [label={}, fillcolor={}]",
            quoted(&node.id),
            quoted(&node.label),
            quoted(color)
        );
    }
    for edge in edges {
        let label = edge.label.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "  {} -> {} [label={}]",
            quoted(&edge.from),
            quoted(&edge.to),
            quoted(label)
        );
    }
    text.push_str("}\n");
    text
}

const fn color(state: NodeState) -> &'static str {
    match state {
        NodeState::Running => "#cfe2ff",
        NodeState::Waiting => "#ffe8b3",
        NodeState::Retrying => "#ffd8b3",
        NodeState::Succeeded => "#d1f0d5",
        NodeState::Failed => "#f8d0d0",
        NodeState::Cancelled => "#e2e2e2",
    }
}

/// A string of DOT. Graphviz reads backslashes of labels as escapes; control characters are left out.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => {}
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

impl Drawn {
    /// The picture, or why there is none.
    pub(crate) fn svg(&self) -> Result<String, String> {
        let run = || -> io::Result<std::process::Output> {
            // Through a file: writing to a program that writes back may block.
            let mut input = tempfile::tempfile()?;
            io::Write::write_all(&mut input, self.dot.as_bytes())?;
            input.rewind()?;
            Command::new("dot")
                .arg("-Tsvg")
                .env_clear()
                .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
                .stdin(Stdio::from(input))
                .output()
        };
        let drawn = run().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "the program `dot` of Graphviz is not installed".to_owned(),
            _ => format!("the program `dot` cannot be run: {error}"),
        })?;
        if drawn.status.success() {
            Ok(String::from_utf8_lossy(&drawn.stdout).into_owned())
        } else {
            Err("the program `dot` of Graphviz failed".to_owned())
        }
    }
}
