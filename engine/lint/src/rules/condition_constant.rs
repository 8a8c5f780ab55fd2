//! `condition_constant`: a condition decides something.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::node_conditions::Role;
use crate::outgoing_conditions::OutgoingConditions;
use crate::spelling::spelling;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::Edit;
use attractor_dot::graph_edits::fix;
use attractor_lang::condition::{Condition, Keyword, Literal};
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "condition_constant",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Condition that is always true or always false.",
    doc: "Such a condition has no effect: `outcome=success and outcome=fail` is always false, \
`outcome=success or outcome!=success` always true. A value that the key never has is reported as well: a misspelled \
status (`outcome=succes`), label (`preferred_label=aprove`) or word that a command prints, and a word where a number is \
(`exit_code=one`). A plain `always` or `true` is accepted.",
    example: "test -> deploy [condition=\"outcome=success && outcome=fail\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    values(ctx, sink);
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

/// Values that the key never has.
fn values(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for typo in ctx.value_typos() {
        let mut found = sink.diagnostic(&LINT, typo.range, typo.message());
        if let Some(meant) = &typo.meant {
            let better = typo.range.text(ctx.text).replace(&typo.word, meant);
            found = found.fix(spelling(
                &typo.word,
                meant,
                Edit::replace(typo.range, better),
            ));
        }
        sink.push(typo.site.target.annotate(ctx.pipeline, found));
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
        if ctx.has_value_typo(ways.ix) {
            continue;
        }
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

    #[test]
    fn values_that_a_key_never_has() {
        check(
            "condition_constant",
            r#"digraph {
    start [shape=Mdiamond]
    start -> t -> g -> n
    t [shape=parallelogram, command="make && echo pass || echo fail"]
    t -> a [condition="context.tool.last_line=passs"]
    t -> b [condition="tool.last_line=\"FAIL\""]
    t -> c [condition="exit_code=one"]
    t -> d [condition="failure_class=time_out"]
    g [shape=hexagon]
    g -> a [condition="preferred_label=aprove"]
    g -> b [label="[A] Approve"]
    g -> c [condition="approved=yes"]
    n [prompt="Say outcome=needs_work or outcome=fixed"]
    n -> a [condition="outcome=needs_wrok"]
    n -> b [condition="outcome=usccess"]
    n -> c [condition="outcome=fixed"]
    n -> d [condition="outcome=faol"]
}"#,
            expect![[r#"
                t -> a [condition="context.tool.last_line=passs"]
                                                          ^^^^^ warning: no command prints `passs`; did you mean `pass`?
                  fix: Replace with `pass`
                    + t -> a [condition="context.tool.last_line=pass"]
                t -> b [condition="tool.last_line=\"FAIL\""]
                                                  ^^^^^^^^ warning: no command prints `FAIL`; did you mean `fail`?
                  fix: Replace with `fail`
                    + t -> b [condition="tool.last_line=\"fail\""]
                t -> c [condition="exit_code=one"]
                                             ^^^ warning: `exit_code` is an integer and never `one`
                t -> d [condition="failure_class=time_out"]
                                                 ^^^^^^^^ warning: unknown failure class `time_out`; did you mean `timeout`?
                  fix: Replace with `timeout`
                    + t -> d [condition="failure_class=timeout"]
                g -> a [condition="preferred_label=aprove"]
                                                   ^^^^^^ warning: unknown label `aprove`; did you mean `[A] Approve`?
                  fix: Replace with `[A] Approve`
                    + g -> a [condition="preferred_label=[A] Approve"]
                g -> c [condition="approved=yes"]
                                            ^^^ warning: `approved` is a boolean and never `yes`; did you mean `true`?
                  fix: Replace with `true`
                    + g -> c [condition="approved=true"]
                n -> a [condition="outcome=needs_wrok"]
                                           ^^^^^^^^^^ warning: unknown status `needs_wrok`; did you mean `needs_work`?
                  fix: Replace with `needs_work`
                    + n -> a [condition="outcome=needs_work"]
                n -> b [condition="outcome=usccess"]
                                           ^^^^^^^ warning: unknown status `usccess`; did you mean `success`?
                  fix: Replace with `success`
                    + n -> b [condition="outcome=success"]
                n -> d [condition="outcome=faol"]
                                           ^^^^ warning: unknown status `faol`; did you mean `fail`?
                  fix: Replace with `fail`
                    + n -> d [condition="outcome=fail"]
            "#]],
        );
    }

    #[test]
    fn values_that_a_key_may_have() {
        for condition in [
            "outcome=fixed",
            "outcome=fair",
            "tool.last_line=pass",
            "tool.last_line=partly",
            "preferred_label=approve",
            "exit_code=2",
            "exit_code={{ limit }}",
            "approved=TRUE",
            "verdict=passs",
        ] {
            let text = format!(
                "digraph {{ goal=x; start [shape=Mdiamond]; start -> g; g [shape=hexagon]; g -> t [label=\"[A] Approve\"]; t [command=\"echo pass\"]; t -> a [condition=\"{condition}\"] }}"
            );
            check("condition_constant", &text, expect![[""]]);
        }
    }

    #[test]
    fn a_typo_is_one_message() {
        for typo in [
            "t -> a [condition=\"outcome=sucecss\"]; t -> b [condition=\"outcome=fail\", max_visits=10]",
            "t -> a [condition=\"outcome=success\"]; t -> b [condition=\"outcome=faol\"]",
            "t -> a [condition=\"outcome=succes\"]; t -> b",
        ] {
            let text = format!(
                "digraph {{ goal=x; start [shape=Mdiamond]; start -> t; t [command=make]; a [prompt=a]; b [prompt=b]; b -> t; {typo} }}"
            );
            let found = crate::Analysis::of_text(&text).diagnostics;
            let found: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
            assert_eq!(found.len(), 1, "{typo}: {found:?}");
            assert!(found[0].starts_with("unknown status"), "{found:?}");
        }
    }
}
