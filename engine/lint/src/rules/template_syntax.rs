//! `template_syntax`: templates that can be meant as they are written.

use rustc_hash::FxHashSet;

use crate::rules::condition_syntax::lang_finding;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "template_syntax",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Invalid template.",
    doc: "`{key}`, `{key:-default}`, `$name`, `{{key}}` and `{{ key }}` are placeholders; any other brace is \
text, so JSON and shell code need no escaping. Only a clearly malformed placeholder is an error: `{{ goal }` with one \
brace missing, `{key:-default` without its end.",
    example: "plan [prompt=\"Plan {{ goal } now\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut seen = FxHashSet::default();
    for (site, error) in &ctx.templates().errors {
        let found = lang_finding(&LINT, ctx, sink, site.attribute, 0, error.clone());
        // What is wrong with a default is so for every node that has it.
        if let Some(found) = found.filter(|found| seen.insert(found.range)) {
            sink.push(site.target.annotate(ctx.pipeline, found));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn places_that_lost_a_brace() {
        check(
            "template_syntax",
            r#"digraph {
    start -> a -> b
    a [prompt="Say \"{{ goal }\" now, {\"json\": {\"a\": 1}}, {fix|feat}"]
    b [command="echo ${x:-1} {key:-none"]
}"#,
            expect![[r#"
                a [prompt="Say \"{{ goal }\" now, {\"json\": {\"a\": 1}}, {fix|feat}"]
                                 ^^^^^^^^^ error: expected `}}` after `{{ goal`
                  fix: Replace with `}}`
                    + a [prompt="Say \"{{ goal }}\" now, {\"json\": {\"a\": 1}}, {fix|feat}"]
                b [command="echo ${x:-1} {key:-none"]
                                         ^^^^^^^^^^ error: unclosed `{key:-…`; add `}` on the same line
                  fix: Insert `}`
                    + b [command="echo ${x:-1} {key:-none}"]
            "#]],
        );
    }

    #[test]
    fn doubled_braces_are_a_place_as_well() {
        check(
            "template_syntax",
            r#"digraph {
    vars=ticket
    start -> a -> b
    a [prompt="Fix \"{{ticket}}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
    b [command="docker ps --format '{{.ID}}' {{outcome}}"]
}"#,
            expect![[""]],
        );
    }
}
