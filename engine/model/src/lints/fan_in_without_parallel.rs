//! `fan_in_without_parallel`: what gathers has something to gather.

use super::reach::{Direction, of_kind, reach};
use super::{Check, Findings, Lint, Subject};
use crate::catalogue::NodeKind;
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "fan_in_without_parallel",
    level: Level::Warn,
    fixable: false,
    summary: "A fan-in with no parallel node before it.",
    doc: "A `parallel.fan_in` node gathers what the branches of a `parallel` node gave out. Without one on any path \
to it there is nothing to gather.",
    example: "start -> draft -> gather\ngather [shape=tripleoctagon]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let pipeline = subject.pipeline;
    let gathers = |node: &crate::Node| node.kind == NodeKind::FanIn;
    if !pipeline.nodes.iter().any(gathers) {
        return;
    }
    let from: Vec<_> = of_kind(pipeline, NodeKind::Parallel);
    let after = reach(subject, from, Direction::Forward);
    for (ix, node) in pipeline.indexed_nodes().filter(|(_, node)| gathers(node)) {
        if !after.get(ix.index()).copied().unwrap_or(true) {
            let message = format!(
                "`{}` gathers branches, but no parallel node leads to it",
                node.id
            );
            findings.push(
                findings
                    .diagnostic(&LINT, node.range, message)
                    .node(&*node.id),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn nothing_to_gather() {
        check(
            "fan_in_without_parallel",
            "digraph {\n    start -> a -> gather\n    a [prompt=x]\n    gather [shape=tripleoctagon]\n}",
            expect![[r#"
            gather [shape=tripleoctagon]
            ^^^^^^ warning: `gather` gathers branches, but no parallel node leads to it
        "#]],
        );
    }
}
