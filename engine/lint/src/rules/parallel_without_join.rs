//! `parallel_without_join`: what splits comes together again.

use crate::reach::{Direction, lonely, of_kind};
use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;

pub(crate) const LINT: Lint = Lint {
    rule: "parallel_without_join",
    level: Level::Warn,
    fixable: false,
    summary: "Branches that never come together.",
    doc: "After its branches, a `parallel` node goes on where they meet: at a `parallel.fan_in` node or the first node \
they share. Branches that meet nowhere end the run, and nobody sees their results.",
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
            "the branches of `{}` never meet; the run ends with them and nothing gathers their results",
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
    fn branches_that_part_for_ever() {
        check(
            "parallel_without_join",
            "digraph {\n    start -> fan\n    fan [shape=component]\n    fan -> a -> one\n    fan -> b -> two\n    a [prompt=x]\n}",
            expect![[r#"
            fan [shape=component]
            ^^^ warning: the branches of `fan` never meet; the run ends with them and nothing gathers their results
        "#]],
        );
        check(
            "parallel_without_join",
            "digraph {\n    start -> fan\n    fan [shape=component]\n    fan -> {a b} -> one\n    a [prompt=x]\n}",
            expect![[""]],
        );
    }
}
