//! A graph as a drawing in text: DOT for Graphviz, Mermaid for web pages, boxes or an outline for terminals.
//!
//! Works from what a graph means, never from its text; plain graphs are drawn too.
//!
//! ```
//! use attractor_model::{Options, graphs, render::Drawing};
//! let text = "digraph { start [shape=Mdiamond]; start -> plan; plan [prompt=\"Plan it\"] }".into();
//! let graphs = graphs::read(&text, &attractor_dot::parse(&text), &Options::default());
//! let drawing = Drawing::of(&graphs[0]);
//! assert!(drawing.mermaid().starts_with("flowchart TD\n    start([\"start\"])"));
//! ```

pub mod graphviz;
mod layered;
mod layout;
mod mermaid;
mod outline;
#[cfg(test)]
mod tests;

use attractor_dot::graph::Graph;

use crate::catalogue::NodeKind;

use crate::graphs::GraphInfo;
use crate::pipeline::{Edge, NodeIx, Pipeline};

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The graph's name, empty when it has none.
    pub name: String,
    /// What the graph is for: the goal or label, empty if it has neither.
    pub about: String,
    /// `TD`, `LR`, `BT` or `RL`.
    pub direction: String,
    /// Nodes; in pipelines in the order in which a run reaches them.
    pub nodes: Vec<Box>,
    /// Edges by the node they leave, in routing order.
    pub edges: Vec<Arrow>,
    /// Whether edges point somewhere.
    pub directed: bool,
}

/// A node of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Box {
    /// Its ID.
    pub id: String,
    /// Its display name.
    pub label: String,
    /// What it does; `None` in plain graphs.
    pub kind: Option<NodeKind>,
    /// What has happened to it, in a drawing of a difference.
    pub mark: Option<Mark>,
}

/// An edge of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// Where it comes from, as a position in [`Drawing::nodes`].
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// Its label and condition, empty when it has neither.
    pub text: String,
    /// What has happened to it, in a drawing of a difference.
    pub mark: Option<Mark>,
}

/// What has happened to a part of a drawing since an earlier version. Only Mermaid shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It is new.
    Added,
    /// It means something else.
    Changed,
    /// It is not there any more.
    Removed,
}

impl Drawing {
    /// The drawing of a graph.
    pub fn of(info: &GraphInfo) -> Self {
        if let Some(pipeline) = &info.pipeline {
            return Self::of_pipeline(pipeline);
        }
        let mut drawing = Self::empty(&info.graph);
        drawing.add_graph(info);
        drawing
    }

    /// The drawing of a pipeline.
    pub fn of_pipeline(pipeline: &Pipeline) -> Self {
        let mut drawing = Self::empty(pipeline.attributes.graph());
        drawing.add_pipeline(pipeline);
        drawing
    }

    /// What is said of a graph as a whole.
    fn empty(graph: &Graph) -> Self {
        let attribute = |name: &str| {
            let value = graph.value(graph.attributes, name);
            value.map(str::to_owned)
        };
        let direction = match attribute("rankdir").as_deref() {
            Some(direction @ ("LR" | "RL" | "BT")) => direction.to_owned(),
            _ => "TD".to_owned(),
        };
        Self {
            name: graph.name.clone().unwrap_or_default(),
            about: attribute("goal")
                .or_else(|| attribute("label"))
                .unwrap_or_default(),
            direction,
            nodes: Vec::new(),
            edges: Vec::new(),
            directed: graph.directed,
        }
    }

    fn add_pipeline(&mut self, pipeline: &Pipeline) {
        let order = in_order(pipeline);
        let mut position = vec![0; pipeline.nodes.len()];
        for (at, ix) in order.iter().enumerate() {
            let Some(node) = pipeline.node(*ix) else {
                continue;
            };
            if let Some(slot) = position.get_mut(ix.index()) {
                *slot = at;
            }
            self.nodes.push(Box {
                id: node.id.to_string(),
                label: node.label().to_string(),
                kind: Some(node.kind),
                mark: None,
            });
        }
        let at = |ix: NodeIx| position.get(ix.index()).copied().unwrap_or_default();
        for ix in &order {
            let edges = pipeline
                .outgoing(*ix)
                .iter()
                .filter_map(|edge| pipeline.edge(*edge));
            self.edges.extend(edges.map(|edge| Arrow {
                from: at(edge.from),
                to: at(edge.to),
                text: caption(edge),
                mark: None,
            }));
        }
    }

    fn add_graph(&mut self, info: &GraphInfo) {
        for node in &info.graph.nodes {
            let label = info.graph.value(node.attributes, "label");
            self.nodes.push(Box {
                id: node.id.to_string(),
                label: label.unwrap_or(&node.id).to_owned(),
                kind: None,
                mark: None,
            });
        }
        for edge in &info.graph.edges {
            let text = info.graph.value(edge.attributes, "label");
            self.edges.push(Arrow {
                from: edge.from(),
                to: edge.to(),
                text: text.unwrap_or_default().to_owned(),
                mark: None,
            });
        }
    }
}

fn caption(edge: &Edge) -> String {
    labelled(edge.label(), edge.condition_text())
}

/// The text at an edge: its label and its condition, empty when it has neither.
pub fn labelled(label: Option<&str>, condition: Option<&str>) -> String {
    match (label, condition) {
        (Some(label), Some(condition)) => format!("{label}: {condition}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => String::new(),
    }
}

/// The nodes in the order in which a run reaches them, depth first in routing order; then the unreachable ones.
fn in_order(pipeline: &Pipeline) -> Vec<NodeIx> {
    let mut seen = vec![false; pipeline.nodes.len()];
    let mut order = Vec::with_capacity(pipeline.nodes.len());
    let all = pipeline.indexed_nodes().map(|(ix, _)| ix);
    for root in pipeline.start.into_iter().chain(all) {
        let mut stack = vec![root];
        while let Some(ix) = stack.pop() {
            match seen.get_mut(ix.index()) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            order.push(ix);
            let next: Vec<NodeIx> = pipeline.successors(ix).collect();
            stack.extend(next.into_iter().rev());
        }
    }
    order
}
