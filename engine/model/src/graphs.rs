//! From a parsed text to its graphs and the pipelines among them, without diagnostics.

use std::sync::Arc;

use attractor_dot::graph::IdSyntax;
use attractor_dot::{Parse, TextRange, graph};

use crate::directives::{Directives, Request, Scope};
use crate::lower::{self, PipelineHint};
use crate::options::{Dialect, Options};
use crate::pipeline::Pipeline;

/// One graph of a text.
#[derive(Clone, Debug)]
pub struct GraphInfo {
    /// The graph as DOT means it.
    pub graph: Arc<graph::Graph>,
    /// The pipeline, when the graph is one.
    pub pipeline: Option<Arc<Pipeline>>,
}

/// The graphs of a text, in order.
pub fn read(text: &Arc<str>, parse: &Parse, options: &Options) -> Vec<GraphInfo> {
    let directives = Directives::read(text, parse);
    graphs(text, parse, options, &directives).0
}

/// The pipelines of a text.
pub fn pipelines(text: &Arc<str>, parse: &Parse, options: &Options) -> Vec<Arc<Pipeline>> {
    read(text, parse, options)
        .into_iter()
        .filter_map(|graph| graph.pipeline)
        .collect()
}

/// The graphs of a text in order, and what comments ask for each.
pub fn graphs(
    text: &Arc<str>,
    parse: &Parse,
    options: &Options,
    directives: &Directives,
) -> (Vec<GraphInfo>, Vec<Scope>) {
    let mut previous_end = 0;
    let mut graphs = Vec::with_capacity(parse.file.graphs.len());
    let mut scopes = Vec::with_capacity(parse.file.graphs.len());
    for tree in &parse.file.graphs {
        let requested = requested_for(directives, previous_end, tree.range);
        previous_end = tree.range.end();
        let graph = graph::resolve_as(tree, text, IdSyntax::Pipeline);
        let info = if lower::is_pipeline(&graph, options, requested.hint) {
            let (graph, pipeline) = lower::lower(text, graph, options, requested.dialect);
            GraphInfo {
                graph,
                pipeline: Some(Arc::new(pipeline)),
            }
        } else {
            GraphInfo {
                graph: Arc::new(graph::resolve_as(tree, text, IdSyntax::Graphviz)),
                pipeline: None,
            }
        };
        graphs.push(info);
        scopes.push(requested.scope);
    }
    (graphs, scopes)
}

/// What comments ask for a graph.
struct GraphDirectives {
    hint: PipelineHint,
    dialect: Option<Dialect>,
    scope: Scope,
}

fn requested_for(
    directives: &Directives,
    previous_end: usize,
    range: TextRange,
) -> GraphDirectives {
    let mut requested = GraphDirectives {
        hint: PipelineHint::Nothing,
        dialect: None,
        scope: Scope::default(),
    };
    for request in directives.of_graph(previous_end, range) {
        match request {
            Request::Pipeline => requested.hint = PipelineHint::Pipeline,
            Request::Graph => requested.hint = PipelineHint::Plain,
            Request::Dialect(dialect) => requested.dialect = Some(*dialect),
            Request::StrictNodes => requested.scope.strict_nodes = true,
            Request::Allow(_) => {}
        }
    }
    requested
}

impl Pipeline {
    /// The pipelines of a text, with default options. For tests and examples.
    pub fn from_text(text: &str) -> Vec<Arc<Self>> {
        let text = Arc::from(text);
        pipelines(&text, &attractor_dot::parse(&text), &Options::default())
    }
}
