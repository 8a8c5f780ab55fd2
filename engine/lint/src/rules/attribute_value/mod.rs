//! `attribute_value`: values of the right type, within range.

mod custom;
mod languages;
pub(crate) mod problem;

use rustc_hash::FxHashSet;

use self::languages::{check_of_output, in_words, schema};
use self::problem::{Problem, problem};
use crate::joins;
use crate::rules::start_node::misspelled_shape;
use crate::stylesheet_declarations::StylesheetDeclaration;
use crate::value_forms::is_fine;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_lang::stylesheet::Declaration;
use attractor_model::Level;
use attractor_model::Severity;
use attractor_model::catalogue::AttrType;
use attractor_model::catalogue::style_property;

pub(crate) const LINT: Lint = Lint {
    rule: "attribute_value",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: true,
    summary: "Invalid attribute value.",
    doc: "Checks the type and range of every attribute of pipelines: booleans are `true` or `false`, \
durations look like `30s` or `1h30m`, numbers have a range, and some attributes accept a fixed set of words. Values \
with `$name` or `{key}` are only known at run time and are not checked.",
    example: "test [timeout=\"5 minutes\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut seen = FxHashSet::default();
    // `start_node` reports the shape of a start.
    seen.extend(misspelled_shape(ctx.pipeline).map(|(_, _, range)| range));
    for site in &ctx.attributes().values {
        let attribute = site.attribute;
        let Some(row) = attribute.row() else {
            continue;
        };
        let value = attribute.value().trim();
        match row.ty {
            AttrType::Verify => {
                check_of_output(&LINT, ctx, sink, site, &mut seen);
                continue;
            }
            AttrType::Schema => {
                schema(&LINT, ctx, sink, site, &mut seen);
                continue;
            }
            AttrType::BoolOrCondition if !value.is_empty() => {
                in_words(&LINT, ctx, sink, site, &mut seen);
            }
            _ => {}
        }
        if is_fine(row.ty, value) || value.contains(['$', '{']) {
            continue;
        }
        // Edges and nodes of one statement share their place in the file.
        let Some(range) = attribute.value_range().filter(|range| seen.insert(*range)) else {
            continue;
        };
        let Some(problem) = problem(row.ty, attribute.written(), value) else {
            continue;
        };
        let mut diagnostic = sink.diagnostic(&LINT, range, problem.message);
        if matches!(row.ty, AttrType::Shape) {
            diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
        }
        if let Some(better) = problem.better {
            let edit = ctx.edits().replace_value(range, &better);
            diagnostic = diagnostic.fix(fix(format!("Replace with `{better}`"), edit).preferred());
        }
        sink.push(site.target.annotate(ctx.pipeline, diagnostic));
    }
    custom::check(&LINT, ctx, sink);
    joins::too_many(&LINT, ctx, sink);
    for styled in ctx.stylesheet_declarations() {
        declared(ctx, sink, styled);
    }
}

/// A value a stylesheet gives to nodes.
fn declared(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    styled: &StylesheetDeclaration<'_>,
) {
    let declaration = &styled.declaration;
    let attribute = styled.site.attribute;
    let range = attribute.range_of(ctx.text, declaration.value_range.clone());
    let Some((range, problem)) = range.zip(problem_of_declaration(declaration)) else {
        return;
    };
    let mut diagnostic = sink.diagnostic(&LINT, range, problem.message);
    if let Some(better) = problem.better {
        let edit = attractor_dot::Edit::replace(range, better.clone());
        diagnostic = diagnostic.fix(fix(format!("Replace with `{better}`"), edit).preferred());
    }
    sink.push(styled.site.target.annotate(ctx.pipeline, diagnostic));
}

/// What is wrong with the value of a declaration.
pub(crate) fn problem_of_declaration(declaration: &Declaration) -> Option<Problem> {
    let (name, value) = (declaration.property.as_str(), declaration.value.as_str());
    let row = style_property(name)?;
    if is_fine(row.ty, value) || value.contains(['$', '{']) {
        return None;
    }
    problem(row.ty, name, value)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn types() {
        check(
            "attribute_value",
            r#"digraph {
    graph [max_steps=0, default_fidelity=ful]
    start -> a -> b
    a [prompt=x, timeout="5 minutes", max_retries=two, goal_gate=maybe]
    b [shape=hexagn, prompt=x, temperature=3, auto_status=on]
    a -> b [weight=heavy]
}"#,
            expect![[r#"
                graph [max_steps=0, default_fidelity=ful]
                                 ^ error: `max_steps` is out of range: 0; expected at least 1
                graph [max_steps=0, default_fidelity=ful]
                                                     ^^^ error: invalid value `ful` for `default_fidelity`; did you mean `full`?
                  fix: Replace with `full`
                    + graph [max_steps=0, default_fidelity=full]
                a [prompt=x, timeout="5 minutes", max_retries=two, goal_gate=maybe]
                                     ^^^^^^^^^^^ error: invalid duration `5 minutes` for `timeout`; expected e.g. `30s`, `15m` or `1h30m`
                  fix: Replace with `5m`
                    + a [prompt=x, timeout="5m", max_retries=two, goal_gate=maybe]
                a [prompt=x, timeout="5 minutes", max_retries=two, goal_gate=maybe]
                                                              ^^^ error: invalid integer `two` for `max_retries`
                a [prompt=x, timeout="5 minutes", max_retries=two, goal_gate=maybe]
                                                                             ^^^^^ info: `goal_gate` must be `true` or `false`, so this text has no effect; set `goal_gate=true` and put the condition in `verify` or `goal_conditions`
                b [shape=hexagn, prompt=x, temperature=3, auto_status=on]
                         ^^^^^^ warning: unknown shape `hexagn`; did you mean `hexagon`?
                  fix: Replace with `hexagon`
                    + b [shape=hexagon, prompt=x, temperature=3, auto_status=on]
                b [shape=hexagn, prompt=x, temperature=3, auto_status=on]
                                                       ^ error: `temperature` is out of range: 3; expected 0 to 2
                b [shape=hexagn, prompt=x, temperature=3, auto_status=on]
                                                                      ^^ error: invalid boolean `on` for `auto_status`; expected `true` or `false`
                  fix: Replace with `true`
                    + b [shape=hexagn, prompt=x, temperature=3, auto_status=true]
                a -> b [weight=heavy]
                               ^^^^^ error: invalid integer `heavy` for `weight`
            "#]],
        );
    }

    #[test]
    fn checks_of_output() {
        check(
            "attribute_value",
            r#"digraph {
    start -> a -> b -> c -> d -> e
    a [command=x, verify="exit_cod:0"]
    b [command=x, verify="matches:[0-9]{2"]
    c [command=x, verify="matches:("]
    d [command=x, verify="json:a =="]
    e [command=x, verify="output_contains:{x}"]
}"#,
            expect![[r#"
                a [command=x, verify="exit_cod:0"]
                                      ^^^^^^^^ error: unknown check `exit_cod`; expected one of any_output, output_contains, output_not_contains, exit_code, matches, file_exists, json
                  fix: Replace with `exit_code`
                    + a [command=x, verify="exit_code:0"]
                c [command=x, verify="matches:("]
                                              ^ error: invalid regular expression: error: unclosed group
            "#]],
        );
    }

    #[test]
    fn what_runs_decide_is_not_checked() {
        check(
            "attribute_value",
            r#"digraph {
    start -> a
    a [prompt=x, timeout="$limit", max_retries="{tries}"]
}"#,
            expect![[""]],
        );
    }

    #[test]
    fn shapes() {
        check(
            "attribute_value",
            "digraph {
    start -> a -> b
    a [prompt=x, shape=bo]
    b [prompt=x, shape=zigzag]
}",
            expect![[r#"
                a [prompt=x, shape=bo]
                                   ^^ warning: unknown shape `bo`; did you mean `box`?
                  fix: Replace with `box`
                    + a [prompt=x, shape=box]
                b [prompt=x, shape=zigzag]
                                   ^^^^^^ warning: unknown shape `zigzag`; treated as `box`
            "#]],
        );
    }
}
