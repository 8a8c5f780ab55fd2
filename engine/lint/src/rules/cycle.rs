//! `cycle`: a loop that nothing ends.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Attributes;
use attractor_model::Level;
use attractor_model::analysis::Loop;
use attractor_model::catalogue::{NodeKind, values};
use attractor_model::{Edge, EdgeIx, Pipeline};

pub(crate) const LINT: Lint = Lint {
    rule: "cycle",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unbounded loop.",
    doc: "A loop without an exit runs until the step limit, with the cost of every iteration. Loops with \
an exit (a condition, labels to choose from, a human gate, `max_visits`), counted loops and loops through a \
supervisor are not reported.",
    example: "plan -> build -> plan",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    if ends_every_loop(&pipeline.attributes) || !ctx.node_name_typos().is_empty() {
        return;
    }
    for found in ctx.loops().all() {
        let supervised = found.nodes.iter().any(|ix| {
            pipeline
                .node(*ix)
                .is_some_and(|node| node.kind == NodeKind::Supervisor)
        });
        if found.counted || supervised {
            continue;
        }
        let Some(edge) = closing_edge(pipeline, found) else {
            continue;
        };
        if is_bounded(pipeline, found) {
            continue;
        }
        let mut message = String::with_capacity(TYPICAL_LENGTH + UNBOUNDED.len());
        describe(pipeline, found, &mut message);
        message.push_str(UNBOUNDED);
        let mut diagnostic = sink
            .diagnostic(&LINT, edge.range(), message)
            .edge(pipeline.id(edge.from), pipeline.id(edge.to));
        if let Some(first) = pipeline.node(edge.to).filter(|node| node.declared) {
            let edit = ctx
                .edits()
                .add_attribute(first.statement, "max_visits", "10");
            diagnostic =
                diagnostic.fix(fix(format!("Set `max_visits=10` on `{}`", first.id), edit));
        }
        sink.push(diagnostic);
    }
}

/// The edge that closes the loop for a reader: the first that leads back to a node declared before.
fn closing_edge<'p>(pipeline: &'p Pipeline, found: Loop<'_>) -> Option<&'p Edge> {
    let mut inside = found.inside.iter().filter_map(|ix| pipeline.edge(*ix));
    inside
        .find(|edge| edge.to <= edge.from)
        .or_else(|| pipeline.edge(*found.inside.last()?))
}

/// Whether a limit of the graph ends any loop.
fn ends_every_loop(graph: &Attributes) -> bool {
    graph.int("max_node_visits").is_some_and(|limit| limit > 0) || graph.has("max_steps")
}

/// Whether something can end the loop.
fn is_bounded(pipeline: &Pipeline, found: Loop<'_>) -> bool {
    let visits = |attributes: &Attributes| {
        attributes
            .get("max_visits")
            .and_then(|limit| values::integer(limit.value()))
            .is_some_and(|limit| limit > 0)
    };
    found.nodes.iter().any(|ix| {
        pipeline
            .node(*ix)
            .is_some_and(|node| visits(&node.attributes))
    }) || found.inside.iter().any(|ix| {
        pipeline
            .edge(*ix)
            .is_some_and(|edge| edge.is_conditional() || visits(&edge.attributes))
    }) || found.leaving.iter().any(|ix| leads_out(pipeline, *ix))
}

/// Whether a run can choose this edge over one that stays in the loop.
fn leads_out(pipeline: &Pipeline, ix: EdgeIx) -> bool {
    let Some(edge) = pipeline.edge(ix) else {
        return false;
    };
    let chosen = edge.is_conditional() || edge.label().is_some();
    let gate = pipeline.node(edge.from).is_some_and(|node| {
        matches!(
            node.kind,
            NodeKind::HumanGate | NodeKind::Parallel | NodeKind::Custom
        )
    });
    // Among edges without conditions the first in routing order is taken, always.
    chosen || gate || pipeline.outgoing(edge.from).first() == Some(&ix)
}

/// What is wrong with a loop.
const UNBOUNDED: &str = " is an unbounded loop: no condition, label or gate leads out of it, and no `max_visits` is set";

/// Bytes that most descriptions fit into.
const TYPICAL_LENGTH: usize = 60;

/// `` `a` → `b` → `a` ``, shortened.
fn describe(pipeline: &Pipeline, found: Loop<'_>, round: &mut String) {
    const SHOWN: usize = 5;
    let mut add = |parts: [&str; 3]| {
        for part in parts {
            round.push_str(part);
        }
    };
    for ix in found.nodes.iter().take(SHOWN) {
        add(["`", pipeline.id(*ix), "` → "]);
    }
    let count = found.nodes.len();
    if count > SHOWN {
        add(["… (", &count.to_string(), " nodes) → "]);
    }
    if let Some(first) = found.nodes.first() {
        add(["`", pipeline.id(*first), "`"]);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn without_a_way_out() {
        check(
            "cycle",
            "digraph {
    start -> plan -> build -> plan
    plan [prompt=x]
    done [shape=Msquare]
}",
            expect![[r#"
                start -> plan -> build -> plan
                                 ^^^^^^^^^^^^^ warning: `plan` → `build` → `plan` is an unbounded loop: no condition, label or gate leads out of it, and no `max_visits` is set
                  fix: Set `max_visits=10` on `plan`
                    + plan [max_visits=10, prompt=x]
            "#]],
        );
    }

    #[test]
    fn with_a_condition() {
        check(
            "cycle",
            r#"digraph {
    start -> plan -> build
    build -> plan [condition="outcome=fail"]
    build -> done [condition="outcome=success"]
    plan [prompt=x]
}"#,
            expect![""],
        );
    }

    #[test]
    fn itself() {
        check(
            "cycle",
            "digraph {
    start -> poll -> poll
    poll [prompt=x, max_visits=3]
    poll -> done
}",
            expect![""],
        );
    }

    #[test]
    fn under_a_supervisor() {
        check(
            "cycle",
            "digraph {
    start -> s -> a -> s -> done
    s [shape=house, sub_pipeline=x]
}",
            expect![[""]],
        );
    }

    #[test]
    fn a_counted_loop_inside_another_one() {
        check(
            "cycle",
            "digraph {
    start -> b -> w -> e -> t -> exit
    b [shape=trapezium, loop_id=l, loop_max=2]
    e [shape=invtrapezium, loop_id=l]
    w [prompt=x]
    t [prompt=x]
    t -> b [label=Again]
}",
            expect![[r#"
                t -> b [label=Again]
                ^^^^^^ warning: `b` → `w` → `e` → `t` → `b` is an unbounded loop: no condition, label or gate leads out of it, and no `max_visits` is set
                  fix: Set `max_visits=10` on `b`
                    + b [max_visits=10, shape=trapezium, loop_id=l, loop_max=2]
            "#]],
        );
    }
}
