//! `fan_in_without_parallel`: what gathers has something to gather.

use super::reach::{Direction, lonely, of_kind};
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
    if !subject.misspelt().is_empty() {
        return;
    }
    let gathers = of_kind(subject, NodeKind::FanIn);
    let splits = || of_kind(subject, NodeKind::Parallel);
    for node in lonely(subject, gathers, splits, Direction::Forward) {
        let message = format!(
            "`{}` gathers branches, but no parallel node leads to it",
            node.id
        );
        let found = findings.diagnostic(&LINT, node.range, message);
        findings.push(found.node(&*node.id));
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
