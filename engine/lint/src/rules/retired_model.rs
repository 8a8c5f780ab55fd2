//! `retired_model`: a model that its provider has switched off, or will on a day that is published.

use attractor_dot::graph_edits::fix;
use attractor_dot::{Edit, TextRange, strings};
use attractor_model::catalogue::{AttrType, Date, Lifecycle, Model, model, style_property};
use attractor_model::{Attribute, Level, Severity};
use rustc_hash::FxHashSet;

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};

pub(crate) const LINT: Lint = Lint {
    rule: "retired_model",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "A model that is switched off, or will be.",
    doc: "Requests for a model fail from the day on which its provider retires it. The days are those of the \
[catalogue of models](models.md); before that day this is a note, from then on a warning. The fix names the model that \
the provider recommends instead.",
    example: "plan [prompt=\"Plan\", model=\"claude-sonnet-4-5\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let Some(today) = ctx.options.today else {
        return;
    };
    // A default is listed once for each kind of node that has it.
    let mut seen = FxHashSet::default();
    for site in &ctx.attributes().models {
        let found = retiring(ctx, site.attribute.value().trim());
        let range = Some(site.attribute).filter(|attribute| attribute.is_written());
        let range = range.and_then(Attribute::value_range);
        let range = range.filter(|range| seen.insert(*range));
        if let Some((model, range)) = found.zip(range)
            && !matches!(site.target, AttributeTarget::Edge(_))
        {
            let edit = |successor: &str| ctx.edits().replace_value(range, successor);
            report(ctx, sink, site, model, (range, today), edit);
        }
    }
    for styled in ctx.stylesheet_declarations() {
        let declaration = &styled.declaration;
        let row = style_property(&declaration.property);
        let found = row
            .filter(|row| row.ty == AttrType::Model)
            .and_then(|_| retiring(ctx, declaration.value.trim()));
        let attribute = styled.site.attribute;
        let range = attribute.range_of(ctx.text, declaration.value_range.clone());
        if let Some((model, range)) = found.zip(range) {
            let edit =
                |successor: &str| Edit::replace(range, strings::escape_into_quoted(successor));
            report(ctx, sink, &styled.site, model, (range, today), edit);
        }
    }
}

/// The model of that name, if a day of its retirement is known. A model of the configuration is the project's own.
fn retiring<'n>(ctx: &LintContext<'_>, name: &'n str) -> Option<(&'n str, &'static Model)> {
    let own = ctx.options.models.iter();
    let is_own = own.clone().any(|own| own.names().any(|own| own == name));
    let found = model(name).filter(|_| !is_own)?;
    found.retires.is_some().then_some((name, found))
}

fn report(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    site: &AttributeSite<'_>,
    (name, model): (&str, &Model),
    (range, today): (TextRange, Date),
    edit: impl Fn(&str) -> Edit,
) {
    let (problem, severity) = match model.lifecycle(today) {
        Lifecycle::Active => return,
        Lifecycle::Retiring(date) => (format!("`{name}` retires on {date}"), Severity::Info),
        Lifecycle::Retired(date) => (
            format!("`{name}` is retired since {date}"),
            Severity::Warning,
        ),
    };
    let successor = model.successor.as_deref();
    let message = match successor {
        Some(successor) => format!("{problem}; use `{successor}`"),
        None => problem,
    };
    let mut found =
        sink.diagnostic(&LINT, range, message)
            .maybe_fix(successor.map(|successor| {
                fix(format!("Replace with `{successor}`"), edit(successor)).preferred()
            }));
    found.severity = sink.severity_or(&LINT, severity);
    sink.push(site.target.annotate(ctx.pipeline, found));
}

#[cfg(test)]
mod tests {
    use attractor_model::catalogue::DeclaredModel;
    use attractor_model::{NoFiles, Options};
    use expect_test::{Expect, expect};

    use crate::testing::check_with;

    const PIPELINE: &str = r#"digraph {
    model_stylesheet="* { model: claude-sonnet-4-5; } .x { model: claude-opus-5-5; }"
    node [model="claude-sonnet-4-5"]
    start -> a -> b -> c
    a [prompt=x, llm_model="claude-sonnet-4.5"]
    b [prompt=x, model="claude-opus-5-5"]
    c [prompt=x, model="my-own"]
}"#;

    fn declared(id: &str) -> DeclaredModel {
        DeclaredModel {
            id: id.to_owned(),
            ..DeclaredModel::default()
        }
    }

    fn on(today: Option<&str>, own: &[&str], expected: Expect) {
        let options = Options {
            today: today.map(|day| day.parse().unwrap()),
            models: own.iter().map(|name| declared(name)).collect(),
            ..Options::default()
        };
        check_with("retired_model", PIPELINE, &options, &NoFiles, expected);
    }

    #[test]
    fn a_note_before_the_day_and_a_warning_after() {
        on(
            Some("2026-11-29"),
            &[],
            expect![[r#"
                model_stylesheet="* { model: claude-sonnet-4-5; } .x { model: claude-opus-5-5; }"
                                             ^^^^^^^^^^^^^^^^^ info: `claude-sonnet-4-5` retires on 2026-11-30; use `claude-sonnet-5-5`
                  fix: Replace with `claude-sonnet-5-5`
                    + model_stylesheet="* { model: claude-sonnet-5-5; } .x { model: claude-opus-5-5; }"
                node [model="claude-sonnet-4-5"]
                            ^^^^^^^^^^^^^^^^^^^ info: `claude-sonnet-4-5` retires on 2026-11-30; use `claude-sonnet-5-5`
                  fix: Replace with `claude-sonnet-5-5`
                    + node [model="claude-sonnet-5-5"]
                a [prompt=x, llm_model="claude-sonnet-4.5"]
                                       ^^^^^^^^^^^^^^^^^^^ info: `claude-sonnet-4.5` retires on 2026-11-30; use `claude-sonnet-5-5`
                  fix: Replace with `claude-sonnet-5-5`
                    + a [prompt=x, llm_model="claude-sonnet-5-5"]
            "#]],
        );
        on(
            Some("2026-11-30"),
            &[],
            expect![[r#"
                model_stylesheet="* { model: claude-sonnet-4-5; } .x { model: claude-opus-5-5; }"
                                             ^^^^^^^^^^^^^^^^^ warning: `claude-sonnet-4-5` is retired since 2026-11-30; use `claude-sonnet-5-5`
                  fix: Replace with `claude-sonnet-5-5`
                    + model_stylesheet="* { model: claude-sonnet-5-5; } .x { model: claude-opus-5-5; }"
                node [model="claude-sonnet-4-5"]
                            ^^^^^^^^^^^^^^^^^^^ warning: `claude-sonnet-4-5` is retired since 2026-11-30; use `claude-sonnet-5-5`
                  fix: Replace with `claude-sonnet-5-5`
                    + node [model="claude-sonnet-5-5"]
                a [prompt=x, llm_model="claude-sonnet-4.5"]
                                       ^^^^^^^^^^^^^^^^^^^ warning: `claude-sonnet-4.5` is retired since 2026-11-30; use `claude-sonnet-5-5`
                  fix: Replace with `claude-sonnet-5-5`
                    + a [prompt=x, llm_model="claude-sonnet-5-5"]
            "#]],
        );
    }

    #[test]
    fn without_a_day_or_for_models_of_the_project_it_is_silent() {
        on(None, &[], expect![[""]]);
        on(
            Some("2026-12-31"),
            &["claude-sonnet-4-5", "claude-sonnet-4.5"],
            expect![[""]],
        );
    }
}
