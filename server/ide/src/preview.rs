//! The graph for a preview: its drawing, and where its nodes and edges are in the text.

use attractor_dot::TextRange;
use attractor_model::NodeKind;
use attractor_model::render::graphviz;
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
    /// The statement that declares it, else `range`.
    pub statement: TextRange,
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
        let range = info
            .graph
            .definition(node)
            .map_or(TextRange::default(), |home| home.range);
        let declared = in_pipeline.filter(|node| node.declared);
        PreviewNode {
            id: node.id.to_string(),
            element: graphviz::node_element(index),
            kind: in_pipeline.map(|node| node.kind),
            range,
            statement: declared.map_or(range, |node| node.statement),
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
            element: graphviz::edge_element(index),
            range: edge.range,
        });
    Some(Preview {
        graph: info.graph.name.clone().unwrap_or_default(),
        pipeline: info.pipeline.is_some(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        dot: graphviz::dot(&info.graph, info.pipeline.as_deref(), |_| None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::doc;

    #[test]
    fn a_node_has_the_statement_that_declares_it() {
        let text = "digraph ship {\n  goal=x\n  a [\n    prompt=y\n  ]\n  a -> b\n}";
        let doc = doc(text);
        let preview = graph(&doc, None, None).unwrap();
        let statements = preview.nodes.iter().map(|node| node.statement.text(text));
        assert_eq!(
            statements.collect::<Vec<_>>(),
            ["a [\n    prompt=y\n  ]", "b"]
        );
    }

    #[test]
    fn elements_of_the_drawing_lead_back_to_nodes() {
        let doc = doc("digraph ship { \"two words\" -> b }");
        let preview = graph(&doc, Some("ship"), None).unwrap();
        let drawn = preview
            .nodes
            .iter()
            .map(|node| (node.element.as_str(), node.id.as_str()));
        assert_eq!(
            drawn.collect::<Vec<_>>(),
            [("n0", "two words"), ("n1", "b")]
        );
        assert!(preview.dot.contains("\"two words\" [id=\"n0\""));
        assert_eq!(graph(&doc, Some("other"), None), None);
    }
}
