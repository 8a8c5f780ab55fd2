//! The tree in order: every statement, and every attribute with whose it is.
//!
//! Features that look at attributes look at them through [`attributes`] and [`at`], so all of them agree on
//! what is a graph's, a subgraph's, a node's or an edge's. Recursion is bounded by the parser's limit on
//! nested braces.

use attractor_dot::TextRange;
use attractor_dot::ast::{
    Attr, Block, DefaultsTarget, EdgeEnd, EdgeStmt, File, NodeRef, NodeStmt, Stmt, Subgraph,
};

/// Whose attribute it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AttributeOwner<'t> {
    /// The graph's: `key=value` or `graph [...]` outside subgraphs.
    Graph,
    /// A subgraph's: the same inside one.
    Subgraph,
    /// Of the nodes of a statement.
    Nodes(&'t NodeStmt),
    /// Of the edges of a statement.
    Edges,
    /// Of the nodes that follow: `node [...]`.
    NodeDefaults,
    /// Of the edges that follow: `edge [...]`.
    EdgeDefaults,
}

/// An attribute and its bundle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributeSite<'t> {
    /// Which graph of the file, from 0.
    pub graph: usize,
    /// Whose it is.
    pub holder: AttributeOwner<'t>,
    /// The attribute.
    pub attr: &'t Attr,
}

/// What the cursor can be on in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SyntaxElement<'t> {
    /// The name of an attribute.
    Key(AttributeSite<'t>),
    /// The value of an attribute.
    Value(AttributeSite<'t>),
    /// A node in a statement or at the end of an edge.
    Node {
        /// Which graph of the file.
        graph: usize,
        /// The node as written.
        node: &'t NodeRef,
    },
    /// An edge operator.
    Operator {
        /// Which graph of the file.
        graph: usize,
        /// The edge statement.
        edge: &'t EdgeStmt,
        /// Which of its operators, from 0.
        index: usize,
    },
    /// The keyword or name of a graph.
    Graph(usize),
    /// The keyword or name of a subgraph.
    Subgraph(usize, &'t Subgraph),
    /// `node`, `edge` or `graph` before a list of defaults.
    Defaults(DefaultsTarget, TextRange),
}

/// Calls `visit` with every attribute of the file, in order.
pub(crate) fn attributes<'t>(file: &'t File, mut visit: impl FnMut(AttributeSite<'t>)) {
    statements(file, |graph, inside, statement| {
        let Some(holder) = holder(inside, statement) else {
            return;
        };
        let mut give = |attr| {
            visit(AttributeSite {
                graph,
                holder,
                attr,
            });
        };
        if let Stmt::Assign(attr) = statement {
            give(attr);
        }
        statement
            .attributes()
            .iter()
            .flat_map(|list| &list.items)
            .for_each(give);
    });
}

/// Calls `visit` with every statement in order: the graph's number, the subgraph around it, the statement.
/// Subgraphs at the ends of edges are entered too.
pub(crate) fn statements<'t>(
    file: &'t File,
    mut visit: impl FnMut(usize, Option<&'t Subgraph>, &'t Stmt),
) {
    for (number, graph) in file.graphs.iter().enumerate() {
        block(&graph.body, None, &mut |inside, statement| {
            visit(number, inside, statement);
        });
    }
}

fn block<'t>(
    body: &'t Block,
    inside: Option<&'t Subgraph>,
    visit: &mut impl FnMut(Option<&'t Subgraph>, &'t Stmt),
) {
    for statement in &body.statements {
        visit(inside, statement);
        for subgraph in subgraphs(statement) {
            if let Some(body) = &subgraph.body {
                block(body, Some(subgraph), visit);
            }
        }
    }
}

/// The subgraphs a statement holds itself: the one it is, or those at the ends of an edge.
pub(crate) fn subgraphs(statement: &Stmt) -> impl Iterator<Item = &Subgraph> {
    let (own, ends) = match statement {
        Stmt::Subgraph(subgraph) => (Some(&**subgraph), None),
        Stmt::Edge(edge) => (None, Some(&edge.ends)),
        _ => (None, None),
    };
    let ends = ends.into_iter().flatten().filter_map(|end| match end {
        EdgeEnd::Subgraph(subgraph) => Some(&**subgraph),
        EdgeEnd::Nodes(_) | EdgeEnd::Missing(_) => None,
    });
    own.into_iter().chain(ends)
}

/// The nodes a statement names itself, in order.
pub(crate) fn nodes(statement: &Stmt) -> impl Iterator<Item = &NodeRef> {
    let (own, ends) = match statement {
        Stmt::Node(node) => (Some(&node.nodes), None),
        Stmt::Edge(edge) => (None, Some(&edge.ends)),
        _ => (None, None),
    };
    let ends = ends.into_iter().flatten().filter_map(|end| match end {
        EdgeEnd::Nodes(nodes) => Some(nodes),
        EdgeEnd::Subgraph(_) | EdgeEnd::Missing(_) => None,
    });
    own.into_iter().chain(ends).flatten()
}

/// Whose attributes a statement holds; `None` for one that holds none.
pub(crate) fn holder<'t>(
    inside: Option<&'t Subgraph>,
    statement: &'t Stmt,
) -> Option<AttributeOwner<'t>> {
    let around = inside.map_or(AttributeOwner::Graph, |_| AttributeOwner::Subgraph);
    Some(match statement {
        Stmt::Node(node) => AttributeOwner::Nodes(node),
        Stmt::Edge(_) => AttributeOwner::Edges,
        Stmt::Defaults(defaults) => match defaults.target {
            DefaultsTarget::Graph => around,
            DefaultsTarget::Node => AttributeOwner::NodeDefaults,
            DefaultsTarget::Edge => AttributeOwner::EdgeDefaults,
        },
        Stmt::Assign(_) => around,
        Stmt::Subgraph(_) | Stmt::Error(_) => return None,
    })
}

/// The number of the graph around an offset. A graph whose closing brace is missing extends to the next one.
pub(crate) fn graph_at(file: &File, offset: usize) -> Option<usize> {
    let before = file
        .graphs
        .partition_point(|graph| graph.range.start() <= offset);
    let number = before.checked_sub(1)?;
    let graph = file.graphs.get(number)?;
    (graph.range.contains_inclusive(offset) || !graph.body.closed).then_some(number)
}

/// The statements around an offset, from the outermost to the innermost, with the number of their graph.
pub(crate) fn around(file: &File, offset: usize) -> Option<(usize, Vec<&Stmt>)> {
    let number = graph_at(file, offset)?;
    let mut body = Some(&file.graphs.get(number)?.body);
    let mut path = Vec::new();
    while let Some(block) = body {
        let Some(statement) = touching(&block.statements, offset) else {
            break;
        };
        path.push(statement);
        body = subgraphs(statement)
            .find(|subgraph| subgraph.range.contains_inclusive(offset))
            .and_then(|subgraph| subgraph.body.as_ref());
    }
    Some((number, path))
}

/// The statement the offset touches; of two that meet there, the later one.
fn touching(statements: &[Stmt], offset: usize) -> Option<&Stmt> {
    let after = statements.partition_point(|statement| statement.range().start() <= offset);
    statements
        .get(after.checked_sub(1)?)
        .filter(|statement| statement.range().contains_inclusive(offset))
}

/// What the cursor is on.
pub(crate) fn at(file: &File, offset: usize) -> Option<SyntaxElement<'_>> {
    let (number, path) = around(file, offset)?;
    let on = |range: TextRange| range.contains_inclusive(offset);
    let mut inside = None;
    for (depth, statement) in path.iter().enumerate() {
        let deeper = subgraphs(statement).find(|subgraph| on(subgraph.range));
        if let Some(subgraph) = deeper
            && (on(subgraph.keyword.unwrap_or_default())
                || subgraph.id.is_some_and(|id| on(id.range)))
        {
            return Some(SyntaxElement::Subgraph(number, subgraph));
        }
        if deeper.is_some() && depth + 1 < path.len() {
            inside = deeper;
            continue;
        }
        return in_statement(number, inside, statement, offset);
    }
    let graph = file.graphs.get(number)?;
    (on(graph.keyword) || graph.strict.is_some_and(on) || graph.id.is_some_and(|id| on(id.range)))
        .then_some(SyntaxElement::Graph(number))
}

fn in_statement<'t>(
    graph: usize,
    inside: Option<&'t Subgraph>,
    statement: &'t Stmt,
    offset: usize,
) -> Option<SyntaxElement<'t>> {
    let on = |range: TextRange| range.contains_inclusive(offset);
    let site = |attr: &'t Attr| {
        let site = AttributeSite {
            graph,
            holder: holder(inside, statement)?,
            attr,
        };
        if attr.value.is_some_and(|value| on(value.range)) {
            return Some(SyntaxElement::Value(site));
        }
        on(attr.key.range).then_some(SyntaxElement::Key(site))
    };
    if let Stmt::Assign(attr) = statement {
        return site(attr);
    }
    let list = statement.attributes().iter().find(|list| on(list.range));
    if let Some(spot) = list.and_then(|list| {
        list.items
            .iter()
            .filter(|item| on(item.range()))
            .find_map(site)
    }) {
        return Some(spot);
    }
    if let Some(node) = nodes(statement).find(|node| on(node.range())) {
        return Some(SyntaxElement::Node { graph, node });
    }
    match statement {
        Stmt::Edge(edge) => {
            let index = edge
                .operators
                .iter()
                .position(|operator| on(operator.range()))?;
            Some(SyntaxElement::Operator { graph, edge, index })
        }
        Stmt::Defaults(defaults) if on(defaults.keyword) => {
            Some(SyntaxElement::Defaults(defaults.target, defaults.keyword))
        }
        _ => None,
    }
}
