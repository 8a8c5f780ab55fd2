//! `retry_target_exists`: jumps after a failure lead to a node.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext, node_references};
use attractor_model::Level;
use attractor_model::catalogue::AttrType;

pub(crate) const LINT: Lint = Lint {
    rule: "retry_target_exists",
    level: Level::Error,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unknown retry target.",
    doc: "`retry_target`, `fallback_retry_target` and `feedback_from` name a node of the same graph. If \
it does not exist, a failure ends the run instead of being retried.",
    example: "fix [prompt=\"…\", retry_target=implmnt]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    node_references::check(AttrType::Node, &LINT, ctx, sink);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_typo() {
        check(
            "retry_target_exists",
            r#"digraph {
    graph [retry_target="implment", goal=x]
    start -> implement -> test
    test [prompt=x, fallback_retry_target=nowhere]
}"#,
            expect![[r#"
                graph [retry_target="implment", goal=x]
                                     ^^^^^^^^ error: `retry_target`: unknown node `implment`; did you mean `implement`?
                  fix: Replace with `implement`
                    + graph [retry_target="implement", goal=x]
                test [prompt=x, fallback_retry_target=nowhere]
                                                      ^^^^^^^ error: `fallback_retry_target`: unknown node `nowhere`
            "#]],
        );
    }

    #[test]
    fn a_default_speaks_once() {
        check(
            "retry_target_exists",
            "digraph {
    node [retry_target=gone]
    start -> a -> b -> c
    a [prompt=x]
}",
            expect![[r#"
                node [retry_target=gone]
                                   ^^^^ error: `retry_target`: unknown node `gone`
            "#]],
        );
    }
}
