//! `fidelity_thread`: a thread is only shared under full fidelity.

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "fidelity_thread",
    level: Level::Info,
    extent: Extent::Graph,
    fixable: true,
    summary: "`thread_id` without `fidelity=full`.",
    doc: "Nodes of one thread share their conversation only with `fidelity=full`; with any other fidelity \
each node starts a new conversation and `thread_id` has no effect.",
    example: "fix [prompt=\"…\", thread_id=main]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let threads = ctx
        .nodes_with("thread_id")
        .filter(|(node, thread)| node.kind.calls_model() && thread.is_own());
    for (node, thread) in threads {
        let fidelity = node.attributes.get("fidelity");
        if fidelity.is_some_and(|fidelity| fidelity.value().eq_ignore_ascii_case("full")) {
            continue;
        }
        let range = thread.range().unwrap_or(node.range);
        let message = match fidelity {
            Some(other) => format!(
                "`fidelity={}` does not share the thread `{}`; set `fidelity=full`",
                other.value(),
                thread.value()
            ),
            None => format!(
                "thread `{}` is not shared without `fidelity=full`",
                thread.value()
            ),
        };
        let mut diagnostic = sink.diagnostic(&LINT, range, message).node(&*node.id);
        if fidelity.is_none() {
            let edit = ctx
                .edits()
                .add_attribute(node.statement, "fidelity", "full");
            diagnostic = diagnostic.fix(fix("Add `fidelity=full`", edit));
        }
        sink.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn not_shared() {
        check(
            "fidelity_thread",
            "digraph {
    start -> a -> b
    a [prompt=x, thread_id=t]
    b [prompt=x, thread_id=t, fidelity=full]
}",
            expect![[r#"
                a [prompt=x, thread_id=t]
                             ^^^^^^^^^^^ info: thread `t` is not shared without `fidelity=full`
                  fix: Add `fidelity=full`
                    + a [fidelity=full, prompt=x, thread_id=t]
            "#]],
        );
    }
}
