//! Neighbours in a chain run at the same time: `a -> b -> c` becomes `split -> {a b c} -> join`.
//!
//! Offered for agents and commands between which only unconditional edges lead, when nothing reads a context key that
//! one of them sets. What they do to the same files only a person can judge, so this is a refactoring, never a fix.
//! Only ids and operators of edge statements change; attributes and comments stay.

use std::collections::BTreeSet;

use attractor_dot::ast::{EdgeEnd, EdgeStmt, NodeRef, Stmt};
use attractor_dot::{Edit, TextRange};
use attractor_model::analysis::{Keys, Paths};
use attractor_model::{Edge, Files, Node, NodeIx, NodeKind, Pipeline, Severity};

use super::{Action, ActionKind, delete_statement, free_name, indent, line_end, word};
use crate::document::Document;
use crate::symbol_index::{OccurrenceKind, SymbolKey};
use crate::walk::{self, SyntaxElement};

/// Puts the chain of independent nodes around the cursor between a parallel node and a fan-in.
pub(super) fn run_in_parallel(
    doc: &Document,
    spot: SyntaxElement<'_>,
    files: &dyn Files,
) -> Option<Action> {
    let (graph, name) = match spot {
        SyntaxElement::Node { graph, node } => (graph, doc.decode(&node.id)),
        SyntaxElement::Operator { graph, edge, index } => match edge.ends.get(index)? {
            EdgeEnd::Nodes(nodes) => (graph, doc.decode(&nodes.first()?.id)),
            _ => return None,
        },
        _ => return None,
    };
    let pipeline = doc.pipeline(graph)?;
    let chain = Neighbours::new(doc, graph, pipeline).around(pipeline.by_id(&name)?);
    if chain.len() < 2 {
        return None;
    }
    let rewrite = Rewrite {
        doc,
        graph,
        pipeline,
        chain: &chain,
        split: free_name(
            doc,
            graph,
            &format!("parallel_{}", id_at(pipeline, chain.first())?),
        ),
        join: free_name(
            doc,
            graph,
            &format!("join_{}", id_at(pipeline, chain.last())?),
        ),
    };
    let edits = rewrite.edits()?;
    if !rewrite.is_valid(&edits, files) {
        return None;
    }
    let title = format!("Run these {} nodes in parallel", chain.len());
    Some(Action {
        on_request: true,
        ..Action::edit(title, ActionKind::Rewrite, edits)
    })
}

fn id_at(pipeline: &Pipeline, node: Option<&NodeIx>) -> Option<String> {
    Some(word(pipeline.id(*node?)))
}

/// Which neighbours of a pipeline may run at the same time.
struct Neighbours<'d> {
    pipeline: &'d Pipeline,
    /// Targets and sources of jumps that no edge shows.
    jumping: BTreeSet<NodeIx>,
    /// Nodes that set a key which something reads.
    read: BTreeSet<NodeIx>,
}

impl<'d> Neighbours<'d> {
    fn new(doc: &Document, graph: usize, pipeline: &'d Pipeline) -> Self {
        let paths = Paths::of(pipeline);
        let keys = Keys::of(pipeline, &paths);
        let mut jumping = BTreeSet::new();
        for (ix, _) in pipeline.indexed_nodes() {
            for (target, _) in paths.jumps(ix) {
                jumping.extend([ix, *target]);
            }
        }
        for name in ["retry_target", "fallback_retry_target"] {
            let target = pipeline.attributes.get(name);
            jumping.extend(target.and_then(|target| pipeline.by_id(target.value().trim())));
        }
        let index = doc.symbol_index();
        let is_read = |key: &SymbolKey| {
            let mut places = index.of(key);
            places.any(|place| place.role == OccurrenceKind::Reference)
        };
        let read_keys = index.iter().filter_map(|key| match key {
            SymbolKey::Key(number, name) if *number == graph && is_read(key) => Some(name),
            _ => None,
        });
        Self {
            pipeline,
            jumping,
            read: read_keys
                .flat_map(|key| keys.setters(pipeline, key))
                .collect(),
        }
    }

    /// The longest chain through a node; the node alone when it has no such neighbour.
    fn around(&self, node: NodeIx) -> Vec<NodeIx> {
        let mut chain = vec![node];
        while let Some(before) = chain.first().and_then(|first| self.before(*first)) {
            if chain.contains(&before) {
                break;
            }
            chain.insert(0, before);
        }
        while let Some(after) = chain.last().and_then(|last| self.after(*last)) {
            if chain.contains(&after) {
                break;
            }
            chain.push(after);
        }
        // What follows does not decide by the result of the last one, as a conditional node does.
        while let Some(last) = chain.last() {
            let after = self
                .only_edge(*last)
                .and_then(|edge| self.pipeline.node(edge.to));
            if after.is_some_and(|after| after.kind != NodeKind::Conditional) {
                return chain;
            }
            chain.pop();
        }
        chain
    }

    fn before(&self, node: NodeIx) -> Option<NodeIx> {
        let mut before = self.pipeline.predecessors(node);
        let (from, None) = (before.next()?, before.next()) else {
            return None;
        };
        (self.after(from)? == node).then_some(from)
    }

    /// The node that the one edge of `node` leads to, when both can be branches.
    fn after(&self, node: NodeIx) -> Option<NodeIx> {
        let to = self.only_edge(node)?.to;
        let is_only_way = self.pipeline.predecessors(to).count() == 1;
        (is_only_way && self.can_be_branch(node) && self.can_be_branch(to)).then_some(to)
    }

    /// The one edge that leaves a node, if it says nothing but where it leads.
    fn only_edge(&self, node: NodeIx) -> Option<&'d Edge> {
        let [edge] = self.pipeline.outgoing(node) else {
            return None;
        };
        let edge = self.pipeline.edge(*edge)?;
        (edge.attributes.iter().next().is_none() && edge.from != edge.to).then_some(edge)
    }

    fn can_be_branch(&self, ix: NodeIx) -> bool {
        let works = |node: &Node| matches!(node.kind, NodeKind::Codergen | NodeKind::Tool);
        let continues = |node: &Node| {
            ["thread_id", "fidelity", "goal_gate"]
                .iter()
                .any(|name| node.attributes.has(name))
        };
        let node = self.pipeline.node(ix);
        node.is_some_and(|node| works(node) && !node.terminal && !continues(node))
            && self.pipeline.start != Some(ix)
            && !self.jumping.contains(&ix)
            && !self.read.contains(&ix)
    }
}

/// The change of one chain.
struct Rewrite<'d> {
    doc: &'d Document,
    graph: usize,
    pipeline: &'d Pipeline,
    chain: &'d [NodeIx],
    split: String,
    join: String,
}

impl<'d> Rewrite<'d> {
    /// `None` when the edges are written in a way that cannot be taken apart.
    fn edits(&self) -> Option<Vec<Edit>> {
        let (first, last) = (*self.chain.first()?, *self.chain.last()?);
        let mut edits = Vec::new();
        let mut has_block = false;
        for (edge, is_nested) in self.edge_statements() {
            let ends: Vec<Option<NodeIx>> = edge.ends.iter().map(|end| self.single(end)).collect();
            let inner: Vec<usize> = (1..ends.len())
                .filter(|at| self.is_inner(ends.get(at - 1), ends.get(*at)))
                .collect();
            let (Some(from), Some(to)) = (inner.first(), inner.last()) else {
                self.redirect(edge, (first, last), &mut edits);
                continue;
            };
            if is_nested || !edge.attributes.is_empty() || to - from + 1 != inner.len() {
                return None;
            }
            let (start, end) = (
                edge.ends.get(from - 1)?.range(),
                edge.ends.get(*to)?.range(),
            );
            let range = TextRange::new(start.start(), end.end());
            let has_comment =
                |token: &str| ["//", "/*", "#"].iter().any(|mark| token.contains(mark));
            if has_comment(range.text(&self.doc.text)) {
                return None;
            }
            if !has_block {
                has_block = true;
                edits.push(Edit::insert(edge.range.start(), self.declarations(edge)));
                edits.push(Edit::replace(range, self.block()));
            } else if range == edge.range {
                edits.push(delete_statement(&self.doc.text, range));
            } else {
                edits.push(Edit::replace(range, self.join.as_str()));
            }
        }
        edits.sort_by_key(|edit| (edit.range.start(), edit.range.end()));
        has_block.then_some(edits)
    }

    /// The edge statements of the graph, and whether each is in a subgraph that is an end of another one.
    fn edge_statements(&self) -> Vec<(&'d EdgeStmt, bool)> {
        let mut found = Vec::new();
        walk::statements(&self.doc.parse.file, |graph, _, statement| {
            if let (true, Stmt::Edge(edge)) = (graph == self.graph, statement) {
                found.push(edge);
            }
        });
        let is_end = |range: TextRange, own: &EdgeStmt| {
            let mut others = found.iter();
            others.any(|other: &&EdgeStmt| {
                !std::ptr::eq(*other, own) && other.range.contains_range(range)
            })
        };
        found
            .iter()
            .map(|edge| (*edge, is_end(edge.range, edge)))
            .collect()
    }

    /// The node of an end that is one node without a port.
    fn single(&self, end: &EdgeEnd) -> Option<NodeIx> {
        match end {
            EdgeEnd::Nodes(nodes) => match nodes.as_slice() {
                [node] if node.port.is_none() => self.pipeline.by_id(&self.doc.decode(&node.id)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an edge between two ends is one of the chain.
    fn is_inner(&self, from: Option<&Option<NodeIx>>, to: Option<&Option<NodeIx>>) -> bool {
        let (Some(Some(from)), Some(Some(to))) = (from, to) else {
            return false;
        };
        self.chain.windows(2).any(|pair| pair == [*from, *to])
    }

    /// Edges into the chain lead to the parallel node, those out of it start at the join.
    fn redirect(&self, edge: &EdgeStmt, (first, last): (NodeIx, NodeIx), edits: &mut Vec<Edit>) {
        let count = edge.ends.len();
        for (at, end) in edge.ends.iter().enumerate() {
            let EdgeEnd::Nodes(nodes) = end else { continue };
            for node in nodes {
                let ix = self.pipeline.by_id(&self.doc.decode(&node.id));
                let name = match ix {
                    Some(ix) if ix == first && at > 0 => &self.split,
                    Some(ix) if ix == last && at + 1 < count => &self.join,
                    _ => continue,
                };
                edits.push(Edit::replace(id_range(node), name.as_str()));
            }
        }
    }

    fn declarations(&self, edge: &EdgeStmt) -> String {
        let (text, start) = (&self.doc.text, edge.range.start());
        let margin = indent(text, start);
        let line_start = start - margin.len();
        let is_alone = text
            .get(..line_start)
            .is_some_and(|text| text.ends_with('\n'));
        let separator = if is_alone {
            format!("{}{margin}", line_end(text))
        } else {
            "; ".to_owned()
        };
        let (split, join) = (&self.split, &self.join);
        format!("{split} [shape=component]{separator}{join} [shape=tripleoctagon]{separator}")
    }

    fn block(&self) -> String {
        let ids = self
            .chain
            .iter()
            .map(|ix| attractor_dot::strings::quote(self.pipeline.id(*ix)));
        let ids: Vec<_> = ids.collect();
        format!("{} -> {{{}}} -> {}", self.split, ids.join(" "), self.join)
    }

    /// Whether the text after the edits has the two nodes, no new problem and the same ways in and out.
    fn is_valid(&self, edits: &[Edit], files: &dyn Files) -> bool {
        let text = attractor_dot::apply(&self.doc.text, edits);
        let after = Document::new(&text, self.doc.version, self.doc.options.clone(), files);
        let Some(pipeline) = after.pipeline(self.graph) else {
            return false;
        };
        let node = |id: &str| pipeline.by_id(id).zip(pipeline.node_by_id(id));
        let (Some((split, parallel)), Some((join, fan_in))) = (node(&self.split), node(&self.join))
        else {
            return false;
        };
        let branches: BTreeSet<&str> = pipeline
            .successors(split)
            .map(|ix| pipeline.id(ix))
            .collect();
        let expected = self.chain.iter().map(|ix| self.pipeline.id(*ix)).collect();
        parallel.kind == NodeKind::Parallel
            && fan_in.kind == NodeKind::FanIn
            && branches == expected
            && pipeline.successors(join).count() == 1
            && problems(&after).is_subset(&problems(self.doc))
    }
}

fn id_range(node: &NodeRef) -> TextRange {
    node.id.range
}

/// The errors and warnings, wherever they are.
fn problems(doc: &Document) -> BTreeSet<(&'static str, &str)> {
    let found = doc.analysis.diagnostics.iter();
    let found = found.filter(|one| one.severity <= Severity::Warning);
    found.map(|one| (one.rule, one.message.as_str())).collect()
}
