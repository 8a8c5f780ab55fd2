//! `goal_gate_has_retry`: an unmet goal gate leads somewhere.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::analysis::{FailureRoute, failure_route};
use attractor_model::catalogue::values;
use attractor_model::{EdgeIx, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "goal_gate_has_retry",
    level: Level::Info,
    extent: Extent::Graph,
    fixable: false,
    summary: "Goal gate without a retry target.",
    doc: "If a node with `goal_gate=true` has not succeeded at the end, the run is redirected to its \
`retry_target`, else to the graph's. Without one the run fails. That is reported only where an edge takes the failure of \
the node, so that the run continues for nothing; a gate whose failure ends the run at once does what it says.",
    example: "test [prompt=\"Run the tests\", goal_gate=true]\ntest -> report [condition=\"outcome=fail\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let targets = ["retry_target", "fallback_retry_target"];
    if targets.iter().any(|name| pipeline.attributes.has(name)) {
        return;
    }
    for (ix, node) in ctx.nodes_with_any(["goal_gate"]) {
        let Some(gate) = node.attributes.get("goal_gate") else {
            continue;
        };
        let is_gate = values::boolean(gate.value()) == Some(true);
        let leads_on = || match failure_route(pipeline, ix) {
            FailureRoute::Edges(edges) => !edges.iter().all(|edge| returns(ctx, ix, *edge)),
            FailureRoute::Continues => true,
            FailureRoute::Never | FailureRoute::Stops | FailureRoute::Retries(_) => false,
        };
        if is_gate && !targets.iter().any(|name| node.attributes.has(name)) && leads_on() {
            let message = format!(
                "goal gate `{}` has no `retry_target` (nor has the graph); the run fails if it has not succeeded at the end",
                node.id
            );
            let range = gate.range().unwrap_or(node.range);
            sink.push(sink.diagnostic(&LINT, range, message).node(&*node.id));
        }
    }
}

/// Whether an edge leads back to the gate, and nowhere else but through it: the gate is tried again.
fn returns(ctx: &LintContext<'_>, gate: NodeIx, edge: EdgeIx) -> bool {
    let pipeline = ctx.pipeline;
    let Some(edge) = pipeline.edge(edge) else {
        return false;
    };
    let mut seen = vec![edge.to];
    let mut at = 0;
    while let Some(ix) = seen.get(at).copied() {
        at += 1;
        if ix == gate {
            continue;
        }
        if at > LOOK_AHEAD || pipeline.node(ix).is_none_or(|node| node.terminal) {
            return false;
        }
        for next in pipeline.successors(ix) {
            if !seen.contains(&next) {
                seen.push(next);
            }
        }
    }
    true
}

/// The maximum number of nodes looked at behind a gate.
const LOOK_AHEAD: usize = 64;

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_failure_that_leads_on() {
        check(
            "goal_gate_has_retry",
            r#"digraph {
    start -> test -> exit
    test [prompt=x, goal_gate=true]
    test -> report [condition="outcome=fail"]
    report -> exit
    exit [shape=Msquare]
}"#,
            expect![[r#"
                test [prompt=x, goal_gate=true]
                                ^^^^^^^^^^^^^^ info: goal gate `test` has no `retry_target` (nor has the graph); the run fails if it has not succeeded at the end
            "#]],
        );
    }

    #[test]
    fn a_failure_that_ends_the_run_or_is_repaired() {
        for fine in [
            "test -> exit",
            "test -> exit [condition=\"outcome=success\"]",
            "test -> exit; test -> fix [condition=\"outcome=fail\"]; fix -> test",
        ] {
            let text = format!(
                "digraph {{ start -> test; test [prompt=x, goal_gate=true]; exit [shape=Msquare]; {fine} }}"
            );
            check("goal_gate_has_retry", &text, expect![[""]]);
        }
    }
}
