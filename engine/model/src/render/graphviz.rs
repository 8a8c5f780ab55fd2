//! Clean DOT of a graph, for drawing: written from the tree, with ids that lead back to the text.
//!
//! Never the text itself: Graphviz rejects what pipelines may contain, and a file with an error still has a graph. Nodes
//! keep their names, always quoted, and every node and edge has an `id`, so the elements of the drawing can be found;
//! attributes that change a drawing are kept, all others are left out, and so is everything that would load a file or
//! lead away. A node without a shape gets the one of its kind.
//!
//! ```text
//! digraph {
//!   "start" [id="n0" shape="Mdiamond"];
//!   "start" -> "build" [id="e0"];
//! }
//! ```

use std::fmt::Write;

use attractor_dot::graph::{Attribute, AttributeList, Edge, Graph, Node, Subgraph};
use attractor_dot::strings;

use crate::catalogue;
use crate::pipeline::Pipeline;

/// The graph as DOT that every Graphviz draws. `fill` is the color of a node, where it has one.
pub fn dot<'c>(
    graph: &Graph,
    pipeline: Option<&Pipeline>,
    fill: impl Fn(&str) -> Option<&'c str>,
) -> String {
    Writer::new(graph, pipeline, &fill).write()
}

/// The id of the drawn element of a node, by the node's position in the graph.
pub fn node_element(index: usize) -> String {
    format!("n{index}")
}

/// The id of the drawn element of an edge, by the edge's position in the graph.
pub fn edge_element(index: usize) -> String {
    format!("e{index}")
}

/// The label of an edge in the drawing: its own, else its condition.
pub fn edge_label<'g>(graph: &'g Graph, edge: &Edge) -> Option<&'g str> {
    let list = edge.attributes;
    let attribute = graph.find(list, "label").or_else(|| {
        let mut attributes = graph.list(list).iter();
        attributes.find(|attribute| is_condition(graph.name_of(attribute)))
    })?;
    Some(graph.value_of(attribute))
}

struct Writer<'g, 'c> {
    graph: &'g Graph,
    pipeline: Option<&'g Pipeline>,
    fill: &'g dyn Fn(&str) -> Option<&'c str>,
    /// The nodes of each subgraph, and last those of the graph itself, by number.
    nodes: Vec<Vec<usize>>,
    out: String,
}

impl<'g, 'c> Writer<'g, 'c> {
    fn new(
        graph: &'g Graph,
        pipeline: Option<&'g Pipeline>,
        fill: &'g dyn Fn(&str) -> Option<&'c str>,
    ) -> Self {
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
            fill,
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
            && let Some(label) = edge_label(graph, edge)
        {
            let _ = write!(self.out, " label={}", quoted(label));
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
        if let Some(color) = (self.fill)(&node.id) {
            // The last one of several attributes of a name counts.
            let _ = write!(self.out, " style=\"filled\" fillcolor=\"{color}\"");
        }
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
        // Nodes that were named elsewhere first belong here, too: ranks depend on it.
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
    use crate::graphs;
    use crate::options::Options;

    fn drawn(text: &str, fill: impl Fn(&str) -> Option<&'static str>) -> String {
        let text: std::sync::Arc<str> = text.into();
        let parse = attractor_dot::parse(&text);
        let graphs = graphs::read(&text, &parse, &Options::default());
        dot(&graphs[0].graph, graphs[0].pipeline.as_deref(), fill)
    }

    #[test]
    fn the_drawing_is_clean_dot_with_ids_that_lead_back() {
        let dot = drawn(
            "digraph ship {\n  goal=\"x\"; rankdir=LR\n  \"two words\" [prompt=\"secret\", timeout=900s, URL=\"https://example.org\", image=\"/etc/x\"]\n  subgraph cluster_a { label=\"A\"; b [label=<<b>B</b>>]; c }\n  \"two words\" -> b:n [condition=\"outcome=success\"]\n  b -> [label=x\n  c -> d [label=\"say \\\"hi\\\"\"]\n}",
            |_| None,
        );
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
        .assert_eq(&dot);
        assert_eq!(attractor_dot::parse(&dot).errors, []);
    }

    #[test]
    fn a_node_with_a_state_is_filled() {
        let dot = drawn(
            "digraph { start [shape=Mdiamond]; a [style=dashed]; start -> a }",
            |node| (node == "a").then_some("#d1f0d5"),
        );
        expect![[r##"
            digraph {
              "start" [id="n0" shape="Mdiamond"];
              "a" [id="n1" shape=box style="dashed" style="filled" fillcolor="#d1f0d5"];
              "start" -> "a" [id="e0"];
            }
        "##]]
        .assert_eq(&dot);
    }

    #[test]
    fn an_unclosed_html_string_is_drawn_as_text() {
        let dot = drawn("digraph g { a [label=<<", |_| None);
        assert!(dot.contains("label=\"<\""), "{dot}");
        assert_eq!(attractor_dot::parse(&dot).errors, []);
    }
}
