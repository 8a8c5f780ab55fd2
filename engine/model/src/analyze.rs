//! From a parsed text to its pipelines and everything there is to say about them.
//!
//! Total: any text gives an analysis. Syntax errors are among the diagnostics. Time and memory are linear in
//! the size of the graphs.

use std::sync::Arc;

use attractor_dot::graph::Reading;
use attractor_dot::{Parse, TextRange, graph};

use crate::diagnostic::{Diagnostic, Severity};
use crate::directives::{Directives, Request};
use crate::files::Files;
use crate::lints::{self, Damage, Findings, Scope, Subject, Surroundings};
use crate::lower::{self, Asked};
use crate::options::{Dialect, Options};
use crate::pipeline::Pipeline;

/// What a text means.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// Its graphs, in order.
    pub graphs: Vec<GraphInfo>,
    /// Every finding, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// One graph of a text.
#[derive(Clone, Debug)]
pub struct GraphInfo {
    /// The graph as DOT means it.
    pub graph: graph::Graph,
    /// The pipeline, when the graph is one.
    pub pipeline: Option<Arc<Pipeline>>,
}

impl Analysis {
    /// The pipelines of the file.
    pub fn pipelines(&self) -> impl Iterator<Item = &Arc<Pipeline>> {
        self.graphs
            .iter()
            .filter_map(|graph| graph.pipeline.as_ref())
    }

    /// Whether a run would be refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

fn damage(parse: &Parse, graph: TextRange) -> Damage {
    const MANY: usize = 10;
    let inside = parse
        .errors
        .iter()
        .filter(|error| graph.contains_range(error.range));
    if inside.take(MANY).count() < MANY {
        Damage::Little
    } else {
        Damage::Much
    }
}

/// The pipelines of a text, without a word about their mistakes.
pub(crate) fn pipelines(text: &str, parse: &Parse, options: &Options) -> Vec<Arc<Pipeline>> {
    let directives = Directives::read(text, parse);
    let (graphs, _) = graphs(text, parse, options, &directives);
    graphs
        .into_iter()
        .filter_map(|graph| graph.pipeline)
        .collect()
}

fn graphs(
    text: &str,
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
        let graph = graph::resolve_as(tree, text, Reading::Pipeline);
        let info = if lower::is_pipeline(&graph, options, wish.asked) {
            let pipeline = lower::lower(text, &graph, options, wish.dialect);
            GraphInfo {
                graph,
                pipeline: Some(Arc::new(pipeline)),
            }
        } else {
            GraphInfo {
                graph: graph::resolve_as(tree, text, Reading::Graphviz),
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

/// Analyzes a text and its tree.
pub fn analyze(text: &str, parse: &Parse, options: &Options, files: &dyn Files) -> Analysis {
    let directives = Directives::read(text, parse);
    let (graphs, scopes) = graphs(text, parse, options, &directives);
    let mut findings = Findings::new(&options.levels);
    lints::syntax::report(text, parse, &graphs, &mut findings);
    let siblings: Vec<Arc<Pipeline>> = graphs
        .iter()
        .filter_map(|info| info.pipeline.clone())
        .collect();
    for ((info, scope), tree) in graphs.iter().zip(scopes).zip(&parse.file.graphs) {
        let Some(pipeline) = &info.pipeline else {
            continue;
        };
        let around = Surroundings {
            siblings: &siblings,
            options,
            files,
            scope,
        };
        let subject = Subject::new(text, tree, &info.graph, pipeline, around);
        lints::check(&subject, damage(parse, tree.range), &mut findings);
    }
    let mut diagnostics = findings.into_diagnostics();
    drop_allowed(&mut diagnostics, &directives.allowed(text));
    diagnostics.sort_by(|left, right| {
        (left.range, left.severity, left.rule).cmp(&(right.range, right.severity, right.rule))
    });
    Analysis {
        graphs,
        diagnostics,
    }
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

fn drop_allowed(diagnostics: &mut Vec<Diagnostic>, allowed: &[(String, TextRange)]) {
    if allowed.is_empty() {
        return;
    }
    diagnostics.retain(|diagnostic| {
        !allowed.iter().any(|(rule, range)| {
            rule == diagnostic.rule && range.contains_inclusive(diagnostic.range.start())
        })
    });
}
