//! `condition_syntax`: conditions that can be read.

use attractor_dot::{Edit, Fix};
use rustc_hash::FxHashSet;

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_lang::{LangError, condition};
use attractor_model::Attribute;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "condition_syntax",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Invalid condition.",
    doc: "Conditions compare context keys with values and combine comparisons with `and`, `or` and `not`: \
`outcome=success`, `exit_code == 0 and approved`, `on_fail`. Calls, arithmetic and subscripts are not supported, \
and no other language is evaluated.",
    example: "test -> deploy [condition=\"exit_code ==\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut seen = FxHashSet::default();
    for site in &ctx.attributes().conditions {
        let attribute = site.attribute;
        if is_broken_edge(ctx, site)
            && attribute
                .value_range()
                .is_some_and(|range| seen.insert(range))
        {
            let errors = condition::parse(attribute.value()).1;
            report(ctx, sink, site, 0, errors);
        }
    }
    for asked in ctx.node_conditions() {
        let errors = asked.errors.iter().cloned();
        report(ctx, sink, &asked.site, asked.bytes.start, errors);
    }
}

/// Whether this is the condition of an edge that has errors; the others have been read.
fn is_broken_edge(ctx: &LintContext<'_>, site: &AttributeSite<'_>) -> bool {
    let AttributeTarget::Edge(ix) = site.target else {
        return false;
    };
    site.attribute.name() == "condition"
        && ctx
            .pipeline
            .edge(ix)
            .is_some_and(|edge| edge.condition_text().is_some() && edge.condition.is_none())
}

/// Reports what is wrong with the condition that begins at byte `start` of an attribute's value.
fn report(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    site: &AttributeSite<'_>,
    start: usize,
    errors: impl IntoIterator<Item = LangError>,
) {
    for error in errors {
        if let Some(found) = lang_finding(&LINT, ctx, sink, site.attribute, start, error) {
            sink.push(site.target.annotate(ctx.pipeline, found));
        }
    }
}

/// An error inside a value as a finding in the file. `offset` is where the parsed text begins in the value.
pub(super) fn lang_finding(
    lint: &Lint,
    ctx: &LintContext<'_>,
    sink: &DiagnosticSink<'_>,
    attribute: Attribute<'_>,
    offset: usize,
    error: LangError,
) -> Option<attractor_model::Diagnostic> {
    let place = |range: std::ops::Range<usize>| {
        attribute.range_of(ctx.text, range.start + offset..range.end + offset)
    };
    let range = place(error.range)?;
    let mut diagnostic = sink.diagnostic(lint, range, error.message);
    if let Some(fix) = error.fix
        && let Some(at) = place(fix.range)
        && attribute
            .value_range()
            .is_some_and(|whole| whole.text(ctx.text).starts_with('"'))
    {
        let text = attractor_dot::strings::escape_into_quoted(&fix.text);
        let edits = vec![Edit::replace(at, text)];
        diagnostic
            .fixes
            .push(Fix::new(fix.title, edits).preferred());
    }
    Some(diagnostic)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn the_range_is_inside_the_string() {
        check(
            "condition_syntax",
            r#"digraph {
    start -> a -> b
    a -> c [condition="exit_code == "]
    a -> d [condition="x == \"y\" and and"]
    a [prompt=x]
}"#,
            expect![[r#"
                a -> c [condition="exit_code == "]
                                             ^^ error: expected a value after `==`, such as `success` or `3`
                a -> d [condition="x == \"y\" and and"]
                                              ^^^ error: expected a comparison after `and`; add one, or remove `and`
                a -> d [condition="x == \"y\" and and"]
                                                  ^^^ error: expected a comparison after `and`; add one, or remove `and`
            "#]],
        );
    }

    #[test]
    fn conditions_of_nodes_and_graph() {
        check(
            "condition_syntax",
            r#"digraph {
    graph [goal_conditions="a == 1; len(b) > 2"]
    start -> s
    s [shape=house, sub_pipeline=x, done_condition="a =="]
    s -> t -> u
    t [command=x, verify="json: ok = "]
    u [command=x, goal_gate="x =="]
}"#,
            expect![[r#"
                graph [goal_conditions="a == 1; len(b) > 2"]
                                                ^^^^^^ error: function calls are not supported in conditions (`len(…)`); expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses
                s [shape=house, sub_pipeline=x, done_condition="a =="]
                                                                  ^^ error: expected a value after `==`, such as `success` or `3`
                t [command=x, verify="json: ok = "]
                                               ^ error: expected a value after `=`, such as `success` or `3`
                u [command=x, goal_gate="x =="]
                                           ^^ error: expected a value after `==`, such as `success` or `3`
            "#]],
        );
    }
}
