//! `condition_coverage`: whatever comes out, an edge can be taken.

mod missing_edge_fix;

use missing_edge_fix::{continuing, suggested_edge};
use rustc_hash::FxHashMap;

use crate::outcomes::{fact, outcomes, retrying};
use crate::outgoing_conditions::{
    DefaultEdge, OutgoingConditions, has_visit_limit, named_outcomes,
};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::Status;
use attractor_lang::condition::{Literal, Sat};
use attractor_model::Level;
use attractor_model::analysis::OnFailure;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Attribute, Attributes};

pub(crate) const LINT: Lint = Lint {
    rule: "condition_coverage",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Outcome without an edge.",
    doc: "All edges of the node have conditions, and for one of its outcomes none of them can hold, so \
the run would stop there. Add an edge for that outcome, an edge without a condition, or a `retry_target`. Only \
certain cases are reported; conditions on keys that the node itself sets are not checked. A single edge for success is \
like one without a condition: a failure ends the run.",
    example: "build -> fix [condition=\"outcome=fail\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let caught = |attributes: &Attributes| {
        attributes.has("retry_target") || attributes.has("fallback_retry_target")
    };
    let graph_catches = caught(&pipeline.attributes);
    let mut shared: FxHashMap<usize, Edges> = FxHashMap::default();
    let open = |ways: &&OutgoingConditions<'_>| {
        let decides = ways.default != DefaultEdge::Always && !ways.node.terminal;
        decides && !ctx.has_value_typo(ways.ix)
    };
    for ways in ctx.outgoing_conditions().iter().filter(open) {
        let node = ways.node;
        let edges = shared.entry(ways.shared.number);
        let edges = edges.or_insert_with(|| Edges::of(ways));
        if !edges.speak_of_outcomes {
            continue;
        }
        for outcome in outcomes(pipeline, ways.ix) {
            let failed = outcome.is_failure();
            // Nodes with outcomes of their own (`outcome=yes`) do not end in plain success. Partial success is of the
            // engine's making: the retries are used up.
            if *outcome == Status::Success && edges.have_own_words {
                continue;
            }
            // A failure may end the run, once it has been sent round often enough, and may be caught. One that is only
            // noted does neither.
            let may_end = failed && OnFailure::of(node) != OnFailure::Continue;
            let is_caught = || graph_catches || caught(&node.attributes);
            if may_end && (ways.default == DefaultEdge::Limited || is_caught()) {
                continue;
            }
            // The one way on is for success: as with an edge without a condition, a failure ends the run.
            if may_end && pipeline.outgoing(ways.ix).len() == 1 {
                continue;
            }
            let Some(uncovered) = edges.uncovered_case(ways, outcome, may_end) else {
                continue;
            };
            let found = &uncovered.case;
            let limited = visit_limit_note(ways, may_end);
            let message = format!(
                "no edge of `{}` handles {found}{limited}; the run stops here. Add an edge for this case",
                node.id
            );
            let mut diagnostic = sink.diagnostic(&LINT, node.range, message).node(&*node.id);
            if let Some((target, condition)) =
                suggested_edge(pipeline, ways, outcome, may_end, uncovered.continuing)
            {
                let quote = attractor_dot::strings::quote;
                let target = pipeline.id(target);
                let edge = format!("{} -> {} [{condition}]", quote(&node.id), quote(target));
                let edit = ctx.edits().add_statement(&edge);
                let title = format!("Add an edge to `{target}` for outcome `{outcome}`");
                diagnostic = diagnostic.fix(fix(title, edit));
            }
            for (edge, _) in ways.conditional().take(3) {
                if let Some(range) = edge
                    .attributes
                    .get("condition")
                    .and_then(Attribute::value_range)
                {
                    diagnostic = diagnostic.related(range, "this edge does not cover the case");
                }
            }
            sink.push(diagnostic);
            break;
        }
    }
}

/// What is known of nodes with equal conditions.
struct Edges {
    /// They are about success and failure at all, and not only about words of their own.
    speak_of_outcomes: bool,
    /// They name outcomes of the pipeline's own.
    have_own_words: bool,
    /// What they leave open after each outcome that has been asked about, and whether that outcome may end the run.
    uncovered: Vec<((Status, bool), Option<UncoveredCase>)>,
}

impl Edges {
    fn of(ways: &OutgoingConditions<'_>) -> Self {
        let named = || {
            ways.conditional()
                .flat_map(|(_, condition)| named_outcomes(condition))
        };
        let is_own = |status: Status| matches!(status, Status::Custom(_));
        let decides = |(key, _): (&str, _)| {
            matches!(
                key.strip_prefix("context.").unwrap_or(key),
                "exit_code" | "approved"
            )
        };
        let mut conditions = ways.conditional();
        Self {
            speak_of_outcomes: named().any(|status| !is_own(status))
                || conditions.any(|(_, condition)| {
                    condition.keywords().next().is_some() || condition.keys().any(decides)
                }),
            have_own_words: named().any(is_own),
            uncovered: Vec::new(),
        }
    }

    /// What they leave open after an outcome.
    fn uncovered_case(
        &mut self,
        ways: &OutgoingConditions<'_>,
        outcome: &Status,
        may_end: bool,
    ) -> Option<&UncoveredCase> {
        let known = self
            .uncovered
            .iter()
            .position(|((known, known_end), _)| known == outcome && *known_end == may_end);
        let at = known.unwrap_or_else(|| {
            self.uncovered.push((
                (outcome.clone(), may_end),
                UncoveredCase::of(ways, outcome, may_end),
            ));
            self.uncovered.len() - 1
        });
        self.uncovered.get(at)?.1.as_ref()
    }
}

/// What no edge covers.
struct UncoveredCase {
    /// In words: an outcome no edge can follow, or an answer of a gate.
    case: String,
    /// The conditional edge that success takes, by its place among them.
    continuing: Option<usize>,
}

impl UncoveredCase {
    fn of(ways: &OutgoingConditions<'_>, outcome: &Status, may_end: bool) -> Option<Self> {
        Some(Self {
            case: uncovered_case(ways, outcome, may_end)?,
            continuing: continuing(ways),
        })
    }
}

fn uncovered_case(
    ways: &OutgoingConditions<'_>,
    outcome: &Status,
    may_end: bool,
) -> Option<String> {
    let given = Literal {
        condition: fact(ways.node.kind, outcome),
        holds: true,
    };
    // What an outcome leads to is decided when the retries are used up.
    let spent = Literal {
        condition: retrying(),
        holds: false,
    };
    let outcomes = std::slice::from_ref(outcome);
    // An edge with a visit limit covers only an outcome that may end the run when it is used up.
    let mut lasting = ways
        .conditional()
        .filter(|(edge, _)| may_end || !has_visit_limit(edge));
    let dead = lasting.all(|(_, condition)| {
        let holds = Literal {
            condition,
            holds: true,
        };
        ways.satisfiable(&[holds, given, spent], outcomes)
            .is_unsatisfiable()
    });
    if dead {
        return Some(format!("outcome `{outcome}`"));
    }
    if ways.node.kind != NodeKind::HumanGate {
        return None;
    }
    let none: Vec<Literal<'_>> = ways
        .conditional()
        .map(|(_, condition)| Literal {
            condition,
            holds: false,
        })
        .collect();
    match ways.satisfiable(&none, outcomes) {
        Sat::Satisfiable(case) if case.context.keys().eq(["approved"]) => case
            .context
            .get("approved")
            .map(|answer| format!("`approved={answer}`")),
        _ => None,
    }
}

/// What must be said when edges that do cover an outcome can be used up.
fn visit_limit_note(ways: &OutgoingConditions<'_>, may_end: bool) -> &'static str {
    let limited = ways.conditional().any(|(edge, _)| has_visit_limit(edge));
    if !may_end && (limited || ways.default == DefaultEdge::Limited) {
        " once the edges with `max_visits` are used up"
    } else {
        ""
    }
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
    t [command=x]
    g [shape=hexagon]
{edges}
}}"
        );
        check("condition_coverage", &text, expected);
    }

    #[test]
    fn an_edge_for_retries_does_not_cover_their_end() {
        edges(
            "n -> a [condition=\"outcome=success\"]\n    n -> n [condition=on_retry]",
            expect![[r#"
                n [prompt=x]
                ^ warning: no edge of `n` handles outcome `fail`; the run stops here. Add an edge for this case
                n -> a [condition="outcome=success"]
                                  ^^^^^^^^^^^^^^^^^ note: this edge does not cover the case
                n -> n [condition=on_retry]
                                  ^^^^^^^^ note: this edge does not cover the case
                  fix: Add an edge to `n` for outcome `fail`
                    + n -> n [condition="outcome=fail", max_visits=3]
            "#]],
        );
    }

    #[test]
    fn success_without_a_way_for_failure() {
        edges("n -> a [condition=\"outcome=success\"]", expect![""]);
        edges(
            "n -> a [condition=\"outcome=fail and tries < 3\"]",
            expect![[r#"
                n [prompt=x]
                ^ warning: no edge of `n` handles outcome `success`; the run stops here. Add an edge for this case
                n -> a [condition="outcome=fail and tries < 3"]
                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ note: this edge does not cover the case
            "#]],
        );
        edges("n -> t; t -> a [condition=\"exit_code == 0\"]", expect![""]);
        edges(
            "n -> g; g -> a [condition=\"approved == true\"]",
            expect![[r#"
                g [shape=hexagon]
                ^ warning: no edge of `g` handles `approved=false`; the run stops here. Add an edge for this case
                n -> g; g -> a [condition="approved == true"]
                                          ^^^^^^^^^^^^^^^^^^ note: this edge does not cover the case
            "#]],
        );
        edges("n -> a [condition=on_success]", expect![""]);
    }

    #[test]
    fn a_failure_that_is_taken_as_partial_success() {
        edges(
            "n -> p; p [prompt=x, allow_partial=true, max_retries=2]\np -> a [condition=\"outcome=success\"]\np -> b [condition=\"outcome=fail\"]",
            expect![[r#"
                n -> p; p [prompt=x, allow_partial=true, max_retries=2]
                        ^ warning: no edge of `p` handles outcome `partial_success`; the run stops here. Add an edge for this case
                p -> a [condition="outcome=success"]
                                  ^^^^^^^^^^^^^^^^^ note: this edge does not cover the case
                p -> b [condition="outcome=fail"]
                                  ^^^^^^^^^^^^^^ note: this edge does not cover the case
                  fix: Add an edge to `a` for outcome `partial_success`
                    + p -> a [condition="outcome=partial_success"]
            "#]],
        );
    }

    #[test]
    fn partial_success_next_to_outcomes_of_the_pipeline() {
        edges(
            r#"
                n -> p
                p [prompt=x, allow_partial=true, max_retries=1]
                p -> a [condition="outcome=yes"]
                p -> b [condition="outcome=fail"]
            "#,
            expect![[r#"
                p [prompt=x, allow_partial=true, max_retries=1]
                ^ warning: no edge of `p` handles outcome `partial_success`; the run stops here. Add an edge for this case
                p -> a [condition="outcome=yes"]
                                  ^^^^^^^^^^^^^ note: this edge does not cover the case
                p -> b [condition="outcome=fail"]
                                  ^^^^^^^^^^^^^^ note: this edge does not cover the case
            "#]],
        );
    }

    #[test]
    fn an_edge_with_a_visit_limit_covers_for_a_while() {
        edges(
            "n -> a [condition=\"outcome=fail\"]\nn -> n [condition=\"outcome!=fail\", max_visits=2]",
            expect![[r#"
                n [prompt=x]
                ^ warning: no edge of `n` handles outcome `success` once the edges with `max_visits` are used up; the run stops here. Add an edge for this case
                n -> a [condition="outcome=fail"]
                                  ^^^^^^^^^^^^^^ note: this edge does not cover the case
                n -> n [condition="outcome!=fail", max_visits=2]
                                  ^^^^^^^^^^^^^^^ note: this edge does not cover the case
            "#]],
        );
        edges(
            "n [on_failure=continue]\nn -> a [condition=\"outcome=success\"]\nn -> n [condition=\"outcome!=success\", max_visits=2]",
            expect![[r#"
                n [prompt=x]
                ^ warning: no edge of `n` handles outcome `fail` once the edges with `max_visits` are used up; the run stops here. Add an edge for this case
                n -> a [condition="outcome=success"]
                                  ^^^^^^^^^^^^^^^^^ note: this edge does not cover the case
                n -> n [condition="outcome!=success", max_visits=2]
                                  ^^^^^^^^^^^^^^^^^^ note: this edge does not cover the case
                  fix: Add an edge to `a` for outcome `fail`
                    + n -> a [condition="outcome=fail"]
            "#]],
        );
        // So many rounds to fix it, then the run fails: that is meant.
        for meant in [
            "n -> a [condition=\"outcome=success\"]\nn -> n [condition=\"outcome!=success\", max_visits=2]",
            "n -> a [condition=\"outcome=success\"]\nn -> n [label=Fix, max_visits=2]",
        ] {
            edges(meant, expect![[""]]);
        }
    }

    #[test]
    fn what_is_covered_or_cannot_be_known_is_left_alone() {
        for covered in [
            "n -> a [condition=\"outcome=success\"]\nn -> b",
            "n -> a [condition=\"outcome=success\"]\nn -> b [condition=\"outcome!=success\"]",
            "n -> a [condition=\"outcome=succeeded\"]\nn -> b [condition=\"outcome=failed\"]",
            "n -> a [condition=on_success]\nn -> b [condition=on_fail]",
            "n -> a [condition=on_success]\nn -> b [condition=on_exhaust]",
            "n -> a [condition=\"outcome=has_dod\"]\nn -> b [condition=\"outcome=needs_dod\"]",
            "n -> a [condition=\"outcome=yes\"]\nn -> b [condition=\"outcome=fail\"]",
            "n -> a [condition=\"preferred_label=Fix\"]\nn -> b [condition=\"preferred_label=Done\"]",
            "n -> a [condition=\"outcome=success\"]\nn -> b [condition=\"outcome=fail && context.failure_class=transient_infra\"]",
            "n -> a [condition=\"outcome=success\"]\nretry_target=n",
            "n -> t; t -> a [condition=\"exit_code == 0\"]\nt -> b [condition=\"exit_code != 0\"]",
            "n -> t; t -> a [condition=\"exit_code == 0\"]\nt -> b [condition=\"exit_code > 0\"]",
            "n -> g; g -> a [condition=\"approved\"]\ng -> b [condition=\"not approved\"]",
            "n -> g; g -> a [condition=\"approved=true\"]\ng -> b [condition=\"approved=false\"]",
        ] {
            edges(covered, expect![[""]]);
        }
    }
}
