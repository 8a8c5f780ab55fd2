//! `prompt_missing`: an agent without instructions.

use crate::value_forms::is_fine;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::{AttrType, NodeKind};

pub(crate) const LINT: Lint = Lint {
    rule: "prompt_missing",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: false,
    summary: "Agent without a prompt.",
    doc: "A `codergen` or `prompt` node without `prompt` sends its label to the model. Without a label the model only receives the node id.",
    example: "implement [class=hard]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (_, node) in ctx.nodes_of([NodeKind::Codergen, NodeKind::Prompt]) {
        // Undeclared nodes are reported by `implicit_node`, unknown shapes by `attribute_value`.
        let shape = node.attributes.get("shape");
        if !node.declared || shape.is_some_and(|shape| !is_fine(AttrType::Shape, shape.value())) {
            continue;
        }
        let is_instructed = [
            "prompt",
            "prompt_file",
            "label",
            "xlabel",
            "stack.child_dotfile",
            "is_codergen",
        ]
        .iter()
        .any(|name| {
            node.attributes
                .get(name)
                .is_some_and(|value| !value.value().trim_start().is_empty())
        });
        if is_instructed {
            continue;
        }
        let message = format!(
            "`{}` has no prompt or label; the agent would only receive the node id `{}`",
            node.id, node.id
        );
        let diagnostic = sink.diagnostic(&LINT, node.range, message);
        sink.push(diagnostic.node(&*node.id));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn nothing_to_go_by() {
        check(
            "prompt_missing",
            r#"digraph {
    start -> a -> b -> c -> d
    a [class=hard]
    b [label="Write tests"]
    c [prompt=x]
}"#,
            expect![[r#"
                a [class=hard]
                ^ warning: `a` has no prompt or label; the agent would only receive the node id `a`
            "#]],
        );
    }
}
