//! What pipelines may write and Graphviz does not understand, and how to write it so that both do.
//!
//! Bare dotted keys, durations and values with dots, colons, dashes or slashes are
//! [`IdKind::Extended`]. Graphviz rejects most of them; a few it reads as something else.

use crate::ast::{AttrList, Block, EdgeEnd, Graph, Id, IdKind, NodeRef, Stmt};
use crate::strings::quote;
use crate::{Edit, Fix, Token, TokenKind};

/// An identifier that plain Graphviz does not read as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The identifier.
    pub id: Id,
    /// What Graphviz makes of it.
    pub graphviz: GraphvizReading,
}

/// What Graphviz makes of an extended identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphvizReading {
    /// A syntax error.
    SyntaxError,
    /// Several words: `stall_timeout=900s` is `stall_timeout=900` and a node `s`.
    SeveralTokens,
}

impl Violation {
    /// Quote it, so that Graphviz reads it as written.
    pub fn fix(&self, source: &str) -> Fix {
        let quoted = quote(self.id.range.text(source)).into_owned();
        Fix::new(
            "Quote for Graphviz",
            vec![Edit::replace(self.id.range, quoted)],
        )
        .safe()
    }
}

/// Every identifier of `graph` that Graphviz does not read as written and that it rejects.
/// What it merely [reads otherwise](GraphvizReading::SeveralTokens) is legal DOT and left out; see [`violations`].
pub fn rejected(graph: &Graph, source: &str) -> Vec<Violation> {
    let mut found = violations(graph, source);
    found.retain(|violation| violation.graphviz == GraphvizReading::SyntaxError);
    found
}

/// Every identifier of `graph` that Graphviz does not read as written.
pub fn violations(graph: &Graph, source: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    block(&graph.body, source, &mut found);
    found
}

/// `text` with every such identifier quoted: the same pipeline, for Graphviz too.
///
/// ```
/// let text = "digraph { a [timeout=900s, human.default=b] }";
/// assert_eq!(attractor_dot::graphviz_compat::quote_extended(text), "digraph { a [timeout=\"900s\", \"human.default\"=b] }");
/// ```
pub fn quote_extended(text: &str) -> String {
    let parse = crate::parse(text);
    let violations = parse
        .file
        .graphs
        .iter()
        .flat_map(|graph| violations(graph, text));
    let edits: Vec<Edit> = violations
        .flat_map(|violation| violation.fix(text).edits)
        .collect();
    crate::apply(text, &edits)
}

fn block(body: &Block, source: &str, found: &mut Vec<Violation>) {
    for statement in &body.statements {
        match statement {
            Stmt::Node(node) => nodes(&node.nodes, found),
            Stmt::Edge(edge) => {
                for end in &edge.ends {
                    match end {
                        EdgeEnd::Nodes(list) => nodes(list, found),
                        EdgeEnd::Subgraph(subgraph) => subgraph
                            .body
                            .iter()
                            .for_each(|body| block(body, source, found)),
                        EdgeEnd::Missing(_) => {}
                    }
                }
            }
            Stmt::Assign(attr) => {
                push(Some(attr.key), |_| GraphvizReading::SyntaxError, found);
                push(attr.value, |id| at_statement_level(id, source), found);
            }
            Stmt::Subgraph(subgraph) => subgraph
                .body
                .iter()
                .for_each(|body| block(body, source, found)),
            Stmt::Defaults(_) | Stmt::Error(_) => {}
        }
        lists(statement.attributes(), found);
    }
}

fn lists(lists: &[AttrList], found: &mut Vec<Violation>) {
    for attr in lists.iter().flat_map(|list| &list.items) {
        push(Some(attr.key), |_| GraphvizReading::SyntaxError, found);
        push(attr.value, |_| GraphvizReading::SyntaxError, found);
    }
}

fn nodes(nodes: &[NodeRef], found: &mut Vec<Violation>) {
    for node in nodes {
        push(Some(node.id), |_| GraphvizReading::SyntaxError, found);
    }
}

fn push(id: Option<Id>, reading: impl Fn(Id) -> GraphvizReading, found: &mut Vec<Violation>) {
    if let Some(id) = id.filter(|id| id.kind == IdKind::Extended) {
        found.push(Violation {
            id,
            graphviz: reading(id),
        });
    }
}

fn at_statement_level(id: Id, source: &str) -> GraphvizReading {
    let tokens = crate::lex(id.range.text(source));
    let plain = |token: Token| matches!(token.kind, TokenKind::Name | TokenKind::Number);
    if tokens.solid().all(plain) {
        GraphvizReading::SeveralTokens
    } else {
        GraphvizReading::SyntaxError
    }
}
