//! `template_syntax`: templates that can be meant as they are written.

use attractor_dot::Edit;
use rustc_hash::FxHashSet;

use crate::rules::condition_syntax::lang_finding;
use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::template;
use attractor_model::Level;
use attractor_model::Severity;

pub(crate) const LINT: Lint = Lint {
    rule: "template_syntax",
    level: Level::Error,
    fixable: true,
    summary: "Invalid template.",
    doc: "`{key}`, `{key:-default}`, `$name` and `{{ goal }}` are placeholders; any other brace is text, \
so JSON and shell code need no escaping. Only a clearly malformed placeholder is an error: `{{ goal }` with one \
brace missing, `{key:-default` without its end. Doubled braces without spaces are an escape: `{{key}}` is the text \
`{key}`, which is reported if it contains a key of the pipeline, since that may be a typo.",
    example: "plan [prompt=\"Plan {{ goal } now\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    errors(ctx, sink);
    doubled(ctx, sink);
}

fn errors(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut seen = FxHashSet::default();
    for (site, error) in &ctx.templates().errors {
        let found = lang_finding(&LINT, ctx, sink, site.attribute, 0, error.clone());
        // What is wrong with a default is so for every node that has it.
        if let Some(found) = found.filter(|found| seen.insert(found.range)) {
            sink.push(site.target.annotate(ctx.pipeline, found));
        }
    }
}

/// Known keys in braces that make them text.
fn doubled(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut seen = FxHashSet::default();
    for site in &ctx.attributes().braced {
        let attribute = site.attribute;
        for (key, bytes) in template::doubled(attribute.value()) {
            let place = attribute.range_of(ctx.text, bytes);
            let Some(range) =
                place.filter(|range| ctx.known_keys().has(key) && seen.insert(*range))
            else {
                continue;
            };
            let message = format!(
                "`{{{{{key}}}}}` is an escape for the text `{{{key}}}`; use single braces to insert the value of `{key}`"
            );
            let mut found = sink.diagnostic(&LINT, range, message);
            found.severity = sink.severity_or(&LINT, Severity::Info);
            let edit = Edit::replace(range, format!("{{{key}}}"));
            let found = found.fix(fix("Insert the value", edit));
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
    fn keys_in_doubled_braces() {
        check(
            "template_syntax",
            r#"digraph {
    vars=ticket
    start -> a -> b
    a [prompt="Fix \"{{ticket}}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
    b [command="docker ps --format '{{.ID}}' {{outcome}}"]
}"#,
            expect![[r#"
                a [prompt="Fix \"{{ticket}}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                                 ^^^^^^^^^^ info: `{{ticket}}` is an escape for the text `{ticket}`; use single braces to insert the value of `ticket`
                  fix: Insert the value
                    + a [prompt="Fix \"{ticket}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                a [prompt="Fix \"{{ticket}}\" as {{last_response}} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                                                 ^^^^^^^^^^^^^^^^^ info: `{{last_response}}` is an escape for the text `{last_response}`; use single braces to insert the value of `last_response`
                  fix: Insert the value
                    + a [prompt="Fix \"{{ticket}}\" as {last_response} says, {{ goal }}, {{other}}, {{{goal}}}, {{goal}"]
                b [command="docker ps --format '{{.ID}}' {{outcome}}"]
                                                         ^^^^^^^^^^^ info: `{{outcome}}` is an escape for the text `{outcome}`; use single braces to insert the value of `outcome`
                  fix: Insert the value
                    + b [command="docker ps --format '{{.ID}}' {outcome}"]
            "#]],
        );
    }
}
