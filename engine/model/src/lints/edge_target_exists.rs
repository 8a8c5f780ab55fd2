//! `edge_target_exists`: where a graph asks for it, edges only name declared nodes.

use super::edits::fix;
use super::slips::did_you_mean;
use super::{Check, Findings, Lint, Subject};
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "edge_target_exists",
    level: Level::Error,
    fixable: true,
    summary: "An edge names a node nobody declares.",
    doc: "Speaks in graphs with the comment `// attractor: strict-nodes`. Elsewhere DOT creates the node, and \
`implicit_node` says so.",
    example: "// attractor: strict-nodes\ndigraph { start [shape=Mdiamond]; start -> biuld }",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    if !subject.scope.strict_nodes {
        return;
    }
    let pipeline = subject.pipeline;
    for (ix, node) in pipeline.indexed_nodes().filter(|(_, node)| !node.declared) {
        let typo = subject.meant_by(ix);
        let misspelt_edge = typo.filter(|typo| !typo.is_in_declaration(subject));
        let near = misspelt_edge.map(|typo| pipeline.id(typo.meant));
        let mut message = format!(
            "no statement declares `{}`, and this graph asks for declared nodes",
            node.id
        );
        message.push_str(&did_you_mean(near));
        let mut diagnostic = findings
            .diagnostic(&LINT, node.range, message)
            .node(&*node.id);
        let edits = subject.edits();
        diagnostic.fixes = typo.map(|typo| typo.fixes(subject)).unwrap_or_default();
        let id = attractor_dot::strings::quote(&node.id);
        let declaration = format!("{id} [label={id}]");
        let edit = edits.add_statement(&declaration);
        findings.push(diagnostic.fix(fix(format!("Declare `{}`", node.id), edit)));
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn strict() {
        check(
            "edge_target_exists",
            "// attractor: strict-nodes\ndigraph {\n    start [shape=Mdiamond]\n    build [prompt=x]\n    start -> biuld -> other\n}",
            expect![[r#"
                start -> biuld -> other
                         ^^^^^ error: no statement declares `biuld`, and this graph asks for declared nodes; did you mean `build`?
                  fix: Replace by `build`
                    + start -> build -> other
                  fix: Replace by `biuld`
                    + biuld [prompt=x]
                  fix: Declare `biuld`
                    + biuld [label=biuld]
                start -> biuld -> other
                                  ^^^^^ error: no statement declares `other`, and this graph asks for declared nodes
                  fix: Declare `other`
                    + other [label=other]
            "#]],
        );
    }

    #[test]
    fn silent_unless_asked() {
        check(
            "edge_target_exists",
            "digraph {\n    start [shape=Mdiamond]\n    start -> biuld\n}",
            expect![[""]],
        );
    }
}
