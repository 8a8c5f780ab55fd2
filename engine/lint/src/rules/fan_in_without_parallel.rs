//! `fan_in_without_parallel`: what gathers has something to gather.

use crate::reach::{Direction, lonely, of_kind};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;

pub(crate) const LINT: Lint = Lint {
    rule: "fan_in_without_parallel",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: false,
    summary: "Fan-in without a preceding parallel node.",
    doc: "A `parallel.fan_in` node joins the results of the branches of a `parallel` node. Without one on any path to it there is nothing to join.",
    example: "start -> draft -> gather\ngather [shape=tripleoctagon]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if !ctx.node_name_typos().is_empty() {
        return;
    }
    let gathers = of_kind(ctx, NodeKind::FanIn);
    let splits = || of_kind(ctx, NodeKind::Parallel);
    for node in lonely(ctx, gathers, splits, Direction::Forward) {
        let message = format!(
            "`{}` joins branches, but no parallel node leads to it",
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
    fn nothing_to_gather() {
        check(
            "fan_in_without_parallel",
            "digraph {
    start -> a -> gather
    a [prompt=x]
    gather [shape=tripleoctagon]
}",
            expect![[r#"
                gather [shape=tripleoctagon]
                ^^^^^^ warning: `gather` joins branches, but no parallel node leads to it
            "#]],
        );
    }
}
