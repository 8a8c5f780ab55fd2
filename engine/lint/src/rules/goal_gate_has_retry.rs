//! `goal_gate_has_retry`: an unmet goal gate leads somewhere.

use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::values;

pub(crate) const LINT: Lint = Lint {
    rule: "goal_gate_has_retry",
    level: Level::Info,
    fixable: false,
    summary: "Goal gate without a retry target.",
    doc: "If a node with `goal_gate=true` has not succeeded at the end, the run is redirected to its \
`retry_target`, else to the graph's. Without one the run fails.",
    example: "test [prompt=\"Run the tests\", goal_gate=true]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let targets = ["retry_target", "fallback_retry_target"];
    if targets.iter().any(|name| pipeline.attributes.has(name)) {
        return;
    }
    for (node, gate) in ctx.nodes_with("goal_gate") {
        let is_gate = values::boolean(gate.value()) == Some(true);
        if is_gate && !targets.iter().any(|name| node.attributes.has(name)) {
            let message = format!(
                "goal gate `{}` has no `retry_target` (nor has the graph); the run fails if it has not succeeded at the end",
                node.id
            );
            let range = gate.range().unwrap_or(node.range);
            sink.push(sink.diagnostic(&LINT, range, message).node(&*node.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn no_way_back() {
        check(
            "goal_gate_has_retry",
            "digraph {
    start -> test -> exit
    test [prompt=x, goal_gate=true]
}",
            expect![[r#"
                test [prompt=x, goal_gate=true]
                                ^^^^^^^^^^^^^^ info: goal gate `test` has no `retry_target` (nor has the graph); the run fails if it has not succeeded at the end
            "#]],
        );
    }
}
