//! Is this graph a pipeline? Plain Graphviz must never meet a pipeline lint.

use attractor_dot::graph::Graph;

use crate::catalogue::{self, NodeKind, Owner};
use crate::options::{FileKind, Options};

/// What the comments around a graph say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineHint {
    /// No comment mentions it.
    Nothing,
    /// A comment declares a pipeline.
    Pipeline,
    /// A comment declares a drawing.
    Plain,
}

/// Whether a graph is a pipeline: by request, by the file's ending, or by an attribute that means something
/// in pipelines only.
pub fn is_pipeline(graph: &Graph, options: &Options, asked: PipelineHint) -> bool {
    match asked {
        PipelineHint::Plain => return false,
        PipelineHint::Pipeline => return true,
        PipelineHint::Nothing => {}
    }
    if options.kind == FileKind::Pipelines
        || options.path.as_deref().is_some_and(has_pipeline_ending)
    {
        return true;
    }
    graph
        .list(graph.attributes)
        .iter()
        .any(|attribute| catalogue::gives_pipeline_away(Owner::Graph, graph.name_of(attribute)))
        || graph.nodes.iter().any(|node| {
            graph.list(node.attributes).iter().any(|attribute| {
                match graph.name_of(attribute).as_str() {
                    // An undirected pipeline is an error, and a shape alone does not prove that the graph is a pipeline.
                    "shape" => {
                        graph.directed
                            && matches!(graph.value_of(attribute), "Mdiamond" | "Msquare")
                    }
                    "type" | "node_type" => {
                        NodeKind::from_name(graph.value_of(attribute)).is_some()
                    }
                    name => catalogue::gives_pipeline_away(Owner::Node(NodeKind::Codergen), name),
                }
            })
        })
}

fn has_pipeline_ending(path: &str) -> bool {
    let ending = path
        .rsplit(['/', '\\'])
        .next()
        .and_then(|name| name.rsplit_once('.'));
    ending.is_some_and(|(_, ending)| {
        ending.eq_ignore_ascii_case("attractor") || ending.eq_ignore_ascii_case("fabro")
    })
}
