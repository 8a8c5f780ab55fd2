//! `condition_conflict`: two conditions that can hold together need an order.

use rustc_hash::FxHashMap;

use crate::node_conditions::{NodeCondition, Role};
use crate::outgoing_conditions::{MAX_EDGES, OutgoingConditions};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::condition::{Condition, Literal, Sat};
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::precedence::precedence;
use attractor_model::{Edge, Node, Pipeline};

pub(crate) const LINT: Lint = Lint {
    rule: "condition_conflict",
    level: Level::Info,
    extent: Extent::Graph,
    fixable: true,
    summary: "Overlapping conditions without a priority.",
    doc: "When two conditional edges of a node can both be taken and have the same `priority` and \
`weight`, the name of the target decides. Set `priority` on one of them (lower goes first), or make the conditions \
mutually exclusive. The message gives a case in which both hold. Also reports `goal_conditions` that can never hold \
together.",
    example: "test -> deploy [condition=\"outcome=success\"]\ntest -> review [condition=\"score < 80\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    goals(ctx, sink);
    // In nodes with equal conditions two edges have the same case, whatever the node.
    let mut cases: FxHashMap<(usize, usize, usize), Option<String>> = FxHashMap::default();
    for ways in ctx.outgoing_conditions() {
        for (at, (edge, condition)) in ways.conditional().enumerate() {
            let mut earlier = ways.conditional().enumerate().take(at);
            let conflict = earlier.find_map(|(before, (other, asked))| {
                if !unordered(ways.node, other, edge) {
                    return None;
                }
                let case = cases.entry((ways.shared.number, before, at));
                let case = case.or_insert_with(|| case_of_both(ways, asked, condition));
                Some((other, case.clone()?))
            });
            if let Some((other, case)) = conflict {
                report(ctx, sink, &ways.node.id, (other, edge), &case);
            }
        }
    }
}

/// A case in which both conditions hold and nothing orders them.
fn case_of_both(
    ways: &OutgoingConditions<'_>,
    one: &Condition,
    other: &Condition,
) -> Option<String> {
    let both = [one, other].map(|condition| Literal {
        condition,
        holds: true,
    });
    match ways.satisfiable(&both, &ways.shared.outcomes) {
        Sat::Satisfiable(case) => Some(case.to_string()),
        Sat::Unsatisfiable | Sat::Unknown => None,
    }
}

/// Goals of which at most one can be met, each with the first it excludes.
fn goals(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let goals: Vec<&NodeCondition<'_>> = ctx
        .node_conditions()
        .iter()
        .filter(|asked| asked.role == Role::Goal && asked.is_readable() && asked.can_be(true))
        .take(MAX_EDGES)
        .collect();
    for (at, goal) in goals.iter().enumerate() {
        let excluded = goals.iter().take(at).find(|other| {
            let both = [&other.condition, &goal.condition].map(|condition| Literal {
                condition,
                holds: true,
            });
            !Role::Goal.can_be(&both)
        });
        let places = excluded.and_then(|other| {
            let first = other.range(ctx.text)?;
            Some((first, goal.range(ctx.text)?))
        });
        let Some((first, second)) = places else {
            continue;
        };
        let message = format!(
            "this goal and `{}` can never hold together",
            first.text(ctx.text)
        );
        sink.push(
            sink.diagnostic(&LINT, second, message)
                .related(first, "conflicting goal"),
        );
    }
}

/// Whether only the names of the targets decide between two edges.
fn unordered(node: &Node, one: &Edge, other: &Edge) -> bool {
    let rank = |edge: &Edge| precedence(node, edge.condition.as_deref());
    one.to != other.to
        && rank(one) == rank(other)
        && one.priority == other.priority
        && one.weight == other.weight
}

fn report(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    node: &str,
    (first, second): (&Edge, &Edge),
    case: &str,
) {
    let pipeline: &Pipeline = ctx.pipeline;
    let place = |edge: &Edge| {
        edge.attributes
            .get("condition")
            .and_then(Attribute::value_range)
            .unwrap_or(edge.range())
    };
    let message = format!(
        "the conditions of this edge and of the edge to `{}` can both hold ({case}); the order of target names decides. Set `priority` on one of them",
        pipeline.id(first.to)
    );
    let mut diagnostic = sink
        .diagnostic(&LINT, place(second), message)
        .edge(node, pipeline.id(second.to))
        .related(place(first), "this edge takes precedence");
    let alone = pipeline
        .edges
        .iter()
        .filter(|edge| edge.statement == second.statement)
        .count()
        == 1;
    if alone && !second.attributes.has("priority") {
        let edit = ctx.edits().add_attribute(second.statement, "priority", "1");
        diagnostic = diagnostic.fix(fix("Add `priority=1` to keep this order", edit));
    }
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::{Expect, expect};

    fn edges(edges: &str, expected: Expect) {
        let text = format!(
            "digraph {{
    start [shape=Mdiamond]
    start -> n
    n [prompt=x]
{edges}
}}"
        );
        check("condition_conflict", &text, expected);
    }

    #[test]
    fn goals_that_exclude_each_other() {
        check(
            "condition_conflict",
            r#"digraph {
    goal_conditions="exit_code == 0; score > 8; exit_code > 0"
    start -> t -> exit
    t [command=x]
}"#,
            expect![[r#"
                goal_conditions="exit_code == 0; score > 8; exit_code > 0"
                                                            ^^^^^^^^^^^^^ info: this goal and `exit_code == 0` can never hold together
                goal_conditions="exit_code == 0; score > 8; exit_code > 0"
                                 ^^^^^^^^^^^^^^ note: conflicting goal
            "#]],
        );
    }

    #[test]
    fn both_can_hold() {
        edges(
            "n -> a [condition=\"outcome=success\"]\nn -> b [condition=\"score < 80\"]",
            expect![[r#"
                n -> b [condition="score < 80"]
                                  ^^^^^^^^^^^^ info: the conditions of this edge and of the edge to `a` can both hold (outcome=success, score=0); the order of target names decides. Set `priority` on one of them
                n -> a [condition="outcome=success"]
                                  ^^^^^^^^^^^^^^^^^ note: this edge takes precedence
                  fix: Add `priority=1` to keep this order
                    + n -> b [priority=1, condition="score < 80"]
            "#]],
        );
    }

    #[test]
    fn what_excludes_each_other_or_is_ordered() {
        for fine in [
            "n -> a [condition=\"outcome=success\"]\nn -> b [condition=\"outcome=fail\"]",
            "n -> a [condition=\"outcome=success\"]\nn -> b [condition=\"score < 80\", priority=1]",
            "n -> a [condition=\"outcome=success\", weight=5]\nn -> b [condition=\"score < 80\"]",
            "n -> a [condition=\"outcome=success\"]\nn -> a [condition=\"score < 80\"]",
            "n -> a [condition=on_fail]\nn -> b [condition=on_exhaust]\nn -> c [condition=always]",
            "n -> a [condition=\"tool.output contains 'x'\"]\nn -> b [condition=\"!tool.output contains 'x'\"]",
            "n -> a [condition=\"tool.output contains 'x'\"]\nn -> b [condition=\"tool.output contains 'y'\"]",
        ] {
            edges(fine, expect![[""]]);
        }
    }
}
