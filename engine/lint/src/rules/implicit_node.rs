//! `implicit_node`: an undeclared node, perhaps a typo.

use crate::node_name_typos::NodeNameTypo;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;
use attractor_model::Severity;

pub(crate) const LINT: Lint = Lint {
    rule: "implicit_node",
    level: Level::Hint,
    extent: Extent::Graph,
    fixable: true,
    summary: "Undeclared node.",
    doc: "DOT creates a node when an edge names it, so a typo creates a second, empty node. A name one \
letter away from a declared node's is a warning; cascading problems (unreachable nodes, unbounded loops) are then \
not reported.",
    example: "build [prompt=\"…\"]\nstart -> biuld",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if ctx.scope.strict_nodes {
        return;
    }
    let pipeline = ctx.pipeline;
    let edits = ctx.edits();
    let last_line = edits.last_line();
    for (ix, node) in pipeline.indexed_nodes().filter(|(_, node)| !node.declared) {
        // Terminal nodes are recognized by their names; they need no declaration.
        if node.start || (node.terminal && !node.implicit_terminal) {
            continue;
        }
        let typo = ctx.node_name_typo(ix);
        if let Some(typo) = typo.filter(|typo| typo.is_in_declaration(ctx)) {
            declaration(ctx, typo, sink);
            continue;
        }
        let diagnostic = if let Some(typo) = typo {
            let near = pipeline.id(typo.meant);
            let message = format!("undeclared node `{}`; did you mean `{near}`?", node.id);
            let mut diagnostic = sink.diagnostic(&LINT, node.range, message);
            diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
            diagnostic.fixes = typo.fixes(ctx);
            diagnostic
        } else {
            let prompt = if node.attributes.has("prompt") {
                "`: its prompt comes from defaults"
            } else {
                "`: the agent receives only its id"
            };
            let message = ["undeclared node `", &node.id, prompt].concat();
            sink.diagnostic(&LINT, node.range, message)
        };
        let diagnostic = diagnostic.node(&*node.id);
        // Declared, a typo would be a node of its own, and the node it was meant to name would be unreachable.
        let reached = |ix| ctx.paths().is_reachable(ix);
        if typo.is_some_and(|typo| !reached(typo.meant) || !reached(ix)) {
            sink.push(diagnostic);
            continue;
        }
        let id = attractor_dot::strings::quote(&node.id);
        let edit = last_line.put(&id, &[" [label=", &id, "]"].concat());
        sink.push(diagnostic.fix(fix(["Declare `", &node.id, "`"].concat(), edit)));
    }
}

/// The declaration has the typo, and all edges agree on another name.
fn declaration(ctx: &LintContext<'_>, typo: NodeNameTypo, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let (declared, used) = (pipeline.id(typo.meant), pipeline.id(typo.node));
    let place = pipeline.node(typo.meant).map(|node| node.range);
    let message = format!(
        "no edge names `{declared}`; did you mean `{used}`, which edges name but no statement declares?"
    );
    let range = place.unwrap_or(pipeline.name_range);
    let mut diagnostic = sink.diagnostic(&LINT, range, message).node(declared);
    diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
    diagnostic.fixes = typo.fixes(ctx);
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_typo_is_a_warning() {
        check(
            "implicit_node",
            "digraph {
    start [shape=Mdiamond]
    build [prompt=x]
    start -> biuld
    build -> exit
}",
            expect![[r#"
                start -> biuld
                         ^^^^^ warning: undeclared node `biuld`; did you mean `build`?
                  fix: Replace with `build`
                    + start -> build
            "#]],
        );
    }

    #[test]
    fn numbers_are_no_typos() {
        check(
            "implicit_node",
            "digraph {
    start [shape=Mdiamond]
    step1 [prompt=x]
    start -> step1 -> step2
}",
            expect![[r#"
                start -> step1 -> step2
                                  ^^^^^ hint: undeclared node `step2`: the agent receives only its id
                  fix: Declare `step2`
                    + step2 [label=step2]
            "#]],
        );
    }

    #[test]
    fn a_typo_in_the_declaration() {
        check(
            "implicit_node",
            r#"digraph {
    start [shape=Mdiamond]
    done [shape=Msquare]
    biuld [prompt=x]
    test [prompt=y, retry_target="biuld"]
    start -> build -> test -> done
    test -> build [condition="outcome=fail"]
}"#,
            expect![[r#"
                biuld [prompt=x]
                ^^^^^ warning: no edge names `biuld`; did you mean `build`, which edges name but no statement declares?
                  fix: Replace with `build`
                    + build [prompt=x]
                    + test [prompt=y, retry_target="build"]
                  fix: Replace with `biuld`
                    + start -> biuld -> test -> done
                    + test -> biuld [condition="outcome=fail"]
            "#]],
        );
    }

    #[test]
    fn groups_and_defaults() {
        check(
            "implicit_node",
            "digraph {
    start [shape=Mdiamond]
    subgraph cluster_a { one; two }
    node [prompt=x]
    start -> one -> three
}",
            expect![[r#"
                subgraph cluster_a { one; two }
                                     ^^^ hint: undeclared node `one`: the agent receives only its id
                  fix: Declare `one`
                    + one [label=one]
                subgraph cluster_a { one; two }
                                          ^^^ hint: undeclared node `two`: the agent receives only its id
                  fix: Declare `two`
                    + two [label=two]
                start -> one -> three
                                ^^^^^ hint: undeclared node `three`: its prompt comes from defaults
                  fix: Declare `three`
                    + three [label=three]
            "#]],
        );
    }

    #[test]
    fn a_typo_written_everywhere() {
        check(
            "implicit_node",
            r#"digraph {
    start -> biuld -> test -> done
    test -> biuld [condition="outcome=fail"]
    build [prompt=x]
    test [prompt=y, retry_target="biuld"]
    test -> step_b -> step_c -> done
    step_a [prompt=z]
}"#,
            expect![[r#"
                start -> biuld -> test -> done
                                          ^^^^ hint: undeclared node `done`: the agent receives only its id
                  fix: Declare `done`
                    + done [label=done]
                build [prompt=x]
                ^^^^^ warning: no edge names `build`; did you mean `biuld`, which edges name but no statement declares?
                  fix: Replace with `biuld`
                    + biuld [prompt=x]
                  fix: Replace with `build`
                    + start -> build -> test -> done
                    + test -> build [condition="outcome=fail"]
                    + test [prompt=y, retry_target="build"]
                test -> step_b -> step_c -> done
                        ^^^^^^ hint: undeclared node `step_b`: the agent receives only its id
                  fix: Declare `step_b`
                    + step_b [label=step_b]
                test -> step_b -> step_c -> done
                                  ^^^^^^ hint: undeclared node `step_c`: the agent receives only its id
                  fix: Declare `step_c`
                    + step_c [label=step_c]
            "#]],
        );
    }

    #[test]
    fn a_neighbour_is_not_meant() {
        check(
            "implicit_node",
            "digraph {
    start -> tst -> test -> done
    test [prompt=x]
}",
            expect![[r#"
                start -> tst -> test -> done
                         ^^^ hint: undeclared node `tst`: the agent receives only its id
                  fix: Declare `tst`
                    + tst [label=tst]
                start -> tst -> test -> done
                                        ^^^^ hint: undeclared node `done`: the agent receives only its id
                  fix: Declare `done`
                    + done [label=done]
            "#]],
        );
    }

    #[test]
    fn no_fix_that_repeats_an_edge() {
        check(
            "implicit_node",
            "digraph {
    start -> build -> done
    start -> biuld
    build [prompt=x]
}",
            expect![[r#"
                start -> build -> done
                                  ^^^^ hint: undeclared node `done`: the agent receives only its id
                  fix: Declare `done`
                    + done [label=done]
                start -> biuld
                         ^^^^^ warning: undeclared node `biuld`; did you mean `build`?
                  fix: Declare `biuld`
                    + biuld [label=biuld]
            "#]],
        );
    }
}
