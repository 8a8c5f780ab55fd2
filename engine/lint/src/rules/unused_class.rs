//! `unused_class`: a class of nodes that no rule selects.

use rustc_hash::FxHashMap;

use crate::spelling::spelling;
use crate::typos::{are_variants, is_typo};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::Edit;
use attractor_lang::lists::{Separator, items};
use attractor_lang::stylesheet::{PartKind, Stylesheet, parse};
use attractor_model::Level;
use attractor_model::Severity;
use attractor_model::catalogue;

pub(crate) const LINT: Lint = Lint {
    rule: "unused_class",
    level: Level::Hint,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unused class.",
    doc: "The graph's stylesheet, or the one given from outside, has rules for classes, but none for this one. Not reported \
where no stylesheet has rules for classes.",
    example: "graph [model_stylesheet=\".hard { model: large }\"]\nplan [class=hrad]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let written = ctx.pipeline.attributes.get("model_stylesheet");
    let sheet = written.map_or_else(Stylesheet::default, |own| parse(own.value()).0);
    let asked: Vec<&str> = sheet
        .rules
        .iter()
        .chain(&ctx.options.stylesheet.rules)
        .flat_map(|rule| &rule.selectors)
        .flat_map(|selector| &selector.parts)
        .filter_map(|part| match &part.kind {
            PartKind::Class(class) => Some(class.as_str()),
            _ => None,
        })
        .collect();
    if asked.is_empty() {
        return;
    }
    let mut last = None;
    let mut fine: FxHashMap<u32, bool> = FxHashMap::default();
    for (_, node) in ctx.nodes_with_any(["class"]) {
        let is_fine = || {
            node.classes()
                .iter()
                .all(|class| asked.contains(&class.as_str()))
        };
        if *fine.entry(node.class_list).or_insert_with(is_fine) {
            continue;
        }
        let Some(attribute) = node.attributes.get("class") else {
            continue;
        };
        if attribute.value_range() == last {
            continue;
        }
        last = attribute.value_range();
        for item in items(attribute.value(), Separator::CommaOrBlank) {
            let class = item.text.trim_start_matches('.');
            if asked.contains(&class) {
                continue;
            }
            let Some(range) = attribute.range_of(ctx.text, item.range) else {
                continue;
            };
            // The stylesheet's own name is reported as the typo when no node has it.
            let is_typo_of_rule = |own: &&str| is_typo(class, own) && !are_variants(class, own);
            if asked
                .iter()
                .any(|own| is_typo_of_rule(own) && !has_class(ctx, own))
            {
                continue;
            }
            let near = catalogue::nearest(class, asked.iter().copied());
            let message = match near {
                Some(near) => format!(
                    "class `{class}` is not used by any stylesheet rule; did you mean `{near}`?"
                ),
                None => format!("class `{class}` is not used by any stylesheet rule"),
            };
            let mut found = sink.diagnostic(&LINT, range, message).node(&*node.id);
            if let Some(near) = near.filter(is_typo_of_rule) {
                found.severity = sink.severity_or(&LINT, Severity::Warning);
                let better = range.text(ctx.text).replace(class, near);
                found = found.fix(spelling(class, near, Edit::replace(range, better)));
            }
            sink.push(found);
        }
    }
}

/// Whether a node has the class.
fn has_class(ctx: &LintContext<'_>, class: &str) -> bool {
    let mut nodes = ctx.pipeline.nodes.iter();
    nodes.any(|node| node.classes().iter().any(|own| **own == *class))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const TEXT: &str = r#"digraph {
    model_stylesheet=".hard { model: large } #reveiw { model: y } .easy, wait.human { model: z }"
    start -> plan -> review
    plan [class="hard, hrad other", prompt=x]
    review [prompt=x]
}"#;

    #[test]
    fn classes_nobody_asks_for() {
        check(
            "unused_class",
            TEXT,
            expect![[r#"
                plan [class="hard, hrad other", prompt=x]
                                   ^^^^ warning: class `hrad` is not used by any stylesheet rule; did you mean `hard`?
                  fix: Replace with `hard`
                    + plan [class="hard, hard other", prompt=x]
                plan [class="hard, hrad other", prompt=x]
                                        ^^^^^ hint: class `other` is not used by any stylesheet rule
            "#]],
        );
        check(
            "unused_class",
            "digraph { goal=x; model_stylesheet=\"* { model: x }\"; a [class=free] }",
            expect![[""]],
        );
    }
}
