//! `edge_target_exists`: where a graph asks for it, edges only name declared nodes.

use crate::typos::did_you_mean;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "edge_target_exists",
    level: Level::Error,
    extent: Extent::Graph,
    fixable: true,
    summary: "Edge to an undeclared node.",
    doc: "Only active with the comment `// attractor: strict-nodes`; otherwise see `implicit_node`.",
    example: "// attractor: strict-nodes\ndigraph { start [shape=Mdiamond]; start -> biuld }",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if !ctx.scope.strict_nodes {
        return;
    }
    let pipeline = ctx.pipeline;
    for (ix, node) in pipeline.indexed_nodes().filter(|(_, node)| !node.declared) {
        let typo = ctx.node_name_typo(ix);
        let misspelled_edge = typo.filter(|typo| !typo.is_in_declaration(ctx));
        let near = misspelled_edge.map(|typo| pipeline.id(typo.meant));
        let mut message = format!(
            "undeclared node `{}`; this graph requires declarations (`strict-nodes`)",
            node.id
        );
        message.push_str(&did_you_mean(near));
        let mut diagnostic = sink.diagnostic(&LINT, node.range, message).node(&*node.id);
        let edits = ctx.edits();
        diagnostic.fixes = typo.map(|typo| typo.fixes(ctx)).unwrap_or_default();
        let id = attractor_dot::strings::quote(&node.id);
        let declaration = format!("{id} [label={id}]");
        let edit = edits.add_statement(&declaration);
        sink.push(diagnostic.fix(fix(format!("Declare `{}`", node.id), edit)));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn strict() {
        check(
            "edge_target_exists",
            "// attractor: strict-nodes
digraph {
    start [shape=Mdiamond]
    build [prompt=x]
    start -> biuld -> other
}",
            expect![[r#"
                start -> biuld -> other
                         ^^^^^ error: undeclared node `biuld`; this graph requires declarations (`strict-nodes`); did you mean `build`?
                  fix: Replace with `build`
                    + start -> build -> other
                  fix: Replace with `biuld`
                    + biuld [prompt=x]
                  fix: Declare `biuld`
                    + biuld [label=biuld]
                start -> biuld -> other
                                  ^^^^^ error: undeclared node `other`; this graph requires declarations (`strict-nodes`)
                  fix: Declare `other`
                    + other [label=other]
            "#]],
        );
    }

    #[test]
    fn silent_unless_asked() {
        check(
            "edge_target_exists",
            "digraph {
    start [shape=Mdiamond]
    start -> biuld
}",
            expect![[""]],
        );
    }
}
