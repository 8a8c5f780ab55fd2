//! `parallel_without_join`: what splits comes together again.

use crate::reach::{Direction, lonely, of_kind};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;

pub(crate) const LINT: Lint = Lint {
    rule: "parallel_without_join",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: false,
    summary: "Parallel branches without a join.",
    doc: "After its branches, a `parallel` node continues where they join: at a `parallel.fan_in` node or \
the first common node. Branches that never join end the run, and their results are not used.",
    example: "fan [shape=component]\nfan -> lint -> a\nfan -> test -> b",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if !ctx.node_name_typos().is_empty() {
        return;
    }
    let pipeline = ctx.pipeline;
    let mut splits = of_kind(ctx, NodeKind::Parallel);
    splits.retain(|ix| {
        let named = ctx.paths().jumps(*ix).len();
        named.max(pipeline.outgoing(*ix).len()) > 1
    });
    let joins = || {
        pipeline
            .indexed_nodes()
            .filter(|(ix, node)| node.kind == NodeKind::FanIn || pipeline.incoming(*ix).len() > 1)
            .map(|(ix, _)| ix)
            .collect()
    };
    for node in lonely(ctx, splits, joins, Direction::Backward) {
        let message = format!(
            "branches of `{}` never join; the run ends with them and their results are not used",
            node.id
        );
        let found = sink.diagnostic(&LINT, node.range, message);
        sink.push(found.node(&*node.id));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn branches_that_never_join() {
        check(
            "parallel_without_join",
            "digraph {
    start -> fan
    fan [shape=component]
    fan -> a -> one
    fan -> b -> two
    a [prompt=x]
}",
            expect![[r#"
                fan [shape=component]
                ^^^ warning: branches of `fan` never join; the run ends with them and their results are not used
            "#]],
        );
        check(
            "parallel_without_join",
            "digraph {
    start -> fan
    fan [shape=component]
    fan -> {a b} -> one
    a [prompt=x]
}",
            expect![[""]],
        );
    }
}
