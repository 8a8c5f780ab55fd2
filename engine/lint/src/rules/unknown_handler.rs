//! `unknown_handler`: `handler` and `type` name something that exists.

use indexmap::IndexMap;

use crate::spelling::spellings;
use crate::typos::did_you_mean;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::TextRange;
use attractor_model::Level;
use attractor_model::Node;
use attractor_model::catalogue::{NodeKind, nearest};

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_handler",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Unknown handler.",
    doc: "A run fails at a node with an unknown handler. Declare custom handlers in `.attractor/config.toml` under `[handlers.NAME]`.",
    example: "review [handler=human_gat]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let custom = &ctx.options.custom_handlers;
    let mut uses: IndexMap<&str, Vec<(&Node, TextRange)>> = IndexMap::new();
    for (_, node) in ctx.nodes_of([NodeKind::Custom]) {
        let Some(name) = node.custom_handler.as_deref().map(str::trim) else {
            continue;
        };
        if custom.iter().any(|handler| handler.name == name) {
            continue;
        }
        if let Some(attribute) = node.attributes.get("handler") {
            let range = attribute.value_range().unwrap_or(node.range);
            uses.entry(name).or_default().push((node, range));
        }
    }
    for (name, places) in uses {
        report(ctx, sink, name, &places);
    }
}

/// A name that several nodes have is one problem, shown at the first of them.
fn report(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    name: &str,
    places: &[(&Node, TextRange)],
) {
    let Some(((first, range), others)) = places.split_first() else {
        return;
    };
    let custom = &ctx.options.custom_handlers;
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
    let mut diagnostic = sink.diagnostic(&LINT, *range, message).node(&*first.id);
    for (node, other) in others
        .iter()
        .filter(|(_, other)| other != range)
        .take(MAX_RELATED)
    {
        diagnostic = diagnostic.related(*other, format!("`{}` has it too", node.id));
    }
    if let Some(near) = near {
        let mut ranges: Vec<TextRange> = places.iter().map(|(_, range)| *range).collect();
        ranges.sort_unstable();
        ranges.dedup();
        let edits = ranges
            .into_iter()
            .map(|range| ctx.edits().replace_value(range, near));
        diagnostic = diagnostic.fix(spellings(name, near, edits.collect()));
    }
    sink.push(diagnostic);
}

/// More nodes with the same name are not listed.
const MAX_RELATED: usize = 20;

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

    #[test]
    fn one_message_for_all_nodes_that_have_it() {
        check(
            "unknown_handler",
            "digraph {
    start -> a -> b
    a [handler=humn_gate]
    b [handler=humn_gate]
}",
            expect![[r#"
                a [handler=humn_gate]
                           ^^^^^^^^^ error: unknown handler `humn_gate`; did you mean `human_gate`?
                b [handler=humn_gate]
                           ^^^^^^^^^ note: `b` has it too
                  fix: Replace with `human_gate`
                    + a [handler=human_gate]
                    + b [handler=human_gate]
            "#]],
        );
    }
}
