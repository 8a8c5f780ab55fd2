//! The nodes and edges of a file by line: where breakpoints may be, and where a frame is.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use attractor_ide::line_index::Lines;
use attractor_ide::position::{Encoding, Position};
use attractor_model::Pipeline;
use attractor_run::{edge_point, node_point};

/// What a breakpoint is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A node, by its point.
    Node(String),
    /// An edge, by its point.
    Edge(String),
}

/// A place in a file, with lines and columns from 0.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) place: Place,
    /// The pipeline, if it is not the one that was started.
    pub(crate) graph: Option<String>,
    /// The id of the node; of an edge, of its source.
    pub(crate) node: String,
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// A file of pipelines.
pub(crate) struct Places {
    located: Vec<Located>,
    /// The position of each node, by its point.
    nodes: BTreeMap<String, Position>,
}

impl Places {
    /// The places of a text. `root` is the pipeline that was started, whose frames name no pipeline.
    pub(crate) fn of(text: &str, root: Option<&str>) -> Self {
        let pipelines = Pipeline::from_text(text);
        let lines = Lines::new(text);
        let at = |offset: usize| lines.position(text, offset, Encoding::Utf16);
        let mut located = Vec::new();
        let mut nodes = BTreeMap::new();
        for pipeline in &pipelines {
            let graph = Some(pipeline.name.as_str()).filter(|name| Some(*name) != root);
            let mut add = |place, node: &str, range: std::ops::Range<usize>| {
                located.push(Located {
                    place,
                    graph: graph.map(str::to_owned),
                    node: node.to_owned(),
                    start: at(range.start),
                    end: at(range.end),
                });
            };
            for node in &pipeline.nodes {
                let point = node_point(graph, &node.id);
                nodes.insert(point.clone(), at(node.range.start()));
                if node.declared {
                    let range = node.range.start()..node.range.end();
                    add(Place::Node(point), &node.id, range);
                }
            }
            for edge in &pipeline.edges {
                let (from, to) = (pipeline.id(edge.from), pipeline.id(edge.to));
                let point = edge_point(graph, (from, to), edge.label(), edge.condition_text());
                let range = edge.range();
                add(Place::Edge(point), from, range.start()..range.end());
            }
        }
        located.sort_by_key(|one| (one.start.line, one.start.character));
        Self { located, nodes }
    }

    /// The places that begin on these lines.
    pub(crate) fn on_lines(&self, first: u32, last: u32) -> impl Iterator<Item = &Located> {
        let mut open = self.located.iter();
        let is_there = move |one: &&Located| (first..=last).contains(&one.start.line);
        std::iter::from_fn(move || open.find(is_there))
    }

    /// The place that a breakpoint on a line is of: with a column, the last one that begins before it; else the node, or
    /// the first edge.
    pub(crate) fn find(&self, line: u32, column: Option<u32>) -> Option<&Located> {
        let on_line: Vec<&Located> = self.on_lines(line, line).collect();
        if let Some(column) = column {
            let before = on_line.iter().rev();
            let mut before = before.filter(|one| one.start.character <= column);
            return before.next().or(on_line.first()).copied();
        }
        let node = on_line
            .iter()
            .find(|one| matches!(one.place, Place::Node(_)));
        node.or(on_line.first()).copied()
    }

    /// Where a node is, by its point.
    pub(crate) fn node(&self, point: &str) -> Option<Position> {
        self.nodes.get(point).copied()
    }

    /// Whether the file has a place.
    pub(crate) fn has(&self, place: &Place) -> bool {
        match place {
            Place::Node(point) => self.has_node(point),
            Place::Edge(_) => self.located.iter().any(|one| one.place == *place),
        }
    }

    /// Whether a node is in the file, by its point.
    pub(crate) fn has_node(&self, point: &str) -> bool {
        self.nodes.contains_key(point)
    }
}

/// The file at `path` as it is now; none where it cannot be read or is not one.
pub(crate) fn read_file(path: &Path) -> Option<Arc<str>> {
    const MOST: u64 = 16 * 1024 * 1024;
    let metadata = std::fs::metadata(path).ok()?;
    let is_readable = metadata.is_file() && metadata.len() <= MOST;
    let text = is_readable.then(|| std::fs::read_to_string(path).ok());
    text.flatten().map(Arc::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_node_or_its_edges() {
        let text = "digraph main {\n  // a comment\n  s [shape=Mdiamond]; e [shape=Msquare]\n  s -> a -> e [label=go]\n  a [\n    command=x\n  ]\n}\ndigraph child { goal=x; c -> d }";
        let places = Places::of(text, Some("main"));
        let found = |line, column| places.find(line, column).map(|one| one.place.clone());
        assert_eq!(found(1, None), None);
        assert_eq!(found(2, None), Some(Place::Node("s".to_owned())));
        assert_eq!(found(2, Some(22)), Some(Place::Node("e".to_owned())));
        assert_eq!(found(3, None), Some(Place::Edge("s->a#go#".to_owned())));
        assert_eq!(found(3, Some(9)), Some(Place::Edge("a->e#go#".to_owned())));
        assert_eq!(found(4, None), Some(Place::Node("a".to_owned())));
        assert_eq!(found(5, None), None);
        assert_eq!(found(8, None), Some(Place::Edge("child/c->d##".to_owned())));
        assert_eq!(places.node("child/d").map(|at| at.line), Some(8));
    }
}
