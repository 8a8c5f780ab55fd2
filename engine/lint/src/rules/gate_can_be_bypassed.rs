//! `gate_can_be_bypassed`: another way to what a gate guards.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::NodeIx;
use attractor_model::catalogue::NodeKind;

pub(crate) const LINT: Lint = Lint {
    rule: "gate_can_be_bypassed",
    level: Level::Info,
    extent: Extent::Graph,
    fixable: false,
    summary: "Human gate that can be bypassed.",
    doc: "A run can reach the node after this human gate without passing the gate. That may be intended, or a leftover edge around an approval.",
    example: "review [shape=hexagon]\nreview -> deploy\nhotfix -> deploy",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    if !ctx.node_name_typos().is_empty() {
        return;
    }
    for (gate, node) in ctx.nodes_of([NodeKind::HumanGate]) {
        let mut reported: Vec<NodeIx> = Vec::new();
        for edge in pipeline
            .outgoing(gate)
            .iter()
            .filter_map(|ix| pipeline.edge(*ix))
        {
            let ends = pipeline
                .node(edge.to)
                .is_none_or(|target| target.terminal || target.kind == NodeKind::FanIn);
            // No other edge leads there.
            let alone = pipeline.predecessors(edge.to).all(|other| other == gate);
            // What leads back to the gate was there before it: the way for "no".
            let upstream = ctx.loops().share_one(gate, edge.to);
            if alone || ends || upstream || reported.contains(&edge.to) {
                continue;
            }
            // Every path to a direct successor passes the gate exactly when the gate dominates it at once.
            let dominators = ctx.dominators();
            if dominators
                .immediate(edge.to)
                .is_none_or(|before| before == gate)
            {
                continue;
            }
            reported.push(edge.to);
            let message = format!(
                "`{}` can be reached without passing the gate `{}`",
                pipeline.id(edge.to),
                node.id
            );
            let mut diagnostic = sink
                .diagnostic(&LINT, edge.range(), message)
                .edge(&*node.id, pipeline.id(edge.to));
            let other = pipeline
                .incoming(edge.to)
                .iter()
                .filter_map(|ix| pipeline.edge(*ix))
                .find(|other| other.from != gate && dominators.immediate(other.from).is_some());
            if let Some(other) = other {
                diagnostic = diagnostic.related(other.range(), "this edge bypasses the gate");
            }
            sink.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn around_the_gate() {
        check(
            "gate_can_be_bypassed",
            r#"digraph {
    start -> plan -> review -> deploy -> done
    review [shape=hexagon]
    review -> plan [label=Reject]
    plan -> deploy [condition="hotfix"]
    done [shape=Msquare]
}"#,
            expect![[r#"
                start -> plan -> review -> deploy -> done
                                 ^^^^^^^^^^^^^^^^ info: `deploy` can be reached without passing the gate `review`
                plan -> deploy [condition="hotfix"]
                ^^^^^^^^^^^^^^ note: this edge bypasses the gate
            "#]],
        );
    }
}
