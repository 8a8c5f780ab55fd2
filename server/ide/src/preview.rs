//! The graph for a preview: clean DOT written from the tree, with ids that lead back to the text.
//!
//! Never the text itself: Graphviz rejects what pipelines may write, and a file with a error still has a
//! graph. Nodes keep their names, always quoted, and every node and edge has an `id`, so the drawing's elements
//! can be found; attributes that change a drawing are kept, all others are left out, and so is everything that
//! would load a file or lead away. A node without a shape gets the one of its kind.
//!
//! ```text
//! digraph {
//!   "start" [id="n0" shape="Mdiamond"];
//!   "start" -> "build" [id="e0"];
//! }
//! ```

use std::fmt::Write;

use attractor_dot::TextRange;
use attractor_dot::graph::{Attribute, AttributeList, Edge, Graph, Node, Subgraph};
use attractor_dot::strings;
use attractor_model::{NodeKind, Pipeline, catalogue};
use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::runs::{NodeState, RunView};

/// A graph to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The graph's name, empty when it has none.
    pub graph: String,
    /// Whether it is a pipeline; else a plain graph.
    pub pipeline: bool,
    /// What to give to Graphviz.
    pub dot: String,
    /// Its nodes, in the order of the drawing's ids.
    pub nodes: Vec<PreviewNode>,
    /// Its edges, in the order of the drawing's ids.
    pub edges: Vec<PreviewEdge>,
}

/// A node of the drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewNode {
    /// Its id in the text.
    pub id: String,
    /// Its element's id in the drawing.
    pub element: String,
    /// What it does, in a pipeline.
    pub kind: Option<NodeKind>,
    /// Where it is declared, else first named.
    pub range: TextRange,
    /// What it did in the run.
    pub state: Option<NodeState>,
}

/// An edge of the drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewEdge {
    /// Where it comes from, as in the text.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// Its element's id in the drawing.
    pub element: String,
    /// Its statement.
    pub range: TextRange,
}

/// The graph of that name, or the first one of the document. `run` colors nothing; it fills the states.
pub fn graph(doc: &Document, name: Option<&str>, run: Option<&RunView>) -> Option<Preview> {
    let mut graphs = doc.analysis.graphs.iter();
    let info = match name {
        Some(name) => graphs.find(|info| {
            info.graph.name.as_deref() == Some(name)
                || info
                    .pipeline
                    .as_deref()
                    .is_some_and(|pipeline| pipeline.name == name)
        })?,
        None => graphs.next()?,
    };
    let states: FxHashMap<&str, NodeState> = run
        .into_iter()
        .flat_map(|run| &run.nodes)
        .map(|node| (node.id.as_str(), node.state))
        .collect();
    let nodes = info.graph.nodes.iter().enumerate().map(|(index, node)| {
        let in_pipeline = info
            .pipeline
            .as_deref()
            .and_then(|pipeline| pipeline.node_by_id(&node.id));
        let home = info.graph.definition(node);
        PreviewNode {
            id: node.id.to_string(),
            element: format!("n{index}"),
            kind: in_pipeline.map(|node| node.kind),
            range: home.map_or(TextRange::default(), |home| home.range),
            state: states.get(node.id.as_str()).copied(),
        }
    });
    let id = |index: usize| {
        info.graph
            .nodes
            .get(index)
            .map(|node| node.id.clone())
            .unwrap_or_default()
    };
    let edges = info
        .graph
        .edges
        .iter()
        .enumerate()
        .map(|(index, edge)| PreviewEdge {
            from: id(edge.from()).to_string(),
            to: id(edge.to()).to_string(),
            element: format!("e{index}"),
            range: edge.range,
        });
    Some(Preview {
        graph: info.graph.name.clone().unwrap_or_default(),
        pipeline: info.pipeline.is_some(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        dot: Writer::new(&info.graph, info.pipeline.as_deref()).write(),
    })
}

struct Writer<'g> {
    graph: &'g Graph,
    pipeline: Option<&'g Pipeline>,
    /// The nodes of each subgraph, and last those of the graph itself, by number.
    nodes: Vec<Vec<usize>>,
    out: String,
}

impl<'g> Writer<'g> {
    fn new(graph: &'g Graph, pipeline: Option<&'g Pipeline>) -> Self {
        let outside = graph.subgraphs.len();
        let mut nodes = vec![Vec::new(); outside + 1];
        for (index, node) in graph.nodes.iter().enumerate() {
            if let Some(list) = nodes.get_mut(node.subgraph().unwrap_or(outside)) {
                list.push(index);
            }
        }
        Self {
            graph,
            pipeline,
            nodes,
            out: String::new(),
        }
    }

    fn write(mut self) -> String {
        let graph = self.graph;
        let strict = if graph.strict { "strict " } else { "" };
        let keyword = if graph.directed { "digraph" } else { "graph" };
        let _ = writeln!(self.out, "{strict}{keyword} {{");
        self.attributes(graph.attributes, 1);
        self.block(None, 1);
        for (index, edge) in graph.edges.iter().enumerate() {
            self.edge(index, edge);
        }
        self.out.push_str("}\n");
        self.out
    }

    fn name(&self, index: usize) -> String {
        self.graph
            .nodes
            .get(index)
            .map_or(String::new(), |node| quoted(&node.id))
    }

    fn edge(&mut self, index: usize, edge: &Edge) {
        let operator = if self.graph.directed { "->" } else { "--" };
        let (from, to) = (self.name(edge.from()), self.name(edge.to()));
        let (from_port, to_port) = (port(edge.from_port()), port(edge.to_port()));
        let _ = write!(
            self.out,
            "  {from}{from_port} {operator} {to}{to_port} [id=\"e{index}\""
        );
        self.list(edge.attributes);
        let graph = self.graph;
        if graph.find(edge.attributes, "label").is_none()
            && let Some(condition) = graph
                .list(edge.attributes)
                .iter()
                .find(|attribute| is_condition(graph.name_of(attribute)))
        {
            let _ = write!(self.out, " label={}", quoted(graph.value_of(condition)));
        }
        self.out.push_str("];\n");
    }

    /// The nodes and subgraphs that lie directly in a subgraph, or in the graph itself.
    fn block(&mut self, inside: Option<usize>, depth: usize) {
        let graph = self.graph;
        let list = inside.unwrap_or(graph.subgraphs.len());
        for index in self.nodes.get(list).cloned().unwrap_or_default() {
            if let Some(node) = graph.nodes.get(index) {
                self.node(index, node, depth);
            }
        }
        for (index, subgraph) in graph
            .subgraphs
            .iter()
            .enumerate()
            .filter(|(_, sub)| sub.parent == inside)
        {
            self.subgraph(index, subgraph, depth);
        }
    }

    fn node(&mut self, index: usize, node: &Node, depth: usize) {
        let _ = write!(
            self.out,
            "{}{} [id=\"n{index}\"",
            "  ".repeat(depth),
            quoted(&node.id)
        );
        if self.graph.find(node.attributes, "shape").is_none()
            && let Some(shape) = self.shape(&node.id)
        {
            let _ = write!(self.out, " shape={shape}");
        }
        self.list(node.attributes);
        self.out.push_str("];\n");
    }

    /// The shape of the node's kind, for a node that says its kind in words.
    fn shape(&self, id: &str) -> Option<&'static str> {
        self.pipeline?
            .node_by_id(id)?
            .kind
            .row()?
            .shapes
            .first()
            .copied()
    }

    fn subgraph(&mut self, index: usize, subgraph: &Subgraph, depth: usize) {
        let indent = "  ".repeat(depth);
        let cluster = subgraph
            .name
            .as_deref()
            .is_some_and(|name| name.starts_with("cluster"));
        let prefix = if cluster { "cluster_" } else { "sub_" };
        let _ = writeln!(self.out, "{indent}subgraph {prefix}{index} {{");
        self.attributes(subgraph.attributes, depth + 1);
        self.block(Some(index), depth + 1);
        // Nodes that were named elsewhere first belong here too: ranks depend on it.
        let others: Vec<String> = subgraph
            .nodes
            .iter()
            .filter(|node| {
                self.graph
                    .nodes
                    .get(**node)
                    .is_some_and(|node| !self.lies_in(node.subgraph(), index))
            })
            .map(|node| format!("{};", self.name(*node)))
            .collect();
        if !others.is_empty() {
            let _ = writeln!(self.out, "{indent}  {}", others.join(" "));
        }
        let _ = writeln!(self.out, "{indent}}}");
    }

    fn lies_in(&self, mut place: Option<usize>, subgraph: usize) -> bool {
        while let Some(index) = place {
            if index == subgraph {
                return true;
            }
            place = self
                .graph
                .subgraphs
                .get(index)
                .and_then(|parent| parent.parent);
        }
        false
    }

    fn attributes(&mut self, list: AttributeList, depth: usize) {
        for attribute in drawn(self.graph, list).filter(|attribute| !attribute.inherited) {
            let indent = "  ".repeat(depth);
            let _ = writeln!(self.out, "{indent}{};", pair(self.graph, attribute));
        }
    }

    fn list(&mut self, list: AttributeList) {
        for attribute in drawn(self.graph, list) {
            let _ = write!(self.out, " {}", pair(self.graph, attribute));
        }
    }
}

/// The attributes of a list that are drawn.
fn drawn(graph: &Graph, list: AttributeList) -> impl Iterator<Item = &Attribute> {
    let attributes = graph.list(list).iter();
    attributes.filter(|attribute| is_drawn(graph.name_of(attribute)))
}

/// Whether an attribute changes a drawing, and only that: nothing that opens, loads or links anything.
fn is_drawn(name: &str) -> bool {
    const LEFT_OUT: [&str; 8] = [
        "id",
        "class",
        "comment",
        "image",
        "imagepath",
        "shapefile",
        "fontpath",
        "stylesheet",
    ];
    let leads_away = name.to_ascii_lowercase().ends_with("url")
        || name.ends_with("href")
        || name.ends_with("target");
    !LEFT_OUT.contains(&name) && !leads_away && catalogue::graphviz_attribute(name).is_some()
}

fn is_condition(name: &str) -> bool {
    matches!(name, "condition" | "when" | "guard")
}

fn pair(graph: &Graph, attribute: &Attribute) -> String {
    let (name, value) = (graph.name_of(attribute), graph.value_of(attribute));
    if attribute.value_id.is_html() && is_balanced(value) {
        format!("{name}=<{value}>")
    } else {
        format!("{name}={}", quoted(value))
    }
}

/// Whether the content of an HTML string closes what it opens. Of one that is not closed in the text, it may not.
fn is_balanced(html: &str) -> bool {
    let mut depth = 0_usize;
    for letter in html.chars() {
        match letter {
            '<' => depth += 1,
            '>' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ => {}
        }
    }
    depth == 0
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", strings::escape_into_quoted(text))
}

fn port(port: Option<&str>) -> String {
    let parts = port.into_iter().flat_map(|port| port.split(':'));
    parts
        .flat_map(|part| [":".to_owned(), strings::quote(part).into_owned()])
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::fixture::doc;

    #[test]
    fn the_drawing_is_clean_dot_with_ids_that_lead_back() {
        let doc = doc(
            "digraph ship {\n  goal=\"x\"; rankdir=LR\n  \"two words\" [prompt=\"secret\", timeout=900s, URL=\"https://example.org\", image=\"/etc/x\"]\n  subgraph cluster_a { label=\"A\"; b [label=<<b>B</b>>]; c }\n  \"two words\" -> b:n [condition=\"outcome=success\"]\n  b -> [label=x\n  c -> d [label=\"say \\\"hi\\\"\"]\n}",
        );
        let preview = graph(&doc, Some("ship"), None).unwrap();
        expect![[r#"
            digraph {
              rankdir="LR";
              "two words" [id="n0" shape=box];
              "d" [id="n3" shape=box];
              subgraph cluster_0 {
                label="A";
                "b" [id="n1" shape=box label=<<b>B</b>>];
                "c" [id="n2" shape=box];
              }
              "two words" -> "b":n [id="e0" label="outcome=success"];
              "c" -> "d" [id="e1" label="say \"hi\""];
            }
        "#]]
        .assert_eq(&preview.dot);
        assert_eq!(attractor_dot::parse(&preview.dot).errors, []);
        let drawn = preview
            .nodes
            .iter()
            .map(|node| (node.element.as_str(), node.id.as_str()));
        assert_eq!(
            drawn.take(2).collect::<Vec<_>>(),
            [("n0", "two words"), ("n1", "b")]
        );
        assert_eq!(graph(&doc, Some("other"), None), None);
    }

    #[test]
    fn an_unclosed_html_string_is_drawn_as_text() {
        let doc = doc("digraph g { a [label=<<");
        let preview = graph(&doc, Some("g"), None).unwrap();
        assert!(preview.dot.contains("label=\"<\""), "{}", preview.dot);
        assert_eq!(attractor_dot::parse(&preview.dot).errors, []);
    }
}
