//! Graphs, subgraphs, defaults, and what belongs to a whole graph: classes and context keys.

use std::fmt::Write;

use attractor_dot::ast::{DefaultsTarget, Subgraph};
use attractor_model::catalogue::explain;

use super::{brief, code, fenced, id};
use crate::code_lens;
use crate::document::Document;
use crate::runs::RunView;
use crate::symbol_index::{OccurrenceKind, SymbolKey};

/// The page of a graph.
pub(super) fn page(doc: &Document, number: usize, runs: &[RunView]) -> Option<String> {
    let info = doc.graph(number)?;
    let name = info
        .graph
        .name
        .as_deref()
        .map_or_else(|| "graph".to_owned(), id);
    let Some(pipeline) = info.pipeline.as_deref() else {
        let kind = if info.graph.directed {
            "directed graph"
        } else {
            "undirected graph"
        };
        return Some(format!(
            "**{name}** — {kind}, {}, {}\n\nNot a pipeline: it has no start node, `goal` or other pipeline attribute.\n",
            counted(info.graph.nodes.len(), "node"),
            counted(info.graph.edges.len(), "edge")
        ));
    };
    let mut page = format!(
        "**{name}** — pipeline, {}, {}\n\n",
        counted(pipeline.nodes.len(), "node"),
        counted(pipeline.edges.len(), "edge")
    );
    if let Some(goal) = pipeline
        .attributes
        .text("goal")
        .filter(|goal| !goal.is_empty())
    {
        let _ = writeln!(page, "Goal: {}\n", brief(goal, 200));
    }
    let _ = write!(page, "Dialect: {}", pipeline.dialect.name());
    if let Some(evidence) = &pipeline.dialect_evidence {
        let _ = write!(page, ", detected by {evidence}");
    }
    page.push_str("\n\n");
    if let Some(start) = pipeline.start {
        let _ = writeln!(page, "Starts at {}\n", id(pipeline.id(start)));
    }
    for name in [
        "model",
        "provider",
        "max_steps",
        "default_max_retries",
        "max_pipeline_duration",
        "max_cost",
    ] {
        if let Some(attribute) = pipeline.attributes.get(name) {
            let _ = writeln!(page, "- {name}: {}", code(attribute.value()));
        }
    }
    if let Some(run) = code_lens::current(runs, &pipeline.name) {
        let _ = writeln!(
            page,
            "\nLast run `{}`: {}/{} nodes",
            run.run, run.done, run.total
        );
        if let Some(report) = &run.report {
            let _ = writeln!(page, "\n{}", fenced(report));
        }
    }
    Some(page)
}

/// The page of a subgraph.
pub(super) fn subgraph(doc: &Document, graph: usize, subgraph: &Subgraph) -> Option<String> {
    let name = subgraph
        .id
        .map(|id| doc.decode(&id).into_owned())
        .unwrap_or_default();
    let info = doc.graph(graph)?;
    let found = info
        .graph
        .subgraphs
        .iter()
        .find(|other| other.name.as_deref() == Some(&name))?;
    let mut page = format!(
        "**{}** — subgraph, {}\n",
        id(&name),
        counted(found.nodes.len(), "node")
    );
    if let Some(label) = info.graph.value(found.attributes, "label") {
        let _ = writeln!(page, "\n{}", brief(label, 120));
    }
    if name.starts_with("cluster") {
        page.push_str("\nDrawn as a box because its name starts with `cluster`.\n");
    }
    Some(page)
}

/// The page of a defaults statement.
pub(super) fn defaults(target: DefaultsTarget) -> &'static str {
    match target {
        DefaultsTarget::Graph => "Attributes of the enclosing graph or subgraph.",
        DefaultsTarget::Node => {
            "Defaults for nodes first mentioned after this statement in this block."
        }
        DefaultsTarget::Edge => "Defaults for edges after this statement in this block.",
    }
}

/// The page of a context key: what the catalogue says, and who in this graph sets and reads it.
pub(super) fn key(doc: &Document, graph: usize, key: &str) -> String {
    let mut page =
        explain::explain(key).unwrap_or_else(|| format!("**{}** — context key\n", code(key)));
    let name = SymbolKey::Key(graph, key.to_owned());
    let count = |role| {
        doc.symbol_index()
            .of(&name)
            .filter(|place| place.role == role)
            .count()
    };
    let (set, read) = (
        count(OccurrenceKind::Declaration),
        count(OccurrenceKind::Reference),
    );
    let _ = match set {
        0 => writeln!(page, "\nRead in {} of this graph.", counted(read, "place")),
        _ => writeln!(
            page,
            "\nSet in {} of this graph, read in {read}.",
            counted(set, "place")
        ),
    };
    page
}

/// The page of a class: which nodes have it.
pub(super) fn class(doc: &Document, graph: usize, class: &str) -> Option<String> {
    let pipeline = doc.pipeline(graph)?;
    let bearing = pipeline
        .nodes
        .iter()
        .filter(|node| node.classes().iter().any(|own| **own == *class));
    let nodes: Vec<String> = bearing.map(|node| id(&node.id)).take(20).collect();
    let nodes = if nodes.is_empty() {
        "no node".to_owned()
    } else {
        nodes.join(", ")
    };
    Some(format!(
        "**{}** — class\n\nOn {nodes}\n",
        code(&format!(".{class}"))
    ))
}

/// `1 node`, `2 nodes`.
fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
