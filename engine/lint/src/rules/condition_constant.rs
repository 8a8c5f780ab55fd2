//! `condition_constant`: a condition decides something.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::node_conditions::Role;
use crate::outgoing_conditions::OutgoingConditions;
use crate::status_typos;
use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::condition::{Condition, Keyword, Literal};
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "condition_constant",
    level: Level::Warn,
    fixable: true,
    summary: "Condition that is always true or always false.",
    doc: "Such a condition has no effect: `outcome=success and outcome=fail` is always false, \
`outcome=success or outcome!=success` always true. A misspelled status (`outcome=succes`) never occurs and is \
reported as well. A plain `always` or `true` is accepted.",
    example: "test -> deploy [condition=\"outcome=success && outcome=fail\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    status_typos::report(&LINT, ctx, sink);
    let pipeline = ctx.pipeline;
    let mut shared: FxHashMap<usize, Vec<Verdict>> = FxHashMap::default();
    for ways in ctx.outgoing_conditions() {
        let verdicts = shared.entry(ways.shared.number);
        verdicts.or_insert_with(|| verdicts_of(ways));
    }
    if shared
        .values()
        .flatten()
        .any(|verdict| *verdict != Verdict::Decides)
    {
        on_edges(ctx, &shared, sink);
    }
    for asked in ctx
        .node_conditions()
        .iter()
        .filter(|asked| asked.is_readable())
    {
        let message = match (asked.can_be(true), asked.can_be(false)) {
            (false, _) => never(asked.role),
            (_, false) if !is_meant(&asked.condition) => always(asked.role),
            _ => None,
        };
        let Some((message, range)) = message.zip(asked.range(ctx.text)) else {
            continue;
        };
        let found = sink.diagnostic(&LINT, range, message);
        sink.push(asked.site.target.annotate(pipeline, found));
    }
}

/// What a condition does for the choice among edges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Decides,
    Never,
    Always,
}

/// The verdict on each condition of a node's edges, in routing order.
fn verdicts_of(ways: &OutgoingConditions<'_>) -> Vec<Verdict> {
    let of = |condition: &Condition| {
        let can = |holds| {
            let alone = [Literal { condition, holds }];
            !ways
                .satisfiable(&alone, &ways.shared.outcomes)
                .is_unsatisfiable()
        };
        if !can(true) {
            Verdict::Never
        } else if !is_meant(condition) && !can(false) {
            Verdict::Always
        } else {
            Verdict::Decides
        }
    };
    ways.conditional()
        .map(|(_, condition)| of(condition))
        .collect()
}

/// Reports the conditions of edges that decide nothing, each place in the file once.
fn on_edges(
    ctx: &LintContext<'_>,
    shared: &FxHashMap<usize, Vec<Verdict>>,
    sink: &mut DiagnosticSink<'_>,
) {
    let mut seen = FxHashSet::default();
    for ways in ctx.outgoing_conditions() {
        let verdicts = shared.get(&ways.shared.number).into_iter().flatten();
        for ((edge, _), verdict) in ways.conditional().zip(verdicts) {
            let Some(written) = edge.attributes.get("condition") else {
                continue;
            };
            let Some(range) = written.value_range().filter(|range| seen.insert(*range)) else {
                continue;
            };
            let message = match verdict {
                Verdict::Never => {
                    "condition is always false, so the edge is never taken; fix the condition or delete the edge"
                }
                Verdict::Always => {
                    "condition is always true; fix it, or remove it to make this the default edge"
                }
                Verdict::Decides => continue,
            };
            let mut diagnostic = sink
                .diagnostic(&LINT, range, message)
                .edge(&*ways.node.id, ctx.pipeline.id(edge.to));
            if *verdict == Verdict::Always
                && let Some(key) = written.key_range()
            {
                let edit = ctx.edits().delete_attribute(key, range);
                diagnostic = diagnostic.fix(fix("Remove the condition", edit));
            }
            sink.push(diagnostic);
        }
    }
}

/// What it means that a condition never holds; nothing where no run asks for it.
fn never(role: Role) -> Option<&'static str> {
    match role {
        Role::Goal => {
            Some("condition is always false at the end of a run, so the goal is never met")
        }
        Role::Done => Some("condition is always false, so the loop runs until `max_iterations`"),
        Role::Output => Some("condition is always false, so the check never passes"),
        Role::Gate => None,
    }
}

/// What it means that a condition always holds; nothing where no run asks for it.
fn always(role: Role) -> Option<&'static str> {
    match role {
        Role::Goal => {
            Some("condition is always true at the end of a run, so the goal is always met")
        }
        Role::Done => Some("condition is always true, so the loop ends after its first iteration"),
        Role::Output => Some("condition is always true, so the check only requires JSON"),
        Role::Gate => None,
    }
}

/// `always`, `true`: intentional constants.
fn is_meant(condition: &Condition) -> bool {
    condition
        .keywords()
        .any(|keyword| keyword == Keyword::Always)
        || condition.keys().next().is_none() && condition.keywords().next().is_none()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn what_ends_a_supervised_loop() {
        check(
            "condition_constant",
            r#"digraph {
    start -> s -> t -> exit
    s [shape=house, sub_pipeline=x, done_condition="outcome=success && outcome=fail"]
    t [shape=house, sub_pipeline=x, done_condition="score > 3"]
}"#,
            expect![[r#"
                s [shape=house, sub_pipeline=x, done_condition="outcome=success && outcome=fail"]
                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: condition is always false, so the loop runs until `max_iterations`
            "#]],
        );
    }

    #[test]
    fn goals_and_checks() {
        check(
            "condition_constant",
            r#"digraph {
    goal_conditions="exit_code == 0; outcome=fail ;on_fail; a or not a; b = \"x\" and b = y"
    start -> t -> exit
    t [command=x, verify="json: n < 1 and n > 2"]
}"#,
            expect![[r#"
                goal_conditions="exit_code == 0; outcome=fail ;on_fail; a or not a; b = \"x\" and b = y"
                                                 ^^^^^^^^^^^^ warning: condition is always false at the end of a run, so the goal is never met
                goal_conditions="exit_code == 0; outcome=fail ;on_fail; a or not a; b = \"x\" and b = y"
                                                               ^^^^^^^ warning: condition is always false at the end of a run, so the goal is never met
                goal_conditions="exit_code == 0; outcome=fail ;on_fail; a or not a; b = \"x\" and b = y"
                                                                        ^^^^^^^^^^ warning: condition is always true at the end of a run, so the goal is always met
                goal_conditions="exit_code == 0; outcome=fail ;on_fail; a or not a; b = \"x\" and b = y"
                                                                                    ^^^^^^^^^^^^^^^^^^^ warning: condition is always false at the end of a run, so the goal is never met
                t [command=x, verify="json: n < 1 and n > 2"]
                                            ^^^^^^^^^^^^^^^ warning: condition is always false, so the check never passes
            "#]],
        );
    }

    #[test]
    fn never_and_always() {
        check(
            "condition_constant",
            r#"digraph {
    start [shape=Mdiamond]
    start -> n
    n [prompt=x]
    n -> a [condition="outcome=success && outcome=fail"]
    n -> b [condition="outcome=success || outcome!=success", label=x]
    n -> c [condition="x < 3 and x > 5"]
    n -> d [condition="on_success or on_fail or on_retry"]
}"#,
            expect![[r#"
                n -> a [condition="outcome=success && outcome=fail"]
                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: condition is always false, so the edge is never taken; fix the condition or delete the edge
                n -> b [condition="outcome=success || outcome!=success", label=x]
                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: condition is always true; fix it, or remove it to make this the default edge
                  fix: Remove the condition
                    + n -> b [label=x]
                n -> c [condition="x < 3 and x > 5"]
                                  ^^^^^^^^^^^^^^^^^ warning: condition is always false, so the edge is never taken; fix the condition or delete the edge
                n -> d [condition="on_success or on_fail or on_retry"]
                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: condition is always true; fix it, or remove it to make this the default edge
                  fix: Remove the condition
                    + n -> d []
            "#]],
        );
    }

    #[test]
    fn what_decides_something() {
        for condition in [
            "always",
            "true",
            "outcome=success",
            "outcome=needs_dod",
            "x contains 'y'",
            "a == b",
            "on_success or on_fail",
            "exit_code == 0 or exit_code != 0 and retries < 3",
            "outcome=success or outcome=fail",
        ] {
            let text = format!(
                "digraph {{ goal=x; start [shape=Mdiamond]; start -> a [condition=\"{condition}\"] }}"
            );
            check("condition_constant", &text, expect![[""]]);
        }
    }
}
