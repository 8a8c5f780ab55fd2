//! `timeout_order`: limits that leave each other time.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_lang::duration;
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::Node;
use attractor_model::catalogue::NodeKind;

pub(crate) const LINT: Lint = Lint {
    rule: "timeout_order",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: false,
    summary: "Timeout longer than a limit of the run.",
    doc: "A run is stopped when it takes longer than `max_pipeline_duration`, or when there is no \
activity for `stall_timeout`. A node's longer `timeout` has no effect, and a longer wait never completes. \
`stall_timeout` only counts time without output, so it is compared only with waits and with commands that redirect \
their output to `/dev/null`.",
    example: "graph [max_pipeline_duration=\"10m\"]\nbuild [timeout=\"30m\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    for name in ["stall_timeout", "max_pipeline_duration"] {
        let Some(limit) = pipeline
            .attributes
            .duration(name)
            .filter(|limit| !limit.is_zero())
        else {
            continue;
        };
        let place = pipeline.attributes.get(name).and_then(Attribute::range);
        for (_, node) in ctx.nodes_with_any(["timeout", "duration"]) {
            // A stall is silence; only a step that says nothing lasts longer than one without ending it.
            if name == "stall_timeout" && !is_silent(node) {
                continue;
            }
            let takes = match node.kind {
                NodeKind::Wait => "duration",
                _ => "timeout",
            };
            let own = node.attributes.get(takes);
            let Some(timeout) = own.filter(|own| own.is_own()) else {
                continue;
            };
            let Some(own) = duration::parse(timeout.value()).filter(|own| *own > limit) else {
                continue;
            };
            let may = if takes == "timeout" {
                "may take"
            } else {
                "takes"
            };
            let message = format!(
                "`{}` {may} {}, but the run is stopped after {} (`{name}`)",
                node.id,
                duration::format(own),
                duration::format(limit)
            );
            let range = timeout.range().unwrap_or(node.range);
            let mut diagnostic = sink.diagnostic(&LINT, range, message).node(&*node.id);
            if let Some(place) = place {
                diagnostic = diagnostic.related(place, "limit of the run");
            }
            sink.push(diagnostic);
        }
    }
}

/// Whether a node is declared to give no sign of life while it runs.
fn is_silent(node: &Node) -> bool {
    match node.kind {
        NodeKind::Wait => true,
        NodeKind::Tool => node.attributes.text("command").is_some_and(|command| {
            let command: String = command.split_whitespace().collect();
            command.ends_with(">/dev/null2>&1") || command.ends_with("&>/dev/null")
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn stalls_before_it_times_out() {
        check(
            "timeout_order",
            r#"digraph {
    graph [stall_timeout=10m]
    start -> a -> b
    a [shape=parallelogram, command="make > /dev/null 2>&1", timeout=30m]
    b [prompt=x, timeout=20m]
    b -> c
    c [shape=insulator, duration=1h]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="make > /dev/null 2>&1", timeout=30m]
                                                                         ^^^^^^^^^^^ warning: `a` may take 30m, but the run is stopped after 10m (`stall_timeout`)
                graph [stall_timeout=10m]
                       ^^^^^^^^^^^^^^^^^ note: limit of the run
                c [shape=insulator, duration=1h]
                                    ^^^^^^^^^^^ warning: `c` takes 1h, but the run is stopped after 10m (`stall_timeout`)
                graph [stall_timeout=10m]
                       ^^^^^^^^^^^^^^^^^ note: limit of the run
            "#]],
        );
    }
}
