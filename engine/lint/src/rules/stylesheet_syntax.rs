//! `stylesheet_syntax`: stylesheets that can be read.

use rustc_hash::FxHashSet;

use crate::rules::condition_syntax::lang_finding;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_lang::stylesheet;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "stylesheet_syntax",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Invalid stylesheet.",
    doc: "A stylesheet is a list of rules: selectors (`*`, a shape or kind, `.class`, `#id`, \
`[name=glob]`) and, in braces, `property: value;`. An error only disables its own rule or declaration.",
    example: "graph [model_stylesheet=\"* { model = small }\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut seen = FxHashSet::default();
    for site in &ctx.attributes().stylesheets {
        let attribute = site.attribute;
        if !attribute
            .value_range()
            .is_some_and(|range| seen.insert(range))
        {
            continue;
        }
        for error in stylesheet::parse(attribute.value()).1 {
            if let Some(found) = lang_finding(&LINT, ctx, sink, attribute, 0, error) {
                sink.push(site.target.annotate(ctx.pipeline, found));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_broken_rule_costs_itself() {
        check(
            "stylesheet_syntax",
            r#"digraph {
    model_stylesheet="
        * { model = small; effort: high }
        .hard { model: large
        #x { model: y }
    "
    start -> a
}"#,
            expect![[r#"
                * { model = small; effort: high }
                    ^^^^^^^^^^^^^ error: expected a declaration `property: value;`, found `model = small`
                  fix: Replace `=` with `:`
                    + * { model : small; effort: high }
                .hard { model: large
                      ^ error: unclosed `{`; add `}`
                  fix: Close the rule
                    + .hard { model: large }
            "#]],
        );
    }
}
