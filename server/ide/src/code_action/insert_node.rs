//! A human gate or a checkpoint on an edge.

use attractor_dot::ast::{EdgeEnd, EdgeStmt, Id};
use attractor_dot::{Edit, strings};
use attractor_model::{Files, NodeKind, Pipeline};

use super::{Action, ActionKind, adds_errors, chain, free_name, indent, line_end};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// What can be put on the edge under the cursor.
pub(super) fn on_edge(doc: &Document, spot: SyntaxElement<'_>, files: &dyn Files) -> Vec<Action> {
    let SyntaxElement::Operator { graph, edge, index } = spot else {
        return Vec::new();
    };
    let Some(around) = SplitEdge::new(doc, graph, edge, index) else {
        return Vec::new();
    };
    let actions = [around.gate(), around.checkpoint()].into_iter();
    actions
        .filter(|action| !adds_errors(doc, &action.edits, files))
        .collect()
}

/// An edge between two nodes, cut in two.
struct SplitEdge<'d> {
    doc: &'d Document,
    graph: usize,
    pipeline: &'d Pipeline,
    edge: &'d EdgeStmt,
    /// The statement up to the node before the cut.
    before: &'d str,
    from: Id,
    to: Id,
    /// The rest of the statement from the node after the cut, if any.
    after: Option<&'d str>,
}

impl<'d> SplitEdge<'d> {
    fn new(doc: &'d Document, graph: usize, edge: &'d EdgeStmt, index: usize) -> Option<Self> {
        let pipeline = doc.pipeline(graph)?;
        let single = |end: &EdgeEnd| match end {
            EdgeEnd::Nodes(nodes) if nodes.len() == 1 => nodes.first().map(|node| node.id),
            _ => None,
        };
        let (from, to) = (edge.ends.get(index)?, edge.ends.get(index + 1)?);
        let last = edge.ends.last()?;
        let between = |start: usize, end: usize| doc.text.get(start..end);
        Some(Self {
            doc,
            graph,
            pipeline,
            edge,
            before: between(edge.range.start(), from.range().end())?,
            from: single(from)?,
            to: single(to)?,
            after: if edge.ends.len() > index + 2 {
                between(to.range().start(), last.range().end())
            } else {
                None
            },
        })
    }

    /// `a -> b` becomes `a -> approve_b`, with a way on to b and, for a no, one back to a. Nothing leads back to the
    /// start: there a no leads to the end of the run, or, where it has none of its own, the gate asks yes or no.
    fn gate(&self) -> Action {
        let gate = self.free_name("approve");
        let to = self.written(self.to);
        let refused = if self.is_start(self.from) {
            let exit = self.exit().map(strings::quote);
            let exit = exit.filter(|exit| *exit != to);
            exit.map(|exit| format!("{gate} -> {exit} [label=\"[S] Stop\"]"))
        } else {
            let from = self.written(self.from);
            Some(format!("{gate} -> {from} [label=\"[R] Revise\"]"))
        };
        let approved = match refused {
            Some(_) => format!("{gate} -> {to} [label=\"[A] Approve\"]"),
            None => format!("{gate} -> {to}"),
        };
        let lines = [
            format!("{gate} [shape=hexagon, prompt=\"Approve this step?\"]"),
            self.first_half(&gate),
            approved,
        ];
        let lines: Vec<String> = lines.into_iter().chain(refused).collect();
        self.action("Insert human gate on this edge", &lines)
    }

    fn written(&self, id: Id) -> &'d str {
        id.range.text(&self.doc.text)
    }

    fn is_start(&self, id: Id) -> bool {
        let name = self.doc.decode(&id);
        let start = self.pipeline.start.map(|start| self.pipeline.id(start));
        let node = self.pipeline.node_by_id(&name);
        start == Some(&*name) || node.is_some_and(|node| node.kind == NodeKind::Start)
    }

    /// The one node that ends a run, when there is one.
    fn exit(&self) -> Option<&'d str> {
        let nodes = self.pipeline.nodes.iter();
        let mut exits = nodes.filter(|node| node.kind == NodeKind::Exit);
        match (exits.next(), exits.next()) {
            (Some(exit), None) => Some(&exit.id),
            _ => None,
        }
    }

    fn checkpoint(&self) -> Action {
        let saved = self.free_name("before");
        let name = strings::quote(&saved).into_owned();
        let lines = [
            format!("{saved} [shape=cylinder, name={name}]"),
            self.first_half(&saved),
            format!("{saved} -> {}", self.written(self.to)),
        ];
        self.action("Insert checkpoint on this edge", &lines)
    }

    fn first_half(&self, node: &str) -> String {
        format!(
            "{} -> {node}{}",
            self.before,
            chain::attribute_text(self.doc, self.edge)
        )
    }

    fn action(&self, title: &str, lines: &[String]) -> Action {
        let rest = self
            .after
            .map(|after| format!("{after}{}", chain::attribute_text(self.doc, self.edge)));
        let lines: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .chain(rest.as_deref())
            .collect();
        let separator = format!(
            "{}{}",
            line_end(&self.doc.text),
            indent(&self.doc.text, self.edge.range.start())
        );
        let edit = Edit::replace(self.edge.range, lines.join(&separator));
        Action::edit(title, ActionKind::Insert, vec![edit])
    }

    /// A name for the new node that no node has: `approve_deploy`, `approve_deploy_2`, …
    fn free_name(&self, prefix: &str) -> String {
        let base = format!("{prefix}_{}", super::word(self.written(self.to)));
        free_name(self.doc, self.graph, &base)
    }
}
