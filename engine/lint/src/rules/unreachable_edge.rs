//! `unreachable_edge`: every edge can be taken.

use std::cell::OnceCell;

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::analysis::{Branches, shadowed_by};

pub(crate) const LINT: Lint = Lint {
    rule: "unreachable_edge",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: false,
    summary: "Edge that is never taken.",
    doc: "Of several edges without a condition only the first in routing order is taken (by `priority`, \
`weight`, then the name of the target), unless the node itself chooses, as models and people do. A command chooses \
nothing. To run all targets, lead through a `parallel` node (shape `component`); to choose one, add conditions.",
    example: "build [shape=parallelogram, command=\"make\"]\nbuild -> lint\nbuild -> test",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let branches = OnceCell::new();
    let is_in_branch = |node| {
        let branches = branches.get_or_init(|| Branches::of(pipeline, ctx.paths()));
        branches.is_inside(node)
    };
    for (ix, node) in pipeline.indexed_nodes() {
        let outgoing = pipeline.outgoing(ix);
        if outgoing.len() < 2 {
            continue;
        }
        for edge in outgoing.iter().filter_map(|edge| pipeline.edge(*edge)) {
            let Some(first) = shadowed_by(pipeline, edge, is_in_branch) else {
                continue;
            };
            let (to, before) = (pipeline.id(edge.to), pipeline.id(first.to));
            let message = format!(
                "edge `{0}` -> `{to}` is never taken: `{0}` -> `{before}` comes first and has no condition; \
                 add conditions to choose, or a `component` node to run both",
                node.id
            );
            sink.push(
                sink.diagnostic(&LINT, edge.range(), message)
                    .edge(&*node.id, to)
                    .related(first.range(), "always taken"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn only_the_first_of_two_plain_edges_is_taken() {
        check(
            "unreachable_edge",
            r#"digraph {
    start [shape=Mdiamond]
    start -> build -> {test lint}
    build [shape=parallelogram, command=make]
    test -> done
    lint -> done
    done [shape=Msquare]
}"#,
            expect![[r#"
                start -> build -> {test lint}
                         ^^^^^^^^^^^^^^^^^^^^ warning: edge `build` -> `test` is never taken: `build` -> `lint` comes first and has no condition; add conditions to choose, or a `component` node to run both
                start -> build -> {test lint}
                         ^^^^^^^^^^^^^^^^^^^^ note: always taken
            "#]],
        );
    }

    #[test]
    fn what_chooses_among_them() {
        for fine in [
            "t [command=x]; t -> a; t -> b [condition=\"outcome=fail\"]",
            "t [command=x]; t -> a [max_visits=2]; t -> b",
            "t [shape=box, prompt=x]; t -> a; t -> b",
            "t [shape=hexagon]; t -> a [label=A]; t -> b [label=B]",
            "t [shape=component]; t -> a; t -> b",
            "t [shape=diamond]; t -> a; t -> b",
            "t [command=x, parse_json=true]; t -> a; t -> b",
            // In a branch the edge to the join is closed.
            "t [command=x]; f [shape=component]; f -> t; f -> b; t -> a; t -> b; b -> j; a -> j; j [shape=tripleoctagon]",
        ] {
            let text = format!("digraph {{ goal=x; start [shape=Mdiamond]; start -> t; {fine} }}");
            check("unreachable_edge", &text, expect![[""]]);
        }
    }
}
