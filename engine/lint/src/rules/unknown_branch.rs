//! `unknown_branch`: lists of nodes name nodes.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext, node_references};
use attractor_model::Level;
use attractor_model::catalogue::AttrType;

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_branch",
    level: Level::Error,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unknown branch.",
    doc: "Every item of `branches` and `goal_required_nodes` must be a node of the same graph. A branch that does not exist cannot run.",
    example: "fan [shape=component, branches=\"lint, tst\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    node_references::check(AttrType::NodeList, &LINT, ctx, sink);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn one_item_of_a_list() {
        check(
            "unknown_branch",
            r#"digraph {
    start -> fan -> join
    fan [shape=component, branches="lint, tset"]
    lint -> join; test -> join
    join [shape=tripleoctagon]
}"#,
            expect![[r#"
                fan [shape=component, branches="lint, tset"]
                                                      ^^^^ error: `branches`: unknown node `tset`; did you mean `test`?
                  fix: Replace with `test`
                    + fan [shape=component, branches="lint, test"]
            "#]],
        );
    }
}
