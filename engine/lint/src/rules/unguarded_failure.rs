//! `unguarded_failure`: where a failure would stop the run.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;
use attractor_model::analysis::stops_on_failure;
use attractor_model::catalogue::NodeKind;

pub(crate) const LINT: Lint = Lint {
    rule: "unguarded_failure",
    level: Level::Allow,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unhandled failure.",
    doc: "An edge without a condition is not taken after a failure, unless the node also has a \
conditional edge: a failed build must not fall through to deploy. If nothing else handles the failure (a \
conditional edge, a `retry_target`, `on_failure`), the run ends there. That may be intended.",
    example: "build [shape=parallelogram, command=\"make\"]\nbuild -> deploy",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let working = [NodeKind::Tool, NodeKind::Supervisor, NodeKind::Pipeline];
    for (ix, node) in ctx.nodes_of(working) {
        if node.terminal || !stops_on_failure(pipeline, ix) {
            continue;
        }
        let message = format!("failure of `{}` is unhandled; the run ends here", node.id);
        let edit = ctx
            .edits()
            .add_attribute(node.statement, "on_failure", "route");
        let diagnostic = sink
            .diagnostic(&LINT, node.range, message)
            .node(&*node.id)
            .fix(fix("Set `on_failure=route`", edit));
        sink.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with, with_level};
    use attractor_model::{Level, NoFiles};
    use expect_test::expect;

    #[test]
    fn a_build_that_may_fail() {
        let text = r#"digraph {
    start -> build -> test -> deploy
    build [shape=parallelogram, command=make]
    test [shape=parallelogram, command="make test", on_failure=route]
}"#;
        check("unguarded_failure", text, expect![[""]]);
        check_with(
            "unguarded_failure",
            text,
            &with_level("unguarded_failure", Level::Info),
            &NoFiles,
            expect![[r#"
                build [shape=parallelogram, command=make]
                ^^^^^ info: failure of `build` is unhandled; the run ends here
                  fix: Set `on_failure=route`
                    + build [on_failure=route, shape=parallelogram, command=make]
            "#]],
        );
    }
}
