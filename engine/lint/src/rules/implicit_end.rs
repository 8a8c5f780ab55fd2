//! `implicit_end`: a run ends only where it says so.

use crate::failing_ends::is_failing_end;
use crate::rules::fail_routed_to_exit::for_failure;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::analysis::Branches;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Attribute, Diagnostic, Level, Node};

pub(crate) const LINT: Lint = Lint {
    rule: "implicit_end",
    level: Level::Hint,
    extent: Extent::Graph,
    fixable: true,
    summary: "Run ends at a node without outgoing edges.",
    doc: "A run ends at a node without outgoing edges, with the result of that node. In a pipeline that \
also has an explicit end, the edge that leads on may be missing. Add the edge, or mark the node with `terminal=true`.",
    example: "review -> done\ndone [shape=Msquare]\nreview -> fix",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let mut dead_ends = pipeline
        .indexed_nodes()
        .filter(|(_, node)| node.implicit_terminal)
        .peekable();
    if dead_ends.peek().is_none() {
        return;
    }
    let is_explicit = |node: &&Node| node.terminal && !node.implicit_terminal;
    let ends: Vec<&Node> = pipeline.nodes.iter().filter(is_explicit).collect();
    // What a missing edge cuts off is reported as unreachable, and a misspelled name as such.
    let paths = ctx.paths();
    let is_whole = || {
        let mut nodes = pipeline.indexed_nodes();
        nodes.all(|(ix, _)| paths.is_reachable(ix)) && ctx.node_name_typos().is_empty()
    };
    let Some(end) = ends.first().filter(|_| is_whole()) else {
        return;
    };
    let branches = Branches::of(pipeline, paths);
    let for_failure = for_failure(ctx, |ix| {
        let node = pipeline.node(ix);
        node.is_some_and(|node| node.implicit_terminal)
    });
    for (ix, node) in dead_ends {
        if node.kind == NodeKind::Escalate || is_failing_end(node) || branches.is_inside(ix) {
            continue;
        }
        let message = format!(
            "the run ends at `{}`, which has no outgoing edge; add an edge, or `terminal=true`",
            node.id
        );
        let found = sink
            .diagnostic(&LINT, node.range, message)
            .node(&*node.id)
            .related(end.range, "explicit end");
        let quote = attractor_dot::strings::quote;
        let edits = ctx.edits();
        let connect = |end: &&Node| {
            let edge = format!("{} -> {}", quote(&node.id), quote(&end.id));
            fix(
                format!("Connect `{}` to `{}`", node.id, end.id),
                edits.add_statement(&edge),
            )
        };
        let mut found = ends
            .iter()
            .take(2)
            .map(connect)
            .fold(found, Diagnostic::fix);
        if node.declared && (has_work(node) || !for_failure.contains(&ix)) {
            let edit = edits.add_attribute(node.statement, "terminal", "true");
            found = found.fix(fix("Add `terminal=true`", edit));
        }
        sink.push(found);
    }
}

/// Whether the node would do something as an end too. One without anything to do would only be an exit, which turns a
/// failure that leads to it into a success.
fn has_work(node: &Node) -> bool {
    let prompt = node.attributes.get("prompt");
    node.kind != NodeKind::Codergen || prompt.is_some_and(Attribute::is_own)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn an_end_that_would_lose_a_failure_is_not_offered() {
        check(
            "implicit_end",
            r#"digraph {
    start [shape=Mdiamond]
    done [shape=Msquare]
    start -> test
    test [command=make]
    test -> done [condition="outcome=success"]
    test -> on_call [condition="outcome=fail"]
    on_call [label="Wake someone up"]
}"#,
            expect![[r#"
                on_call [label="Wake someone up"]
                ^^^^^^^ hint: the run ends at `on_call`, which has no outgoing edge; add an edge, or `terminal=true`
                done [shape=Msquare]
                ^^^^ note: explicit end
                  fix: Connect `on_call` to `done`
                    + on_call -> done
            "#]],
        );
    }

    #[test]
    fn a_lost_edge_to_the_end() {
        check(
            "implicit_end",
            r#"digraph {
    start [shape=Mdiamond]
    done [shape=Msquare]
    start -> test
    test [command=make]
    test -> done [condition="outcome=success"]
    test -> fix [condition="outcome=fail"]
    fix [prompt="Fix it"]
}"#,
            expect![[r#"
                fix [prompt="Fix it"]
                ^^^ hint: the run ends at `fix`, which has no outgoing edge; add an edge, or `terminal=true`
                done [shape=Msquare]
                ^^^^ note: explicit end
                  fix: Connect `fix` to `done`
                    + fix -> done
                  fix: Add `terminal=true`
                    + fix [terminal=true, prompt="Fix it"]
            "#]],
        );
    }

    #[test]
    fn ends_that_are_meant() {
        for fine in [
            // No explicit end.
            "start -> a -> b",
            // What is unreachable is reported so.
            "done [shape=Msquare]; start -> a; b -> done",
            "done [shape=Msquare]; start -> a -> done; a -> raise; raise [shape=octagon]",
            "done [shape=Msquare]; start -> a -> done; a -> abort",
            "done [shape=Msquare]; start -> a -> done; a -> b; b [terminal=true]",
            "done [shape=Msquare]; start -> f; f [shape=component]; f -> a -> j; f -> b -> j; f -> c; j [shape=tripleoctagon]; j -> done",
        ] {
            let text = format!("digraph {{ goal=x; start [shape=Mdiamond]; {fine} }}");
            check("implicit_end", &text, expect![[""]]);
        }
    }
}
