//! `ignored_branch_failure`: a check in a branch that may fail without any consequence.

use crate::branches::Branches;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::analysis::stops_on_failure;
use attractor_model::catalogue::{NodeKind, NodeWork};
use attractor_model::{Attribute, Level, Node, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "ignored_branch_failure",
    level: Level::Hint,
    extent: Extent::Graph,
    fixable: false,
    summary: "Failure of a parallel branch without consequence.",
    doc: "By default a parallel node waits for all branches, and the run continues when some have failed. Here a branch \
runs a command or checks its result, no model and no person sees the results afterwards, and nothing reads them: \
the run succeeds although the check has failed. Set `join_policy=all_success`, or read `parallel.fail_count` in a \
condition. `error_policy=ignore` says that it is intended.",
    example: "fan [shape=component]\nfan -> {lint test} -> join -> deploy",
    check: Check::Pipeline(check),
};

/// What says how many branches must succeed.
const POLICIES: [&str; 4] = ["join_policy", "join_k", "join_quorum", "error_policy"];

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (split, fork) in ctx.nodes_of([NodeKind::Parallel]) {
        if POLICIES.iter().any(|name| fork.attributes.has(name)) {
            continue;
        }
        let branches = Branches::of(ctx, split);
        let nodes = ctx.pipeline.indexed_nodes();
        let mut checks = nodes.filter(|(ix, node)| {
            let is_inside = branches.only(*ix).is_some();
            is_inside && is_check(node) && stops_on_failure(ctx.pipeline, *ix)
        });
        let Some((_, failing)) = checks.next() else {
            continue;
        };
        if is_looked_at(ctx, split, &branches) {
            continue;
        }
        let message = format!(
            "the run continues after `{}` when `{}` fails, and nothing reads that; set `join_policy=all_success` or \
             read `parallel.fail_count` in a condition",
            fork.id, failing.id
        );
        let found = sink.diagnostic(&LINT, fork.range, message);
        sink.push(found.node(&*fork.id));
    }
}

/// Whether a node is there to fail: a goal is looked at when the run ends.
fn is_check(node: &Node) -> bool {
    let attributes = &node.attributes;
    let checks = node.kind == NodeKind::Tool
        || ["verify", "must_write"]
            .iter()
            .any(|name| attributes.has(name));
    checks && attributes.bool("goal_gate") != Some(true)
}

/// Whether a model, a person, a condition or a template may see the results of the branches.
fn is_looked_at(ctx: &LintContext<'_>, split: NodeIx, branches: &Branches) -> bool {
    let pipeline = ctx.pipeline;
    // Where the branches have met, and what follows; without that, the run ends with the branches.
    let is_behind = |ix: NodeIx| branches.have_met(ix);
    let mut behind = pipeline.indexed_nodes().filter(|(ix, _)| is_behind(*ix));
    let sees = |(ix, node): (NodeIx, &Node)| {
        let kind = node.kind;
        let asks = kind == NodeKind::FanIn && node.attributes.has("prompt");
        let looks = match kind.work() {
            NodeWork::Model | NodeWork::Question | NodeWork::SubPipeline | NodeWork::Escalation => {
                true
            }
            _ => kind == NodeKind::Custom,
        };
        ix != split && (asks || looks)
    };
    let mut edges = pipeline.indexed_edges();
    behind.any(sees)
        || edges
            .any(|(_, edge)| edge.is_conditional() && (edge.from == split || is_behind(edge.from)))
        || reads_results(ctx, split)
}

/// Whether a text names the results: `parallel.fail_count`, or a key of a branch.
fn reads_results(ctx: &LintContext<'_>, split: NodeIx) -> bool {
    let heads = ctx.pipeline.successors(split);
    let mut keys: Vec<String> = heads
        .map(|head| format!("{}.", ctx.pipeline.id(head)))
        .collect();
    keys.push("parallel.".to_owned());
    let is_text = |attribute: &Attribute<'_>| !matches!(attribute.name(), "type" | "handler");
    let mut nodes = ctx.pipeline.indexed_nodes();
    nodes.any(|(_, node)| {
        let mut texts = node.attributes.iter().filter(is_text);
        texts.any(|text| keys.iter().any(|key| text.value().contains(key.as_str())))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    /// Two branches with commands, and what follows.
    fn fan(attributes: &str, rest: &str) -> String {
        format!(
            "digraph {{
    start -> fan -> {{lint test}} -> join -> ship
    fan [shape=component{attributes}]
    lint [shape=parallelogram, command=\"make lint\"]
    test [shape=parallelogram, command=\"make test\"]
    join [shape=tripleoctagon]
    done [shape=Msquare]
    ship [shape=parallelogram, command=\"make ship\"]
    {rest}
}}"
        )
    }

    #[test]
    fn nobody_looks_at_a_check() {
        check(
            "ignored_branch_failure",
            &fan("", "ship -> done"),
            expect![[r#"
                fan [shape=component]
                ^^^ hint: the run continues after `fan` when `lint` fails, and nothing reads that; set `join_policy=all_success` or read `parallel.fail_count` in a condition
            "#]],
        );
    }

    #[test]
    fn somebody_looks() {
        for (attributes, rest) in [
            (", join_policy=all_success", "ship -> done"),
            (", error_policy=ignore", "ship -> done"),
            ("", "join -> done [condition=\"parallel.fail_count>0\"]"),
            ("", "ship -> report -> done; report [prompt=\"Report.\"]"),
            ("", "ship -> ok -> done; ok [shape=hexagon]"),
            (
                "",
                "ship -> say; say [shape=parallelogram, command=\"echo {test.exit_code}\"]",
            ),
            ("", "lint [goal_gate=true]; test [goal_gate=true]"),
            ("", "lint [on_failure=continue]; test [on_failure=continue]"),
        ] {
            check(
                "ignored_branch_failure",
                &fan(attributes, rest),
                expect![[""]],
            );
        }
    }
}
