//! A node that runs another pipeline once becomes the nodes of that pipeline.
//!
//! The way back from the extraction of a sub-pipeline. Offered where a run takes the same way afterwards: the node has
//! one plain edge that leaves it, the pipeline has one plain edge from its start and explicit ends, and both have the
//! same defaults. A name that both have gets the name of the node in front.

use attractor_dot::ast::{DefaultsTarget, Graph, Stmt};
use attractor_dot::{Edit, TextRange, strings};
use attractor_model::catalogue::{self, Owner};
use attractor_model::sub_pipeline::{self, SubPipeline};
use attractor_model::{Files, NoFiles, Node, NodeKind, Options, Pipeline};
use rustc_hash::{FxHashMap, FxHashSet};

use super::node_statements::{NodeStatements, chains, nodes};
use super::{
    Action, ActionKind, adds_errors, chain, delete_statement, free_name, replace_statement, word,
};
use crate::document::Document;
use crate::walk::{self, AttributeOwner, SyntaxElement};

/// Attributes of the calling node that go with it.
const OF_CALL: [&str; 4] = ["shape", "handler", "label", "sub_pipeline"];

/// Attributes of a graph that hold for a run of it, not for its nodes.
const OF_RUN: [&str; 2] = ["label", "max_steps"];

/// Inlines the pipeline that the node under the cursor runs.
pub(super) fn inline(doc: &Document, spot: SyntaxElement<'_>, files: &dyn Files) -> Option<Action> {
    let (graph, node) = match spot {
        SyntaxElement::Node { graph, node } => (graph, node),
        SyntaxElement::Key(site) | SyntaxElement::Value(site) => match site.holder {
            AttributeOwner::Nodes(statement) => (site.graph, statement.nodes.first()?),
            _ => return None,
        },
        _ => return None,
    };
    let id = doc.decode(&node.id);
    let call = Call::new(doc, graph, &id)?;
    let siblings: Vec<_> = doc.analysis.pipelines().cloned().collect();
    let other;
    let (source, number) = match sub_pipeline::find(call.name, &siblings, files)? {
        SubPipeline::Sibling(sibling) => {
            let mut pipelines = doc.pipelines();
            (doc, pipelines.find(|(_, one)| one.name == sibling.name)?.0)
        }
        SubPipeline::File(path) => {
            let text = files.read(&path)?;
            // What it names is relative to its own folder.
            if path.contains('/') && text.contains(['@', '/']) {
                return None;
            }
            let options = Options {
                path: Some(path),
                ..doc.options.clone()
            };
            other = Document::new(&text, doc.version, options, &NoFiles);
            (&other, other.pipelines().next()?.0)
        }
    };
    let body = Body::new(source, number)?;
    if (source.pipeline(number)?.name == call.pipeline.name && std::ptr::eq(source, doc))
        || !has_same_settings(call.pipeline, body.pipeline)
        || defaults(doc, graph) != defaults(source, number)
    {
        return None;
    }
    let names = body.names(&call)?;
    let edits = call.edits(&body, &names);
    let title = format!("Inline sub-pipeline `{}`", call.name);
    (!adds_errors(doc, &edits, files)).then(|| Action::edit(title, ActionKind::Inline, edits))
}

/// The node that runs the pipeline.
struct Call<'d> {
    doc: &'d Document,
    graph: usize,
    pipeline: &'d Pipeline,
    node: &'d Node,
    /// What it names.
    name: &'d str,
    /// The node after it.
    next: &'d str,
    statements: NodeStatements<'d>,
}

impl<'d> Call<'d> {
    fn new(doc: &'d Document, graph: usize, id: &str) -> Option<Self> {
        let pipeline = doc.pipeline(graph)?;
        let ix = pipeline.by_id(id)?;
        let node = pipeline.node(ix)?;
        let mut own = node.attributes.iter().filter(|one| one.is_written());
        let only_calls = own.all(|one| {
            OF_CALL.contains(&one.name()) || one.row().is_none() && is_drawn(one.name())
        });
        let [edge] = pipeline.outgoing(ix) else {
            return None;
        };
        let edge = pipeline.edge(*edge)?;
        let is_plain = edge.attributes.iter().next().is_none() && edge.to != ix;
        let is_call = node.kind == NodeKind::Pipeline && pipeline.start != Some(ix);
        if !only_calls || !is_plain || !is_call {
            return None;
        }
        Some(Self {
            doc,
            graph,
            pipeline,
            node,
            name: node.attributes.get("sub_pipeline")?.value().trim(),
            next: pipeline.id(edge.to),
            statements: NodeStatements::of(doc, graph, id)?,
        })
    }

    /// The changes of the graph, when the nodes of `body` have these names in it.
    fn edits(&self, body: &Body<'_>, names: &FxHashMap<String, String>) -> Vec<Edit> {
        let id = &*self.node.id;
        let entry = names.get(body.entry).map_or(body.entry, String::as_str);
        let mut lines = Some(body.lines(names, self.next));
        let declarations = self.statements.declarations.iter();
        let mut edits: Vec<Edit> = declarations
            .map(|declaration| match lines.take() {
                Some(lines) => replace_statement(&self.doc.text, declaration.range, &lines),
                None => delete_statement(&self.doc.text, declaration.range),
            })
            .collect();
        for (edge, nodes) in &self.statements.edges {
            let attributes = chain::attribute_text(self.doc, edge);
            let lines = chains(nodes, &attributes, |from, to| {
                match (from == id, to == id) {
                    (true, _) => None,
                    (false, true) => Some((from.to_owned(), entry.to_owned())),
                    (false, false) => Some((from.to_owned(), to.to_owned())),
                }
            });
            edits.push(replace_statement(&self.doc.text, edge.range, &lines));
        }
        edits.sort_by_key(|edit| edit.range);
        edits
    }
}

/// The pipeline that is run.
struct Body<'d> {
    doc: &'d Document,
    number: usize,
    pipeline: &'d Pipeline,
    graph: &'d Graph,
    /// The node after its start.
    entry: &'d str,
    /// Its start and its ends, which go.
    ends: FxHashSet<&'d str>,
}

impl<'d> Body<'d> {
    fn new(doc: &'d Document, number: usize) -> Option<Self> {
        let pipeline = doc.pipeline(number)?;
        let graph = doc.parse.file.graphs.get(number)?;
        let start = pipeline.start?;
        let [edge] = pipeline.outgoing(start) else {
            return None;
        };
        let edge = pipeline.edge(*edge)?;
        let begins_plainly = pipeline.node(start)?.kind == NodeKind::Start
            && pipeline.incoming(start).is_empty()
            && edge.attributes.iter().next().is_none();
        let ends = pipeline.nodes.iter().filter(|node| node.terminal);
        let ends: Vec<&Node> = ends.collect();
        let ends_plainly = ends.iter().all(|node| node.kind == NodeKind::Exit);
        let entry = pipeline.node(edge.to)?;
        let is_flat = graph
            .body
            .statements
            .iter()
            .all(|statement| match statement {
                Stmt::Node(node) => node.nodes.len() == 1,
                Stmt::Edge(edge) => nodes(doc, edge).is_some(),
                Stmt::Subgraph(_) => false,
                _ => true,
            });
        if !begins_plainly || !ends_plainly || entry.terminal || !is_flat {
            return None;
        }
        let ends = ends.iter().map(|node| &*node.id);
        let body = Self {
            doc,
            number,
            pipeline,
            graph,
            entry: &entry.id,
            ends: ends.chain([pipeline.id(start)]).collect(),
        };
        let mut ends = body.ends.iter();
        let are_free = ends.all(|id| NodeStatements::of(doc, number, id).is_some());
        are_free.then_some(body)
    }

    /// The new names of the nodes whose names the graph around the call has already; `None` where a value names one.
    fn names(&self, call: &Call<'_>) -> Option<FxHashMap<String, String>> {
        let nodes = self.pipeline.nodes.iter();
        let moved = nodes.filter(|node| !self.ends.contains(&*node.id));
        let taken =
            moved.filter(|node| node.id != call.node.id && call.pipeline.by_id(&node.id).is_some());
        taken
            .map(|node| {
                NodeStatements::of(self.doc, self.number, &node.id)?;
                let base = format!("{}_{}", word(&call.node.id), word(&node.id));
                let name = free_name(call.doc, call.graph, &base);
                let is_new = self.pipeline.by_id(&name).is_none();
                is_new.then(|| (node.id.to_string(), name))
            })
            .collect()
    }

    /// Its statements without start and ends; what led to an end leads to `next`.
    fn lines(&self, names: &FxHashMap<String, String>, next: &str) -> Vec<String> {
        let renamed = |id: &str| names.get(id).cloned().unwrap_or_else(|| id.to_owned());
        let mut lines = Vec::new();
        for statement in &self.graph.body.statements {
            match statement {
                Stmt::Node(node) => {
                    let Some(written) = node.nodes.first() else {
                        continue;
                    };
                    let id = self.doc.decode(&written.id);
                    if self.ends.contains(&*id) {
                        continue;
                    }
                    let rest = TextRange::new(written.id.range.end(), node.range.end());
                    let id = renamed(&id);
                    lines.push(format!(
                        "{}{}",
                        strings::quote(&id),
                        rest.text(&self.doc.text)
                    ));
                }
                Stmt::Edge(edge) => {
                    let nodes = nodes(self.doc, edge).unwrap_or_default();
                    let attributes = chain::attribute_text(self.doc, edge);
                    lines.extend(chains(&nodes, &attributes, |from, to| {
                        let to = if self.ends.contains(to) {
                            next.to_owned()
                        } else {
                            renamed(to)
                        };
                        (!self.ends.contains(from)).then(|| (renamed(from), to))
                    }));
                }
                _ => {}
            }
        }
        lines
    }
}

/// Whether nodes find the same attributes of the graph in both pipelines.
fn has_same_settings(one: &Pipeline, two: &Pipeline) -> bool {
    let differs = |from: &Pipeline, to: &Pipeline| {
        let mut own = from
            .attributes
            .iter()
            .filter(|attribute| attribute.is_written());
        own.any(|attribute| {
            let name = attribute.name();
            let is_setting = !is_drawn(name) && !OF_RUN.contains(&name);
            is_setting && to.attributes.text(name) != from.attributes.text(name)
        })
    };
    !differs(one, two) && !differs(two, one)
}

/// Whether an attribute is only of the drawing.
fn is_drawn(name: &str) -> bool {
    catalogue::graphviz_attribute(name).is_some()
        && catalogue::attribute(Owner::Graph, name).is_none()
}

/// The defaults of nodes and edges of a graph, as they are written.
fn defaults(doc: &Document, number: usize) -> Vec<&str> {
    let mut found = Vec::new();
    walk::statements(&doc.parse.file, |graph, _, statement| {
        if let Stmt::Defaults(defaults) = statement
            && graph == number
            && defaults.target != DefaultsTarget::Graph
        {
            found.push(defaults.range.text(&doc.text));
        }
    });
    found
}
