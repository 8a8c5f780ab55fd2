//! `terminal_node`: a pipeline ends somewhere.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "terminal_node",
    level: Level::Error,
    extent: Extent::Graph,
    fixable: true,
    summary: "Missing terminal node.",
    doc: "A run ends at a node with `terminal=true`, shape `Msquare`, or without outgoing edges. If every \
node has an outgoing edge, only a limit can stop the run.",
    example: "digraph {\n    start [shape=Mdiamond]\n    start -> work -> start\n}",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    if pipeline.nodes.iter().any(|node| node.terminal) {
        return;
    }
    let message = if pipeline.nodes.is_empty() {
        "no terminal node: the pipeline has no nodes"
    } else {
        "no terminal node: every node has an outgoing edge, and none has `terminal=true` or shape `Msquare`"
    };
    let statement = match pipeline.nodes.last() {
        Some(last) => {
            format!(
                "done [shape=Msquare]; {} -> done",
                attractor_dot::strings::quote(&last.id)
            )
        }
        None => "done [shape=Msquare]".to_owned(),
    };
    let edit = ctx.edits().add_statement(&statement);
    let diagnostic = sink
        .diagnostic(&LINT, pipeline.name_range, message)
        .fix(fix("Add a node `done`", edit));
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_ring_has_no_end() {
        check(
            "terminal_node",
            "digraph P {
    start -> a -> start
    a [prompt=x]
}",
            expect![[r#"
                digraph P {
                        ^ error: no terminal node: every node has an outgoing edge, and none has `terminal=true` or shape `Msquare`
                  fix: Add a node `done`
                    + done [shape=Msquare]; a -> done
            "#]],
        );
    }

    #[test]
    fn the_last_node_is_an_end() {
        check(
            "terminal_node",
            "digraph P {
    start -> a
    a [prompt=x]
}",
            expect![[""]],
        );
    }
}
