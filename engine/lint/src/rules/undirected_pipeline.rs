//! `undirected_pipeline`: a run needs directions.

use attractor_dot::ast::{Block, EdgeEnd, Stmt};
use attractor_dot::{Edit, Fix};

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "undirected_pipeline",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Pipeline as an undirected graph.",
    doc: "A run follows edges in one direction, so a pipeline must be a `digraph` with `->`.",
    example: "graph { goal=\"Ship it\"; start -- build }",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if ctx.tree.directed {
        return;
    }
    let mut edits = vec![Edit::replace(ctx.tree.keyword, "digraph")];
    let mut blocks: Vec<&Block> = vec![&ctx.tree.body];
    while let Some(block) = blocks.pop() {
        for statement in &block.statements {
            match statement {
                Stmt::Edge(edge) => {
                    edits.extend(
                        edge.operators
                            .iter()
                            .map(|operator| Edit::replace(operator.range(), "->")),
                    );
                    blocks.extend(edge.ends.iter().filter_map(|end| match end {
                        EdgeEnd::Subgraph(subgraph) => subgraph.body.as_ref(),
                        EdgeEnd::Nodes(_) | EdgeEnd::Missing(_) => None,
                    }));
                }
                Stmt::Subgraph(subgraph) => blocks.extend(&subgraph.body),
                _ => {}
            }
        }
    }
    let message = "undirected pipeline; expected `digraph` with `->`";
    let diagnostic = sink
        .diagnostic(&LINT, ctx.tree.keyword, message)
        .fix(Fix::new("Convert to `digraph`", edits).preferred());
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn made_directed() {
        check(
            "undirected_pipeline",
            "graph P {
    goal=x
    start -- a -- b
}",
            expect![[r#"
                graph P {
                ^^^^^ error: undirected pipeline; expected `digraph` with `->`
                  fix: Convert to `digraph`
                    + digraph P {
                    + start -> a -> b
            "#]],
        );
    }

    #[test]
    fn plain_graphs_may_be() {
        check(
            "undirected_pipeline",
            "graph P {
    a -- b
}",
            expect![[""]],
        );
    }
}
