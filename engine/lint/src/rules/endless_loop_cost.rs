//! `endless_loop_cost`: loops that only a model's own verdict ends.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::Status;
use attractor_lang::condition::{Facts, evaluate};
use attractor_model::Level;
use attractor_model::Severity;
use attractor_model::analysis::Loop;
use attractor_model::catalogue::{NodeKind, NodeWork};
use attractor_model::{Edge, Pipeline};

pub(crate) const LINT: Lint = Lint {
    rule: "endless_loop_cost",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Model loop that only the model ends.",
    doc: "Every iteration of the loop calls a model, and every exit depends on the model's answer; \
nothing that can be checked (a command's exit code, a person, a counter, a budget) ends it. If the model never \
accepts, the loop costs until the step limit, which is a warning. A loop that is left as soon as a stage succeeds \
only repeats while a model reports failures, which is an information. Add `max_visits` to a node of the loop, or \
`max_cost`, `max_node_visits` or `max_pipeline_duration` to the graph.",
    example: "write -> review\nreview -> write [label=\"again\"]\nreview -> done [label=\"good\"]",
    check: Check::Pipeline(check),
};

/// Limits of the graph that end any loop.
const LIMITS: &[&str] = &[
    "max_node_visits",
    "max_steps",
    "max_cost",
    "max_tokens_total",
    "max_pipeline_duration",
    "max_restarts",
    "max_repeated_failures",
    "loop_restart_signature_limit",
];

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    if !ctx.node_name_typos().is_empty() {
        return;
    }
    let retries = pipeline.attributes.int("default_max_retries").unwrap_or(0);
    if retries > 0 || LIMITS.iter().any(|limit| pipeline.attributes.has(limit)) {
        return;
    }
    for found in ctx.loops().all() {
        if found.counted
            || found.leaving.is_empty()
            || !costs(pipeline, found)
            || is_limited(pipeline, found)
        {
            continue;
        }
        let leaving = found.leaving.iter().filter_map(|ix| pipeline.edge(*ix));
        if !leaving.clone().all(|edge| by_verdict(pipeline, edge)) {
            continue;
        }
        let Some(edge) = leaving.clone().next() else {
            continue;
        };
        let ends: Vec<_> = found
            .nodes
            .iter()
            .take(4)
            .map(|ix| format!("`{}`", pipeline.id(*ix)))
            .collect();
        let ends = ends.join(", ");
        let (message, usual) = if leaving.clone().any(needs_no_word) {
            (
                format!(
                    "model loop {ends} repeats as long as the model reports a failure; set `max_visits` or `max_cost` to bound its cost"
                ),
                Severity::Info,
            )
        } else {
            (
                format!(
                    "unbounded model loop {ends}: only the model's answer ends it; set `max_visits` or `max_cost`"
                ),
                Severity::Warning,
            )
        };
        let mut diagnostic = sink
            .diagnostic(&LINT, edge.range(), message)
            .edge(pipeline.id(edge.from), pipeline.id(edge.to));
        diagnostic.severity = sink.severity_or(&LINT, usual);
        if let Some(node) = pipeline.node(edge.from).filter(|node| node.declared) {
            let edit = ctx
                .edits()
                .add_attribute(node.statement, "max_visits", "10");
            diagnostic = diagnostic.fix(fix(format!("Set `max_visits=10` on `{}`", node.id), edit));
        }
        sink.push(diagnostic);
    }
}

fn costs(pipeline: &Pipeline, found: Loop<'_>) -> bool {
    found
        .nodes
        .iter()
        .filter_map(|ix| pipeline.node(*ix))
        .any(|node| node.kind.calls_model())
}

/// Something in the loop can be checked: a command, a person, a counter, a retry limit.
fn is_limited(pipeline: &Pipeline, found: Loop<'_>) -> bool {
    let node_limits = found
        .nodes
        .iter()
        .filter_map(|ix| pipeline.node(*ix))
        .any(|node| {
            let limits = match node.kind.work() {
                NodeWork::Commands | NodeWork::Question | NodeWork::SubPipeline => true,
                _ => node.kind == NodeKind::Loop,
            };
            limits
                || ["max_visits", "max_retries", "max_cost", "verify"]
                    .iter()
                    .any(|name| node.attributes.has(name))
        });
    node_limits
        || found
            .inside
            .iter()
            .filter_map(|ix| pipeline.edge(*ix))
            .any(|edge| edge.attributes.has("max_visits") || edge.loop_restart || counts(edge))
}

/// Whether a stage that is done and says nothing more takes this edge: the loop continues only after a failure.
fn needs_no_word(edge: &Edge) -> bool {
    edge.condition.as_ref().is_some_and(|condition| {
        let facts = Facts {
            context: &(),
            status: Status::Success,
            retries_left: false,
            labels: &[],
        };
        evaluate(condition, &facts).value
    })
}

/// A condition over anything but a verdict: a counter, an exit code.
fn counts(edge: &Edge) -> bool {
    edge.condition_text().is_some_and(|text| {
        !text.split(['&', '|']).all(|clause| {
            let clause = clause.trim().trim_start_matches("context.");
            clause.is_empty()
                || [
                    "outcome",
                    "preferred_label",
                    "on_fail",
                    "on_success",
                    "always",
                    "!",
                ]
                .iter()
                .any(|word| clause.starts_with(word))
        })
    })
}

/// Whether a model alone decides that this edge is taken.
fn by_verdict(pipeline: &Pipeline, edge: &Edge) -> bool {
    let chosen = edge.is_conditional() || edge.label().is_some();
    let decides = pipeline
        .node(edge.from)
        .is_some_and(|node| node.kind.calls_model() || node.kind == NodeKind::Conditional);
    chosen && decides && !counts(edge)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use attractor_model::Severity;
    use expect_test::expect;

    #[test]
    fn only_the_model_ends_it() {
        check(
            "endless_loop_cost",
            r#"digraph {
    start -> write -> review
    review [prompt=x]
    review -> write [condition="outcome=fail"]
    review -> done [condition="outcome=success"]
}"#,
            expect![[r#"
                review -> done [condition="outcome=success"]
                ^^^^^^^^^^^^^^ info: model loop `write`, `review` repeats as long as the model reports a failure; set `max_visits` or `max_cost` to bound its cost
                  fix: Set `max_visits=10` on `review`
                    + review [max_visits=10, prompt=x]
            "#]],
        );
    }

    #[test]
    fn a_word_must_be_said() {
        for ways in [
            "review -> write [label=again]\n    review -> done [label=good]",
            "review -> write\n    review -> done [condition=\"outcome=approved\"]",
            "review -> write\n    review -> done [condition=\"preferred_label=Ship\"]",
        ] {
            let text = format!(
                "digraph {{
    start -> write -> review
    review [prompt=x]
    {ways}
}}"
            );
            let found = crate::Analysis::of_text(&text).diagnostics;
            let severities: Vec<_> = found
                .iter()
                .filter(|found| found.rule == "endless_loop_cost")
                .map(|found| found.severity)
                .collect();
            assert_eq!(severities, [Severity::Warning], "{ways}");
        }
    }

    #[test]
    fn tests_end_it() {
        check(
            "endless_loop_cost",
            r#"digraph {
    start -> write -> test
    test [shape=parallelogram, command="make test"]
    test -> write [condition="outcome=fail"]
    test -> done [condition="outcome=success"]
}"#,
            expect![[""]],
        );
    }
}
