//! Selected nodes become a pipeline of their own, which one node in their place runs.
//!
//! Offered where it changes nothing of what a run does: there is one way in, the ways out are taken whatever
//! happens inside, and nothing else in the graph names the nodes that go, nor they what stays. A sub-pipeline
//! shares the context of the node that runs it, so keys need no passing on.

use attractor_dot::ast::{EdgeStmt, Graph, Stmt};
use attractor_dot::{Edit, TextRange, apply, strings};
use attractor_model::{Files, NodeKind, Options};
use rustc_hash::{FxHashMap, FxHashSet};

use super::node_statements::nodes;
use super::{Action, ActionKind, FileChange, NewFile, chain, line_end, replace_statement};
use crate::document::Document;
use crate::symbol_index::{NameSyntax, SymbolKey};

/// Extracts the selected statements, into this file or into a new one.
pub(super) fn sub_pipeline(doc: &Document, range: TextRange, files: &dyn Files) -> Vec<Action> {
    let Some(part) = Part::new(doc, range) else {
        return Vec::new();
    };
    let Some(name) = part.free_name(files) else {
        return Vec::new();
    };
    let Some((edits, graph)) = part.rewrite(&name) else {
        return Vec::new();
    };
    let count = part.nodes.len();
    let what = if count == 1 { "node" } else { "nodes" };
    let end = line_end(&doc.text);
    let mut here = edits.clone();
    here.push(Edit::insert(
        part.graph.range.end(),
        format!("{end}{end}{graph}"),
    ));
    let new = NewFile {
        path: format!("{name}.dot"),
        text: format!("{graph}{end}"),
    };
    let title = |place: &str| format!("Extract {count} {what} to sub-pipeline `{name}` {place}");
    let read = |text: &str, options: &Options, files: &dyn Files| {
        Document::new(text, doc.version, options.clone(), files)
    };
    let mut actions = Vec::new();
    if !adds_diagnostics(doc, &[read(&apply(&doc.text, &here), &doc.options, files)]) {
        actions.push(Action::edit(
            title("in this file"),
            ActionKind::Extract,
            here,
        ));
    }
    let with_new = WithNewFile { files, new: &new };
    let options = Options {
        path: Some(new.path.clone()),
        ..doc.options.clone()
    };
    let after = [
        read(&apply(&doc.text, &edits), &doc.options, &with_new),
        read(&new.text, &options, files),
    ];
    if !adds_diagnostics(doc, &after) {
        let title = title(&format!("in `{}`", new.path));
        actions.push(Action {
            other_file: Some(FileChange::Create(new)),
            ..Action::edit(title, ActionKind::Extract, edits)
        });
    }
    actions
}

/// The files next to the document once the new one is written.
struct WithNewFile<'f> {
    files: &'f dyn Files,
    new: &'f NewFile,
}

impl Files for WithNewFile<'_> {
    fn read(&self, path: &str) -> Option<String> {
        if path == self.new.path {
            Some(self.new.text.clone())
        } else {
            self.files.read(path)
        }
    }

    fn exists(&self, path: &str) -> bool {
        path == self.new.path || self.files.exists(path)
    }

    fn list(&self, dir: &str) -> Vec<String> {
        self.files.list(dir)
    }

    fn is_outside(&self, path: &str) -> bool {
        self.files.is_outside(path)
    }

    fn has_root(&self) -> bool {
        self.files.has_root()
    }

    fn is_available(&self) -> bool {
        self.files.is_available()
    }
}

/// Whether a rule has more to report of the texts after an extraction than of the document: something of the part
/// belongs to what stays, or the other way round.
fn adds_diagnostics(doc: &Document, after: &[Document]) -> bool {
    let mut counts: FxHashMap<&str, i32> = FxHashMap::default();
    for found in after.iter().flat_map(|text| &text.analysis.diagnostics) {
        *counts.entry(found.rule).or_default() += 1;
    }
    for found in &doc.analysis.diagnostics {
        *counts.entry(found.rule).or_default() -= 1;
    }
    counts.values().any(|more| *more > 0)
}

/// The statements that are selected, and the nodes they declare.
struct Part<'d> {
    doc: &'d Document,
    number: usize,
    graph: &'d Graph,
    /// Whole statements of the graph itself.
    moved: Vec<&'d Stmt>,
    /// The nodes they declare.
    nodes: FxHashSet<String>,
    /// The one node that edges from outside lead to.
    entry: String,
}

/// One edge as it is written, between two single nodes.
struct ExtractStep<'d> {
    from: String,
    to: String,
    attributes: String,
    statement: &'d EdgeStmt,
}

impl<'d> Part<'d> {
    fn new(doc: &'d Document, range: TextRange) -> Option<Self> {
        let selected = range.text(&doc.text);
        let start = range.start() + (selected.len() - selected.trim_start().len());
        let range = TextRange::new(start, start + selected.trim().len());
        let number = doc.graph_at(range.start())?;
        let pipeline = doc.pipeline(number)?;
        let graph = doc.parse.file.graphs.get(number)?;
        let statements = graph.body.statements.iter();
        let touched = statements.filter(|statement| statement.range().intersects(range));
        let moved: Vec<&Stmt> = touched.collect();
        let is_whole = |statement: &&Stmt| {
            range.contains_range(statement.range())
                && matches!(statement, Stmt::Node(_) | Stmt::Edge(_))
        };
        if range.is_empty() || !moved.iter().all(is_whole) {
            return None;
        }
        let declared = moved.iter().filter_map(|statement| match statement {
            Stmt::Node(node) => Some(&node.nodes),
            _ => None,
        });
        let nodes: FxHashSet<String> = declared
            .flatten()
            .map(|node| doc.decode(&node.id).into_owned())
            .collect();
        let ordinary = nodes.iter().all(|id| {
            let node = pipeline.node_by_id(id);
            node.is_some_and(|node| !matches!(node.kind, NodeKind::Start | NodeKind::Exit))
        });
        let edges = &doc.graph(number)?.graph.edges;
        let id = |index: usize| Some(doc.graph(number)?.graph.nodes.get(index)?.id.as_str());
        let entering = edges.iter().filter_map(|edge| {
            let (from, to) = (id(edge.from())?, id(edge.to())?);
            (!nodes.contains(from) && nodes.contains(to)).then_some(to)
        });
        let mut entries: Vec<&str> = entering.collect();
        entries.sort_unstable();
        entries.dedup();
        let [entry] = entries.as_slice() else {
            return None;
        };
        let entry = (*entry).to_owned();
        let part = Self {
            doc,
            number,
            graph,
            moved,
            nodes,
            entry,
        };
        (ordinary && part.is_closed()).then_some(part)
    }

    /// Whether nothing but edges names a node across the border.
    fn is_closed(&self) -> bool {
        let names = self.doc.symbol_index();
        let mut mentions = names.within(self.graph.range);
        mentions.all(|(name, place)| {
            let SymbolKey::Node(graph, id) = name else {
                return true;
            };
            let is_end = place.written == NameSyntax::WholeId && self.is_edge_end(place.range);
            *graph != self.number
                || is_end
                || self.nodes.contains(id) == self.lies_in_moved(place.range)
        })
    }

    fn is_edge_end(&self, range: TextRange) -> bool {
        let statements = &self.graph.body.statements;
        let after = statements.partition_point(|one| one.range().start() <= range.start());
        let around = after.checked_sub(1).and_then(|at| statements.get(at));
        match around {
            Some(Stmt::Edge(edge)) => edge
                .ends
                .iter()
                .any(|end| end.range().contains_range(range)),
            _ => false,
        }
    }

    fn lies_in_moved(&self, range: TextRange) -> bool {
        self.moved
            .iter()
            .any(|statement| statement.range().contains_range(range))
    }

    /// The edges of every statement that has to do with the part; `None` when one of them is about groups.
    fn steps(&self) -> Option<Vec<ExtractStep<'d>>> {
        let mut steps = Vec::new();
        for statement in &self.graph.body.statements {
            let Stmt::Edge(edge) = statement else {
                // Edges inside subgraphs are not rewritten.
                let inside = crate::walk::subgraphs(statement).any(|subgraph| {
                    let mut names = self.doc.symbol_index().within(subgraph.range);
                    names.any(
                        |(name, _)| matches!(name, SymbolKey::Node(_, id) if self.nodes.contains(id)),
                    )
                });
                if inside {
                    return None;
                }
                continue;
            };
            let Some(ids) = nodes(self.doc, edge) else {
                let touches = self.doc.symbol_index().within(edge.range).any(
                    |(name, _)| matches!(name, SymbolKey::Node(_, id) if self.nodes.contains(id)),
                );
                if touches {
                    return None;
                }
                continue;
            };
            let attributes = chain::attribute_text(self.doc, edge);
            if !self.lies_in_moved(edge.range) && !ids.iter().any(|id| self.nodes.contains(id)) {
                continue;
            }
            for pair in ids.windows(2) {
                let [from, to] = pair else { continue };
                steps.push(ExtractStep {
                    from: from.clone(),
                    to: to.clone(),
                    attributes: attributes.clone(),
                    statement: edge,
                });
            }
        }
        Some(steps)
    }

    /// The changes of the graph, and the text of the new one.
    fn rewrite(&self, name: &str) -> Option<(Vec<Edit>, String)> {
        let steps = self.steps()?;
        let is_in = |id: &str| self.nodes.contains(id);
        let leaving: Vec<&ExtractStep<'_>> = steps
            .iter()
            .filter(|step| is_in(&step.from) && !is_in(&step.to))
            .collect();
        let target = &leaving.first()?.to;
        let plain = leaving
            .iter()
            .all(|step| step.to == *target && step.attributes.is_empty());
        if !plain {
            return None;
        }
        let call = strings::quote(name);
        let call_node = format!("{call} [shape=folder, sub_pipeline={call}]");
        let mut has_left = false;
        // The remaining edges, in place.
        let outside = |step: &ExtractStep<'_>, has_left: &mut bool| {
            let (from, to) = (strings::quote(&step.from), strings::quote(&step.to));
            match (is_in(&step.from), is_in(&step.to)) {
                (true, true) => None,
                (false, false) => Some(format!("{from} -> {to}{}", step.attributes)),
                (false, true) => Some(format!("{from} -> {call}{}", step.attributes)),
                (true, false) if *has_left => None,
                (true, false) => {
                    *has_left = true;
                    Some(format!("{call} -> {to}"))
                }
            }
        };
        let mut edits = Vec::new();
        let mut written = Some(call_node);
        for statement in &self.graph.body.statements {
            let mut kept: Vec<String> = Vec::new();
            let is_mine = steps
                .iter()
                .any(|step| step.statement.range == statement.range());
            if self.lies_in_moved(statement.range()) {
                kept.extend(written.take());
            } else if !is_mine {
                continue;
            }
            let own = steps
                .iter()
                .filter(|step| step.statement.range == statement.range());
            kept.extend(own.filter_map(|step| outside(step, &mut has_left)));
            edits.push(replace_statement(&self.doc.text, statement.range(), &kept));
        }
        Some((edits, self.graph_text(name, &steps)))
    }

    fn graph_text(&self, name: &str, steps: &[ExtractStep<'_>]) -> String {
        let text = &self.doc.text;
        let (start, done) = (self.unused("start"), self.unused("done"));
        let mut lines = vec![format!("digraph {} {{", strings::quote(name))];
        // What holds for every node and edge of this graph holds for those that go.
        let shared = self
            .graph
            .body
            .statements
            .iter()
            .filter(|statement| match statement {
                Stmt::Defaults(_) => true,
                Stmt::Assign(attr) => !is_of_whole_graph(&self.doc.decode(&attr.key)),
                _ => false,
            });
        lines.extend(shared.map(|statement| format!("  {}", statement.range().text(text))));
        lines.push(format!("  {start} [shape=Mdiamond]"));
        lines.push(format!("  {done} [shape=Msquare]"));
        let nodes = self
            .moved
            .iter()
            .filter(|statement| matches!(statement, Stmt::Node(_)));
        lines.extend(nodes.map(|statement| format!("  {}", statement.range().text(text))));
        lines.push(format!("  {start} -> {}", strings::quote(&self.entry)));
        for step in steps.iter().filter(|step| self.nodes.contains(&step.from)) {
            let from = strings::quote(&step.from);
            lines.push(if self.nodes.contains(&step.to) {
                format!(
                    "  {from} -> {}{}",
                    strings::quote(&step.to),
                    step.attributes
                )
            } else {
                format!("  {from} -> {done}")
            });
        }
        lines.push("}".to_owned());
        lines.join(line_end(text))
    }

    fn unused(&self, word: &str) -> String {
        let mut name = word.to_owned();
        while self.nodes.contains(&name) {
            name.push('_');
        }
        name
    }

    /// A name that no node, no graph and no file has.
    fn free_name(&self, files: &dyn Files) -> Option<String> {
        let base = format!("{}_part", super::word(&self.entry));
        let numbered = (2_u32..100).map(|number| format!("{base}_{number}"));
        std::iter::once(base.clone()).chain(numbered).find(|name| {
            let names = self.doc.symbol_index();
            !names.contains(&SymbolKey::Node(self.number, name.clone()))
                && !names.contains(&SymbolKey::Graph(name.clone()))
                && !files.exists(&format!("{name}.dot"))
        })
    }
}

/// Whether an attribute is about the graph as a whole: its name, its inputs, and the nodes it names.
fn is_of_whole_graph(key: &str) -> bool {
    matches!(
        key,
        "label"
            | "vars"
            | "inputs"
            | "retry_target"
            | "fallback_retry_target"
            | "goal_required_nodes"
            | "goal_conditions"
    )
}
