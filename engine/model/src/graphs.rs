//! From a parsed text to its graphs and the pipelines among them, without a word about their mistakes.

use std::sync::Arc;

use attractor_dot::graph::IdSyntax;
use attractor_dot::{Parse, TextRange, graph};

use crate::directives::{Directives, Request, Scope};
use crate::lower::{self, Asked};
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

/// The pipelines of a text.
pub(crate) fn pipelines(text: &Arc<str>, parse: &Parse, options: &Options) -> Vec<Arc<Pipeline>> {
    let directives = Directives::read(text, parse);
    let (graphs, _) = graphs(text, parse, options, &directives);
    graphs
        .into_iter()
        .filter_map(|graph| graph.pipeline)
        .collect()
}

/// The graphs of a text in order, and what comments ask for each.
pub(crate) fn graphs(
    text: &Arc<str>,
    parse: &Parse,
    options: &Options,
    directives: &Directives,
) -> (Vec<GraphInfo>, Vec<Scope>) {
    let mut previous_end = 0;
    let mut graphs = Vec::with_capacity(parse.file.graphs.len());
    let mut scopes = Vec::with_capacity(parse.file.graphs.len());
    for tree in &parse.file.graphs {
        let wish = wish(directives, previous_end, tree.range);
        previous_end = tree.range.end();
        let graph = graph::resolve_as(tree, text, IdSyntax::Pipeline);
        let info = if lower::is_pipeline(&graph, options, wish.asked) {
            let (graph, pipeline) = lower::lower(text, graph, options, wish.dialect);
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
        scopes.push(wish.scope);
    }
    (graphs, scopes)
}

/// What comments ask for a graph.
struct Wish {
    asked: Asked,
    dialect: Option<Dialect>,
    scope: Scope,
}

fn wish(directives: &Directives, previous_end: usize, range: TextRange) -> Wish {
    let mut wish = Wish {
        asked: Asked::Nothing,
        dialect: None,
        scope: Scope::default(),
    };
    for request in directives.of_graph(previous_end, range) {
        match request {
            Request::Pipeline => wish.asked = Asked::Pipeline,
            Request::Graph => wish.asked = Asked::Plain,
            Request::Dialect(dialect) => wish.dialect = Some(*dialect),
            Request::StrictNodes => wish.scope.strict_nodes = true,
            Request::Allow(_) => {}
        }
    }
    wish
}
