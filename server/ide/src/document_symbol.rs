//! The outline: graphs, their subgraphs, their nodes; and the flat list for a search over the workspace.
//!
//! A node is listed once, where it is declared (else where it is first named), with its label, its kind and
//! where its edges lead as detail, so that edges need no entries of their own. Read from the tree, so what
//! surrounds a error stays in the outline.

use std::borrow::Cow;

use attractor_dot::TextRange;
use attractor_dot::ast::{Block, NodeRef, Stmt};
use attractor_model::catalogue::NodeKind;
use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::walk;

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// A detail shown after the name; may be empty.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name in the text; inside `range`.
    pub focus: TextRange,
    /// What it holds, in the order of the text; their ranges lie inside `range`.
    pub children: Vec<Symbol>,
}

/// An entry of the flat list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatSymbol {
    /// Its name.
    pub name: String,
    /// The graph or subgraph around it.
    pub container: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// Its name in the text.
    pub range: TextRange,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A plain graph.
    Graph,
    /// A pipeline.
    Pipeline,
    /// A subgraph.
    Subgraph,
    /// A node of a plain graph.
    PlainNode,
    /// A node of a pipeline.
    Node(NodeKind),
}

/// The outline of a document.
pub fn outline(doc: &Document) -> Vec<Symbol> {
    let graphs = doc.parse.file.graphs.iter().enumerate();
    graphs
        .map(|(number, graph)| {
            let homes = NodeEntries::new(doc, number);
            let name = graph.id.map(|id| doc.decode(&id).into_owned());
            let pipeline = doc.pipeline(number);
            Symbol {
                name: name.unwrap_or_else(|| graph.keyword.text(&doc.text).to_owned()),
                detail: pipeline
                    .and_then(|pipeline| pipeline.attributes.text("goal"))
                    .unwrap_or("")
                    .to_owned(),
                kind: if pipeline.is_some() {
                    SymbolKind::Pipeline
                } else {
                    SymbolKind::Graph
                },
                range: graph.range,
                focus: graph.id.map_or(graph.keyword, |id| id.range),
                children: homes.block(&graph.body),
            }
        })
        .collect()
}

/// Every symbol of a document in one list.
pub fn flat(doc: &Document) -> Vec<FlatSymbol> {
    fn add(symbols: Vec<Symbol>, container: Option<&str>, all: &mut Vec<FlatSymbol>) {
        for symbol in symbols {
            let name = symbol.name.clone();
            let container = container.map(ToOwned::to_owned);
            all.push(FlatSymbol {
                name: symbol.name,
                container,
                kind: symbol.kind,
                range: symbol.focus,
            });
            add(symbol.children, Some(&name), all);
        }
    }
    let mut all = Vec::new();
    add(outline(doc), None, &mut all);
    all
}

/// Whether a name answers a query: its letters occur in the name in that order, case aside.
pub fn matches(query: &str, name: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query
        .chars()
        .flat_map(char::to_lowercase)
        .all(|wanted| letters.any(|letter| letter == wanted))
}

/// Where each node of a graph has its entry.
struct NodeEntries<'d> {
    doc: &'d Document,
    number: usize,
    /// From the range of the id to the node's position in the resolved graph.
    nodes: FxHashMap<TextRange, usize>,
    targets: Vec<Vec<usize>>,
}

impl<'d> NodeEntries<'d> {
    fn new(doc: &'d Document, number: usize) -> Self {
        let mut homes = Self {
            doc,
            number,
            nodes: FxHashMap::default(),
            targets: Vec::new(),
        };
        let Some(info) = doc.graph(number) else {
            return homes;
        };
        for (index, node) in info.graph.nodes.iter().enumerate() {
            if let Some(home) = info.graph.definition(node) {
                homes.nodes.insert(home.range, index);
            }
        }
        homes.targets = vec![Vec::new(); info.graph.nodes.len()];
        for edge in &info.graph.edges {
            if let Some(targets) = homes.targets.get_mut(edge.from())
                && targets.len() <= SHOWN_TARGETS
                && !targets.contains(&edge.to())
            {
                targets.push(edge.to());
            }
        }
        homes
    }

    fn block(&self, block: &Block) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        for statement in &block.statements {
            let single = matches!(statement, Stmt::Node(node) if node.nodes.len() == 1);
            for node in walk::nodes(statement) {
                let range = if single {
                    statement.range()
                } else {
                    node.range()
                };
                symbols.extend(self.node(node, range));
            }
            for subgraph in walk::subgraphs(statement) {
                let Some(body) = &subgraph.body else { continue };
                let children = self.block(body);
                match subgraph.id {
                    Some(id) => symbols.push(Symbol {
                        name: self.doc.decode(&id).into_owned(),
                        detail: label(self.doc, body),
                        kind: SymbolKind::Subgraph,
                        range: subgraph.range,
                        focus: id.range,
                        children,
                    }),
                    None => symbols.extend(children),
                }
            }
        }
        symbols
    }

    fn node(&self, node: &NodeRef, range: TextRange) -> Option<Symbol> {
        let index = *self.nodes.get(&node.id.range)?;
        let info = self.doc.graph(self.number)?;
        let resolved = info.graph.nodes.get(index)?;
        let in_pipeline = info
            .pipeline
            .as_deref()
            .and_then(|pipeline| pipeline.node_by_id(&resolved.id));
        let kind = in_pipeline.map_or(SymbolKind::PlainNode, |node| SymbolKind::Node(node.kind));
        let label = info.graph.value(resolved.attributes, "label");
        let label = label.filter(|label| *label != resolved.id && *label != "\\N");
        let goal = info.pipeline.as_deref();
        let goal = goal.and_then(|pipeline| pipeline.attributes.text("goal"));
        let mut detail = label.map_or_else(String::new, |label| {
            one_line(&with_goal(label, goal.unwrap_or_default()))
        });
        if let Some(node) = in_pipeline {
            separate(&mut detail, " · ");
            detail.push_str(node.handler());
        }
        let targets = self.targets.get(index).map_or(&[][..], Vec::as_slice);
        let named = targets.iter().take(SHOWN_TARGETS);
        let named = named.filter_map(|target| info.graph.nodes.get(*target));
        for (place, target) in named.enumerate() {
            if place == 0 {
                separate(&mut detail, " ");
                detail.push_str("→ ");
            } else {
                detail.push_str(", ");
            }
            detail.push_str(&target.id);
        }
        if targets.len() > SHOWN_TARGETS {
            detail.push_str(", …");
        }
        Some(Symbol {
            name: resolved.id.to_string(),
            detail,
            kind,
            range,
            focus: node.id.range,
            children: Vec::new(),
        })
    }
}

/// How many targets of a node's edges are named before the rest becomes `…`.
const SHOWN_TARGETS: usize = 3;

fn label(doc: &Document, body: &Block) -> String {
    let assigned = body
        .statements
        .iter()
        .find_map(|statement| match statement {
            Stmt::Assign(attr) if doc.decode(&attr.key) == "label" => attr.value,
            _ => None,
        });
    assigned.map_or(String::new(), |value| one_line(&doc.decode(&value)))
}

/// Adds a separator after what there is.
fn separate(detail: &mut String, separator: &str) {
    if !detail.is_empty() {
        detail.push_str(separator);
    }
}

/// A label as a run shows it: with the goal in the places of `$goal`.
fn with_goal<'l>(label: &'l str, goal: &str) -> Cow<'l, str> {
    const NAME: &str = "$goal";
    if !label.contains('$') {
        return Cow::Borrowed(label);
    }
    let mut parts = label.split(NAME);
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut is_changed = false;
    for part in parts {
        // `$goals` is another name.
        let is_name = !part.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text.push_str(if is_name { goal } else { NAME });
        text.push_str(part);
        is_changed |= is_name;
    }
    if is_changed {
        Cow::Owned(text)
    } else {
        Cow::Borrowed(label)
    }
}

/// A label on one line: Graphviz's line breaks become spaces.
fn one_line(label: &str) -> String {
    let mut label = Cow::Borrowed(label);
    if label.contains('\\') {
        for line_break in ["\\n", "\\l", "\\r"] {
            label = label.replace(line_break, " ").into();
        }
    }
    let mut line = String::with_capacity(label.len());
    for word in label.split_whitespace() {
        separate(&mut line, " ");
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::doc;

    #[track_caller]
    fn check(text: &str, expect: Expect) {
        fn add(symbols: &[Symbol], depth: usize, out: &mut String) {
            for symbol in symbols {
                let line = format!(
                    "{}{} ({:?}) {}",
                    "  ".repeat(depth),
                    symbol.name,
                    symbol.kind,
                    symbol.detail
                );
                out.push_str(line.trim_end());
                out.push('\n');
                assert!(symbol.range.contains_range(symbol.focus), "{line}");
                assert!(
                    symbol
                        .children
                        .iter()
                        .all(|child| symbol.range.contains_range(child.range)),
                    "{line}"
                );
                add(&symbol.children, depth + 1, out);
            }
        }
        let mut out = String::new();
        add(&outline(&doc(text)), 0, &mut out);
        expect.assert_eq(&out);
    }

    #[test]
    fn a_node_is_listed_once_at_its_declaration() {
        check(
            "digraph release {\n goal=\"Ship it\"\n start [shape=Mdiamond]\n start -> build -> {test lint}\n build [label=\"Build\\nall\", shape=parallelogram, command=make]\n subgraph cluster_x { label=\"Checks\"; test; lint }\n}\ngraph { a -- b }",
            expect![[r#"
                release (Pipeline) Ship it
                  start (Node(Start)) start → build
                  test (Node(Codergen)) codergen
                  lint (Node(Codergen)) codergen
                  build (Node(Tool)) Build all · tool → test, lint
                  cluster_x (Subgraph) Checks
                graph (Graph)
                  a (PlainNode) → b
                  b (PlainNode)
            "#]],
        );
    }

    #[test]
    fn an_error_hides_only_its_statement() {
        check(
            "digraph {\n a -> b\n c [label=\"open]\n d -> e\n}",
            expect![[r#"
            digraph (Graph)
              a (PlainNode) → b
              b (PlainNode)
              c (PlainNode) open
              d (PlainNode) → e
              e (PlainNode)
        "#]],
        );
        check(
            "digraph {\n a [shape=box\n b -> c\n",
            expect![[r#"
            digraph (Graph)
              a (PlainNode)
              b (PlainNode) → c
              c (PlainNode)
        "#]],
        );
    }

    #[test]
    fn a_query_matches_letters_in_order() {
        assert!(matches("rb", "run_build") && matches("", "x") && matches("BUILD", "build"));
        assert!(!matches("bx", "build"));
    }

    #[test]
    fn the_goal_is_shown_in_labels() {
        let goal = "Ship it";
        assert_eq!(
            with_goal("Plan $goal, $goals", goal),
            "Plan Ship it, $goals"
        );
        assert_eq!(with_goal("Plan", goal), "Plan");
    }
}
