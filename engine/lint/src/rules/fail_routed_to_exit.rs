//! `fail_routed_to_exit`: a failure that ends as a success.

use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_lang::Status;
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Edge, Node};

pub(crate) const LINT: Lint = Lint {
    rule: "fail_routed_to_exit",
    level: Level::Warn,
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
    let ends = ctx.nodes_of([NodeKind::Exit]);
    let ends = ends.filter(|(_, end)| !is_failing_end(end));
    let ways = ends.flat_map(|(ix, to)| pipeline.incoming(ix).iter().map(move |way| (*way, to)));
    for (way, to) in ways {
        let Some(edge) = pipeline.edge(way).filter(|edge| takes_failure(edge)) else {
            continue;
        };
        let Some(from) = pipeline.node(edge.from) else {
            continue;
        };
        // Where success leads to the same end, the author does not care which it was.
        let cared = pipeline
            .outgoing(edge.from)
            .iter()
            .filter_map(|ix| pipeline.edge(*ix))
            .any(|other| other.to == edge.to && !takes_failure(other));
        if cared {
            continue;
        }
        let message = format!(
            "failure of `{}` is lost: the edge leads to `{}`, where the run ends with success",
            from.id, to.id
        );
        sink.push(
            sink.diagnostic(&LINT, edge.range(), message)
                .edge(&*from.id, &*to.id),
        );
    }
}

/// Whether the condition says failure and nothing else.
fn takes_failure(edge: &Edge) -> bool {
    let Some(text) = edge.condition_text() else {
        return false;
    };
    let text = text.trim().trim_start_matches("context.");
    if text.eq_ignore_ascii_case("on_fail") || text.eq_ignore_ascii_case("on_exhaust") {
        return true;
    }
    let Some((key, value)) = text.split_once('=') else {
        return false;
    };
    let value = value
        .trim_start_matches('=')
        .trim()
        .trim_matches(['"', '\'']);
    matches!(key.trim(), "outcome" | "status") && Status::known(value) == Some(Status::Fail)
}

/// An end that says by its name that things went wrong.
fn is_failing_end(node: &Node) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        [
            "fail", "abort", "error", "reject", "escalat", "cancel", "gave up", "stop",
        ]
        .iter()
        .any(|word| text.contains(word))
    };
    says(&node.id) || says(node.label())
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
}
