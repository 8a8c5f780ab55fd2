//! `unguarded_failure`: where a failure would stop the run.

use super::edits::fix;
use super::{Check, Findings, Lint, Subject};
use crate::catalogue::NodeKind;
use crate::flow::stops_on_failure;
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "unguarded_failure",
    level: Level::Allow,
    fixable: true,
    summary: "A failure here stops the run.",
    doc: "An edge without a condition is not taken after a failure, unless a conditional edge stands beside it: a \
failed build must not fall through to deploy. Where nothing else catches the failure (a conditional edge, a \
`retry_target`, `on_failure`), the run ends there. That may be what you want.",
    example: "build [shape=parallelogram, command=\"make\"]\nbuild -> deploy",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let pipeline = subject.pipeline;
    let working = [NodeKind::Tool, NodeKind::Supervisor, NodeKind::Pipeline];
    for (ix, node) in subject.nodes_of(working) {
        if node.terminal || !stops_on_failure(pipeline, ix) {
            continue;
        }
        let message = format!(
            "when `{}` fails, the run ends here: no edge or `retry_target` takes a failure",
            node.id
        );
        let edit = subject
            .edits()
            .add_attribute(node.statement, "on_failure", "route");
        let diagnostic = findings
            .diagnostic(&LINT, node.range, message)
            .node(&*node.id)
            .fix(fix("Go on over the edge even after a failure", edit));
        findings.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::{check, check_with, with_level};
    use crate::{Level, NoFiles};
    use expect_test::expect;

    #[test]
    fn a_build_that_may_fail() {
        let text = "digraph {\n    start -> build -> test -> deploy\n    build [shape=parallelogram, command=make]\n    test [shape=parallelogram, command=\"make test\", on_failure=route]\n}";
        check("unguarded_failure", text, expect![[""]]);
        check_with(
            "unguarded_failure",
            text,
            &with_level("unguarded_failure", Level::Info),
            &NoFiles,
            expect![[r#"
            build [shape=parallelogram, command=make]
            ^^^^^ info: when `build` fails, the run ends here: no edge or `retry_target` takes a failure
              fix: Go on over the edge even after a failure
                + build [on_failure=route, shape=parallelogram, command=make]
        "#]],
        );
    }
}
