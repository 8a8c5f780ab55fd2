//! `exit_no_outgoing`: nothing comes after an end.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "exit_no_outgoing",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Edge from a terminal node.",
    doc: "A run ends at a node with `terminal=true`, shape `Msquare` or kind `exit`, so an edge from it is never taken.",
    example: "done [shape=Msquare]\ndone -> report",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    for (ix, node) in pipeline.indexed_nodes() {
        if !node.terminal || node.implicit_terminal {
            continue;
        }
        let edges = pipeline.outgoing(ix).iter();
        for edge in edges.filter_map(|ix| pipeline.edge(*ix)) {
            let message = format!(
                "the run ends at `{}`, so the edge to `{}` is never taken",
                node.id,
                pipeline.id(edge.to)
            );
            let mut diagnostic = sink
                .diagnostic(&LINT, edge.range(), message)
                .edge(&*node.id, pipeline.id(edge.to));
            let whole = edge.range() == edge.statement
                || edge.statement.text(ctx.text).matches("->").count() == 1;
            if whole {
                let edit = ctx.edits().delete_statement(edge.statement);
                diagnostic = diagnostic.fix(fix("Delete the edge", edit)).unnecessary();
            }
            sink.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn after_the_end() {
        check(
            "exit_no_outgoing",
            "digraph {
    done [shape=Msquare]
    start -> done
    done -> report;
}",
            expect![[r#"
                done -> report;
                ^^^^^^^^^^^^^^ warning: the run ends at `done`, so the edge to `report` is never taken
                  fix: Delete the edge
                    - done -> report;
            "#]],
        );
    }
}
