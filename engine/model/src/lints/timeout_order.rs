//! `timeout_order`: limits that leave each other time.

use super::{Check, Findings, Lint, Subject};
use crate::attributes::Attribute;
use crate::catalogue::NodeKind;
use crate::lang::duration;
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "timeout_order",
    level: Level::Warn,
    fixable: false,
    summary: "A limit of the run below a node's own timeout.",
    doc: "A run is stopped when nothing happens for `stall_timeout` or when it takes longer than \
`max_pipeline_duration`. A node whose own `timeout` is longer never gets to use it, and a wait that is longer never ends.",
    example: "graph [stall_timeout=\"10m\"]\nbuild [timeout=\"30m\"]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let pipeline = subject.pipeline;
    for name in ["stall_timeout", "max_pipeline_duration"] {
        let Some(limit) = pipeline
            .attributes
            .duration(name)
            .filter(|limit| !limit.is_zero())
        else {
            continue;
        };
        let place = pipeline.attributes.get(name).and_then(Attribute::range);
        for (_, node) in subject.nodes_with_any(["timeout", "duration"]) {
            // A gate that waits for a person is no stall.
            if name == "stall_timeout" && node.kind == NodeKind::HumanGate {
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
            let mut diagnostic = findings.diagnostic(&LINT, range, message).node(&*node.id);
            if let Some(place) = place {
                diagnostic = diagnostic.related(place, "the limit of the run");
            }
            findings.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn stalls_before_it_times_out() {
        check(
            "timeout_order",
            "digraph {\n    graph [stall_timeout=10m]\n    start -> a -> b\n    a [prompt=x, timeout=30m]\n    b [prompt=x, timeout=5m]\n    b -> c\n    c [shape=insulator, duration=1h]\n}",
            expect![[r#"
                a [prompt=x, timeout=30m]
                             ^^^^^^^^^^^ warning: `a` may take 30m, but the run is stopped after 10m (`stall_timeout`)
                graph [stall_timeout=10m]
                       ^^^^^^^^^^^^^^^^^ note: the limit of the run
                c [shape=insulator, duration=1h]
                                    ^^^^^^^^^^^ warning: `c` takes 1h, but the run is stopped after 10m (`stall_timeout`)
                graph [stall_timeout=10m]
                       ^^^^^^^^^^^^^^^^^ note: the limit of the run
            "#]],
        );
    }
}
