//! `type_mismatch`: a text is never equal to a number by `==`.

use attractor_dot::Edit;

use crate::located_conditions::conditions;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::condition::{Compare, Condition, Op, OperandKind};
use attractor_model::Level;
use attractor_model::catalogue::CONTEXT_KEYS;

pub(crate) const LINT: Lint = Lint {
    rule: "type_mismatch",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Text compared with a number or boolean by `==`.",
    doc: "`==` compares values of one type: the text `\"3\"` is not the number 3, so the comparison is \
always false. `=` also compares numbers and booleans with their text form.",
    example: "count -> done [condition=\"tool.last_line == 3\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let may_differ = |condition: &Condition| {
        let mut comparisons = condition.comparisons();
        comparisons.any(|compare| mismatch(compare).is_some())
    };
    for located in conditions(ctx.edge_conditions(), ctx.node_conditions(), may_differ) {
        for compare in located.condition.comparisons() {
            let Some((key, what)) = mismatch(compare) else {
                continue;
            };
            // Another node may set the key to something else.
            if is_set_otherwise(ctx, key) {
                continue;
            }
            let Some(range) = located.range(ctx.text, &compare.op_range) else {
                continue;
            };
            let message = format!(
                "mismatched types: `{key}` is text and never `==` {what}; use `=` to compare text forms"
            );
            let found = sink
                .diagnostic(&LINT, range, message)
                .fix(fix("Replace `==` with `=`", Edit::replace(range, "=")).preferred());
            sink.push(located.site.target.annotate(ctx.pipeline, found));
        }
    }
}

/// Whether the author sets the key to a value of another type, perhaps.
fn is_set_otherwise(ctx: &LintContext<'_>, key: &str) -> bool {
    let mut nodes = ctx.pipeline.nodes.iter();
    nodes.any(|node| {
        let mut attributes = node.attributes.iter();
        attributes.any(|written| {
            let name = written.name();
            let prefixes = ["var.", "context."];
            let mut given = prefixes
                .iter()
                .filter_map(|prefix| name.strip_prefix(prefix));
            given.any(|given| given == key) || name == "output_key" && written.value() == key
        })
    })
}

/// The key of a comparison that never holds, and what it is compared with.
fn mismatch(compare: &Compare) -> Option<(&str, &'static str)> {
    if compare.op != Op::Equal {
        return None;
    }
    let ((OperandKind::Key(key), other) | (other, OperandKind::Key(key))) =
        (&compare.left.kind, &compare.right.kind)
    else {
        return None;
    };
    let what = match other {
        OperandKind::Number(_) => "a number",
        OperandKind::Bool(_) => "a boolean",
        _ => return None,
    };
    let key = key.strip_prefix("context.").unwrap_or(key);
    holds_text(key).then_some((key, what))
}

/// Whether the engine sets this key, and always to a text.
fn holds_text(key: &str) -> bool {
    // A key as one node set it.
    let own = key
        .strip_prefix("node.")
        .and_then(|rest| rest.split_once('.'));
    let name = own.map_or(key, |(_, name)| name);
    let mut rows = CONTEXT_KEYS.iter().filter(|row| row.name == name);
    rows.any(|row| matches!(row.ty, "string" | "status"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn texts_and_numbers() {
        check(
            "type_mismatch",
            r#"digraph {
    start -> t
    t [command=x]
    t -> a [condition="tool.last_line == 3"]
    t -> b [condition="context.stdout == true and node.t.stdout == 1"]
}"#,
            expect![[r#"
                t -> a [condition="tool.last_line == 3"]
                                                  ^^ warning: mismatched types: `tool.last_line` is text and never `==` a number; use `=` to compare text forms
                  fix: Replace `==` with `=`
                    + t -> a [condition="tool.last_line = 3"]
                t -> b [condition="context.stdout == true and node.t.stdout == 1"]
                                                  ^^ warning: mismatched types: `stdout` is text and never `==` a boolean; use `=` to compare text forms
                  fix: Replace `==` with `=`
                    + t -> b [condition="context.stdout = true and node.t.stdout == 1"]
                t -> b [condition="context.stdout == true and node.t.stdout == 1"]
                                                                            ^^ warning: mismatched types: `node.t.stdout` is text and never `==` a number; use `=` to compare text forms
                  fix: Replace `==` with `=`
                    + t -> b [condition="context.stdout == true and node.t.stdout = 1"]
            "#]],
        );
    }

    #[test]
    fn what_can_be_equal() {
        for condition in [
            "tool.last_line = 3",
            "tool.last_line >= 3",
            "tool.last_line == '3'",
            "exit_code == 0",
            "score == 3",
            "approved == true",
        ] {
            let text = format!(
                "digraph {{ start -> t; t [command=x]; t -> a [condition=\"{condition}\"] }}"
            );
            check("type_mismatch", &text, expect![[""]]);
        }
    }
}
