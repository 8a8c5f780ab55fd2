//! `reachability`: a run can come to every node.

use super::edits::fix;
use super::{Check, Findings, Lint, Subject};
use crate::options::Level;
use crate::pipeline::NodeIx;

pub(super) const LINT: Lint = Lint {
    rule: "reachability",
    level: Level::Warn,
    fixable: true,
    summary: "No run can come to a node.",
    doc: "No path leads from the start to this node: not over edges, `branches`, or retry targets. Connect it \
or delete it.",
    example: "start -> build -> done\ntest [prompt=\"Run the tests\"]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let pipeline = subject.pipeline;
    let Some(start) = pipeline.start else {
        return;
    };
    let paths = subject.paths();
    let mut before = start;
    for (ix, node) in pipeline.indexed_nodes() {
        if paths.is_reachable(ix) {
            if !node.terminal || node.implicit_terminal {
                before = ix;
            }
            continue;
        }
        let message = format!(
            "no path leads from `{}` to `{}`",
            pipeline.id(start),
            node.id
        );
        let mut diagnostic = findings
            .diagnostic(&LINT, node.range, message)
            .node(&*node.id);
        if comes_first(subject, ix) {
            let quote = attractor_dot::strings::quote;
            let from = pipeline.id(before);
            let edge = format!("{} -> {}", quote(from), quote(&node.id));
            let edit = subject.edits().add_statement(&edge);
            diagnostic = diagnostic.fix(fix(format!("Connect `{from}` to `{}`", node.id), edit));
        }
        if node.declared && pipeline.incoming(ix).is_empty() && pipeline.outgoing(ix).is_empty() {
            let edit = subject.edits().delete_statement(node.statement);
            diagnostic = diagnostic
                .fix(fix(format!("Delete `{}`", node.id), edit))
                .unnecessary();
        }
        findings.push(diagnostic);
    }
}

/// Whether nothing unreachable leads to the node, so that connecting it connects what follows.
fn comes_first(subject: &Subject<'_>, ix: NodeIx) -> bool {
    subject.pipeline.predecessors(ix).all(|other| other == ix)
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn an_island() {
        check(
            "reachability",
            "digraph {\n    start [shape=Mdiamond]\n    build [prompt=x]\n    start -> build -> exit\n    test [prompt=y];\n    a -> b -> a\n}",
            expect![[r#"
                test [prompt=y];
                ^^^^ warning: no path leads from `start` to `test`
                  fix: Connect `build` to `test`
                    + build -> test
                  fix: Delete `test`
                    - test [prompt=y];
                a -> b -> a
                ^ warning: no path leads from `start` to `a`
                a -> b -> a
                     ^ warning: no path leads from `start` to `b`
            "#]],
        );
    }

    #[test]
    fn jumps_reach_too() {
        check(
            "reachability",
            "digraph {\n    graph [retry_target=again]\n    start -> fan -> end\n    fan [shape=component, branches=\"p, q\"]\n    p [retry_target=r]\n    p -> end; q -> end; r -> end; again -> end\n}",
            expect![[""]],
        );
    }
}
