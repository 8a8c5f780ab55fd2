//! `fail_routed_to_exit`: a failure that ends as a success.

use crate::failing_ends::is_failing_end;
use crate::outcomes::fact;
use crate::outgoing_conditions::OutgoingConditions;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_lang::Status;
use attractor_lang::condition::{Condition, Literal};
use attractor_model::Level;
use attractor_model::NodeIx;

use attractor_model::catalogue::NodeKind;
use rustc_hash::FxHashSet;

pub(crate) const LINT: Lint = Lint {
    rule: "fail_routed_to_exit",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: false,
    summary: "Failure routed to a successful end.",
    doc: "The run takes this edge after a failure and then ends with success, so the failure does not \
show in the result. Route to a node that handles the failure or to an `escalate` node, or delete the edge: without \
it the run fails.",
    example: "test -> done [condition=\"outcome=fail\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    for ways in ctx.outgoing_conditions() {
        if !ways.node.kind.can_fail() {
            continue;
        }
        for (edge, condition) in ways.conditional() {
            let Some(to) = pipeline.node(edge.to) else {
                continue;
            };
            if to.kind != NodeKind::Exit || is_failing_end(to) || !is_failure(ways, condition) {
                continue;
            }
            let message = format!(
                "failure of `{}` is lost: the edge leads to `{}`, where the run ends with success",
                ways.node.id, to.id
            );
            sink.push(
                sink.diagnostic(&LINT, edge.range(), message)
                    .edge(&*ways.node.id, &*to.id),
            );
        }
    }
}

/// Those of the nodes to which an edge leads after a failure and not after a success. As ends, they would lose the
/// failure.
pub(super) fn for_failure(
    ctx: &LintContext<'_>,
    is_asked: impl Fn(NodeIx) -> bool,
) -> FxHashSet<NodeIx> {
    let ways = ctx.outgoing_conditions().iter();
    let ways = ways.filter(|ways| ways.node.kind.can_fail());
    ways.flat_map(|ways| ways.conditional().map(move |edge| (ways, edge)))
        .filter(|(ways, (edge, condition))| is_asked(edge.to) && is_failure(ways, condition))
        .map(|(_, (edge, _))| edge.to)
        .collect()
}

/// Whether the condition can hold after a failure and not after a success.
fn is_failure(ways: &OutgoingConditions<'_>, condition: &Condition) -> bool {
    let can = |outcome| {
        let holds = [condition, fact(ways.node.kind, &outcome)].map(|condition| Literal {
            condition,
            holds: true,
        });
        !ways.satisfiable(&holds, &[outcome]).is_unsatisfiable()
    };
    can(Status::Fail) && !can(Status::Success)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn lost() {
        check(
            "fail_routed_to_exit",
            r#"digraph {
    done [shape=Msquare]
    failed [shape=Msquare]
    start -> test
    test [shape=parallelogram, command=make]
    test -> deploy [condition="outcome=success"]
    test -> done [condition="outcome=fail"]
    deploy -> failed [condition="on_fail"]
    deploy -> done
}"#,
            expect![[r#"
                test -> done [condition="outcome=fail"]
                ^^^^^^^^^^^^ warning: failure of `test` is lost: the edge leads to `done`, where the run ends with success
            "#]],
        );
    }

    #[test]
    fn with_the_same_end_for_success() {
        check(
            "fail_routed_to_exit",
            r#"digraph {
    done [shape=Msquare]
    start -> test -> check
    test [shape=parallelogram, command=make]
    test -> done [condition="outcome=success"]
    test -> done [condition="outcome!=success"]
    check -> done [condition="outcome=fail or outcome=success"]
    check -> test [condition="exit_code != 0"]
    test -> done [condition="exit_code != 0"]
    check -> done
}"#,
            expect![[r#"
                test -> done [condition="outcome!=success"]
                ^^^^^^^^^^^^ warning: failure of `test` is lost: the edge leads to `done`, where the run ends with success
                test -> done [condition="exit_code != 0"]
                ^^^^^^^^^^^^ warning: failure of `test` is lost: the edge leads to `done`, where the run ends with success
            "#]],
        );
    }
}
