//! A node: what it does, what was resolved for it and from where, its edges, its last run.

use std::fmt::Write;

use attractor_dot::graph::Graph;
use attractor_lint::agent_limits;
use attractor_model::catalogue::{self, Owner};
use attractor_model::fidelity_preview::{Preview, preview};
use attractor_model::workflow_block::{Progress, is_wanted, workflow_block};
use attractor_model::{Node, NodeIx, NodeKind, Origin, Pipeline, resolve};

use super::{brief, code, edge, id};
use crate::code_lens;
use crate::document::Document;
use crate::runs::RunView;

/// The page of a node.
pub(super) fn page(doc: &Document, graph: usize, node: &str, runs: &[RunView]) -> Option<String> {
    let info = doc.graph(graph)?;
    let found = info
        .pipeline
        .as_deref()
        .and_then(|pipeline| Some((pipeline, pipeline.by_id(node)?)));
    match found {
        Some((pipeline, ix)) => of_pipeline(doc, pipeline, ix, runs),
        None => plain(&info.graph, node),
    }
}

fn of_pipeline(
    doc: &Document,
    pipeline: &Pipeline,
    ix: NodeIx,
    runs: &[RunView],
) -> Option<String> {
    let node = pipeline.node(ix)?;
    let resolved = resolve(pipeline, ix);
    let mut page = format!("**{}** — {}", id(&node.id), kind(node));
    let handler = resolved.iter().find(|one| one.name == "handler");
    if let Some(reading @ Origin::Dialect(_)) = handler.map(|one| &one.origin) {
        let _ = write!(page, ", {}", reading.sentence());
    }
    if *node.label() != *node.id {
        let _ = write!(page, " · {}", brief(node.label(), 80));
    }
    page.push_str("\n\n");
    if let Some(row) = node.kind.row() {
        let _ = writeln!(page, "{}\n", row.summary);
    }
    for one in SHOWN
        .iter()
        .filter_map(|name| resolved.iter().find(|one| one.name == **name))
        .filter(|one| one.origin != Origin::Catalogue)
        // Defaults of the graph and stylesheets reach every node; a command still calls no model.
        .filter(|one| catalogue::attribute(Owner::Node(node.kind), &one.name).is_some())
    {
        let value = code(&brief(&one.value, 100));
        let _ = writeln!(page, "- {}: {value}{}", one.name, origin(doc, &one.origin));
    }
    permissions(doc, &mut page, node);
    edges(&mut page, pipeline, ix);
    if is_wanted(pipeline) && node.kind == NodeKind::Codergen {
        let block = workflow_block(pipeline, ix, &Progress::default());
        let _ = writeln!(
            page,
            "\nThe prompt of the next run begins with:\n\n```text\n{block}```"
        );
    }
    if let Some(Preview { sentence, text }) = preview(pipeline, ix) {
        let _ = writeln!(page, "\n{sentence}");
        if !text.is_empty() {
            let _ = writeln!(page, "\n```text\n{text}```");
        }
    }
    if let Some((run, view)) = code_lens::current(runs, &pipeline.name).and_then(|run| {
        let mut nodes = run.nodes.iter();
        Some((run, nodes.find(|view| *view.id == *node.id)?))
    }) {
        let (sign, summary, mark) = (view.state.sign(), &view.summary, run.mark_of(view));
        let _ = writeln!(page, "\nLast run: {sign} {summary}{mark}");
    }
    Some(page)
}

/// What a user wants to know of a node first.
const SHOWN: &[&str] = &[
    "prompt",
    "command",
    "model",
    "provider",
    "reasoning_effort",
    "fidelity",
    "sub_pipeline",
    "done_condition",
    "duration",
    "timeout",
    "max_retries",
    "retry_policy",
    "retry_target",
    "goal_gate",
    "max_visits",
    "verify",
    "on_failure",
    "join_policy",
    "class",
];

fn kind(node: &Node) -> String {
    let name = node.handler();
    let mut kind = name.to_owned();
    if node.start {
        kind.push_str(", the start");
    }
    if node.terminal || node.implicit_terminal {
        kind.push_str(", the run ends here");
    }
    kind
}

/// What the agent of a node may do: the limits of the node, and what of them the configuration denies.
fn permissions(doc: &Document, page: &mut String, node: &Node) {
    for name in ["permissions", "allowed_tools", "allowed_paths"] {
        if let Some(attribute) = node.attributes.get(name) {
            let value = code(&brief(attribute.value(), 100));
            let _ = writeln!(page, "- {name}: {value}");
        }
    }
    let excess = agent_limits::excess(node, &doc.options).unwrap_or_default();
    for one in excess {
        let _ = writeln!(page, "- {one}");
    }
}

/// Where a value came from, when not from the node itself.
fn origin(doc: &Document, origin: &Origin<'_>) -> String {
    if matches!(origin, Origin::Own(_)) {
        return String::new();
    }
    let line = origin.range().map(|range| line(doc, range.start()));
    let line = line.map(|line| format!(", line {line}"));
    format!(" — {}{}", origin.sentence(), line.unwrap_or_default())
}

/// The number of the line an offset is in, from 1.
fn line(doc: &Document, offset: usize) -> u32 {
    doc.position(offset, crate::position::Encoding::Utf8).line + 1
}

fn edges(page: &mut String, pipeline: &Pipeline, ix: NodeIx) {
    let outgoing = pipeline.outgoing(ix);
    let all = || outgoing.iter().filter_map(|edge| pipeline.edge(*edge));
    let is_fork = all().any(|edge| edge::starts_branch(pipeline, edge));
    match outgoing.len() {
        0 => {}
        _ if is_fork => page.push_str("\nStarts these branches, which run concurrently:\n\n"),
        1 => page.push_str("\nContinues to:\n\n"),
        _ => page.push_str("\nContinues to, in this order:\n\n"),
    }
    for (number, edge) in all().take(LIMIT).enumerate() {
        let to = id(pipeline.id(edge.to));
        let _ = if is_fork {
            writeln!(page, "- {to}")
        } else {
            writeln!(page, "{}. {to} {}", number + 1, edge::when(pipeline, edge))
        };
    }
    more(page, outgoing.len());
    if let Some(failure) = edge::failure(pipeline, ix) {
        let _ = writeln!(page, "\n{failure}");
    }
    let incoming = pipeline.incoming(ix);
    if !incoming.is_empty() {
        let mut sources: Vec<String> = Vec::new();
        for edge in incoming
            .iter()
            .filter_map(|edge| pipeline.edge(*edge))
            .take(LIMIT)
        {
            let source = id(pipeline.id(edge.from));
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        let _ = writeln!(page, "\nComes from {}", sources.join(", "));
        more(page, incoming.len());
    }
}

/// More edges than this are counted, not listed.
const LIMIT: usize = 12;

fn more(page: &mut String, count: usize) {
    if count > LIMIT {
        let _ = writeln!(page, "… and {} more", count - LIMIT);
    }
}

/// A node of a plain graph.
fn plain(graph: &Graph, node: &str) -> Option<String> {
    let index = graph.nodes.iter().position(|other| other.id == node)?;
    let found = graph.nodes.get(index)?;
    let mut page = format!("**{}** — node", id(node));
    let label = graph.value(found.attributes, "label");
    if let Some(label) = label.filter(|label| *label != node) {
        let _ = write!(page, " · {}", brief(label, 80));
    }
    page.push_str("\n\n");
    let names = |wanted: &dyn Fn(&attractor_dot::graph::Edge) -> Option<usize>| {
        let mut names: Vec<String> = Vec::new();
        for other in graph
            .edges
            .iter()
            .filter_map(wanted)
            .filter_map(|other| graph.nodes.get(other))
            .take(LIMIT)
        {
            let name = id(&other.id);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    };
    let to = names(&|edge| (edge.from() == index).then_some(edge.to()));
    let from = names(&|edge| (edge.to() == index).then_some(edge.from()));
    for (words, names) in [("Leads to", to), ("Comes from", from)] {
        if !names.is_empty() {
            let _ = writeln!(page, "{words} {names}\n");
        }
    }
    Some(page)
}
