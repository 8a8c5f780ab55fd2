//! The statements that name a node, and edge statements as pairs of nodes.

use attractor_dot::ast::{EdgeEnd, EdgeStmt, NodeStmt, Stmt};
use attractor_dot::strings;

use crate::document::Document;
use crate::symbol_index::SymbolKey;
use crate::walk;

/// The statements of a node that nothing else names.
pub(super) struct NodeStatements<'d> {
    /// Those that declare it.
    pub(super) declarations: Vec<&'d NodeStmt>,
    /// Those with an edge of it, and the nodes of each.
    pub(super) edges: Vec<(&'d EdgeStmt, Vec<String>)>,
}

impl<'d> NodeStatements<'d> {
    /// `None` where a value, a group or a statement about several nodes names the node.
    pub(super) fn of(doc: &'d Document, graph: usize, id: &str) -> Option<Self> {
        let mut found = Self {
            declarations: Vec::new(),
            edges: Vec::new(),
        };
        let mut places = Vec::new();
        walk::statements(&doc.parse.file, |number, _, statement| {
            if number != graph {
                return;
            }
            let own = walk::nodes(statement).filter(|node| doc.decode(&node.id) == id);
            let own: Vec<_> = own.map(|node| node.id.range).collect();
            match statement {
                _ if own.is_empty() => return,
                Stmt::Node(node) if node.nodes.len() == 1 => found.declarations.push(node),
                Stmt::Edge(edge) => match nodes(doc, edge) {
                    Some(nodes) => found.edges.push((edge, nodes)),
                    None => return,
                },
                _ => return,
            }
            places.extend(own);
        });
        let key = SymbolKey::Node(graph, id.to_owned());
        let mut named = doc.symbol_index().of(&key);
        let pipeline = doc.pipeline(graph)?;
        // An edge of a group around the node is an edge of the node.
        let mut edges = pipeline.edges.iter();
        let has_all_edges = edges.all(|edge| {
            let is_own = pipeline.id(edge.from) == id || pipeline.id(edge.to) == id;
            let mut statements = found.edges.iter();
            !is_own || statements.any(|(statement, _)| statement.range == edge.statement)
        });
        let is_complete = has_all_edges && named.all(|place| places.contains(&place.range));
        is_complete.then_some(found)
    }
}

/// The node at an end without a port.
pub(super) fn single(doc: &Document, end: &EdgeEnd) -> Option<String> {
    let EdgeEnd::Nodes(nodes) = end else {
        return None;
    };
    let [node] = nodes.as_slice() else {
        return None;
    };
    (node.range() == node.id.range).then(|| doc.decode(&node.id).into_owned())
}

/// The nodes of an edge statement; `None` when an end is a group or has a port.
pub(super) fn nodes(doc: &Document, edge: &EdgeStmt) -> Option<Vec<String>> {
    edge.ends.iter().map(|end| single(doc, end)).collect()
}

/// The statements for the edges between neighbours in `nodes`, after `change`, which leaves out those it gives `None` for.
pub(super) fn chains(
    nodes: &[String],
    attributes: &str,
    change: impl Fn(&str, &str) -> Option<(String, String)>,
) -> Vec<String> {
    let mut chains: Vec<Vec<String>> = Vec::new();
    for pair in nodes.windows(2) {
        let [from, to] = pair else { continue };
        let Some((from, to)) = change(from, to) else {
            continue;
        };
        match chains.last_mut() {
            Some(chain) if chain.last() == Some(&from) => chain.push(to),
            _ => chains.push(vec![from, to]),
        }
    }
    let statement = |chain: Vec<String>| {
        let ids: Vec<_> = chain.iter().map(|id| strings::quote(id)).collect();
        format!("{}{attributes}", ids.join(" -> "))
    };
    chains.into_iter().map(statement).collect()
}
