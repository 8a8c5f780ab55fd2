//! `unknown_handler`: `handler` and `type` name something that exists.

use crate::spelling::spelling;
use crate::typos::did_you_mean;
use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::{NodeKind, nearest};

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_handler",
    level: Level::Error,
    fixable: true,
    summary: "Unknown handler.",
    doc: "A run fails at a node with an unknown handler. Declare custom handlers in `.attractor/config.toml` under `[handlers.NAME]`.",
    example: "review [handler=human_gat]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let custom = &ctx.options.custom_handlers;
    for (_, node) in ctx.nodes_of([NodeKind::Custom]) {
        let Some(name) = &node.custom_handler else {
            continue;
        };
        let name = name.trim();
        if custom.iter().any(|handler| handler.name == name) {
            continue;
        }
        let Some(attribute) = node.attributes.get("handler") else {
            continue;
        };
        let range = attribute.value_range().unwrap_or(node.range);
        let near = nearest(
            name,
            NodeKind::names()
                .map(|name| -> &str { name })
                .chain(custom.iter().map(|handler| handler.name.as_str())),
        );
        let mut message = format!("unknown handler `{name}`");
        match near {
            Some(near) => message.push_str(&did_you_mean(Some(near))),
            None => message.push_str(
                "; expected codergen, prompt, tool, human_gate, … (run `attractor handlers` for a list) or a handler declared in `.attractor/config.toml`",
            ),
        }
        let mut diagnostic = sink.diagnostic(&LINT, range, message).node(&*node.id);
        if let Some(near) = near {
            let edit = ctx.edits().replace_value(range, near);
            diagnostic = diagnostic.fix(spelling(name, near, edit));
        }
        sink.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_typo_is_corrected() {
        check(
            "unknown_handler",
            r#"digraph {
    start -> gate -> x
    gate [handler="humn_gate"]
}"#,
            expect![[r#"
                gate [handler="humn_gate"]
                              ^^^^^^^^^^^ error: unknown handler `humn_gate`; did you mean `human_gate`?
                  fix: Replace with `human_gate`
                    + gate [handler="human_gate"]
            "#]],
        );
    }

    #[test]
    fn an_unknown_name() {
        check(
            "unknown_handler",
            "digraph {
    start -> gate -> x
    gate [type=quantum, prompt=x]
    x [handler=agent_loop]
}",
            expect![[r#"
                gate [type=quantum, prompt=x]
                           ^^^^^^^ error: unknown handler `quantum`; expected codergen, prompt, tool, human_gate, … (run `attractor handlers` for a list) or a handler declared in `.attractor/config.toml`
            "#]],
        );
    }
}
