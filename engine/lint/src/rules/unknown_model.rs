//! `unknown_model`: a model's name, perhaps by a typo.

use crate::attribute_index::{AttributeSite, AttributeTarget};
use crate::providers;
use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;
use attractor_model::catalogue::{Model, model, models, nearest};

pub(crate) const LINT: Lint = Lint {
    rule: "unknown_model",
    level: Level::Info,
    fixable: true,
    summary: "Unknown model or provider.",
    doc: "Providers add models faster than any catalogue, so an unknown name is passed on unchanged. A \
name one letter away from a known one is probably a typo. The same applies to a provider similar to `anthropic`, \
`openai` or `google`, which is a warning, since no such provider exists.",
    example: "plan [model=\"claude-opus-5.55\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let written = ctx.attributes();
    // On nodes that call no model the name means nothing; a typo in it is one all the same.
    let idle = written.unknown.iter();
    let idle = idle.filter(|site| site.attribute.name() == "model");
    let own = |site: &&AttributeSite<'_>| {
        site.attribute.is_own() && !matches!(site.target, AttributeTarget::Edge(_))
    };
    for site in written.models.iter().chain(idle).filter(own) {
        in_attribute(ctx, site, sink);
    }
    providers::check(&LINT, ctx, sink);
}

fn in_attribute(ctx: &LintContext<'_>, site: &AttributeSite<'_>, sink: &mut DiagnosticSink<'_>) {
    let attribute = site.attribute;
    let name = attribute.value().trim();
    let own = &ctx.options.models;
    if model(name).is_some() || own.iter().any(|known| known == name) || name.is_empty() {
        return;
    }
    let known = models()
        .flat_map(Model::names)
        .map(|name| -> &str { name })
        .chain(own.iter().map(String::as_str));
    // Another version is another model, not a typo.
    let Some(near) = nearest(name, known).filter(|near| digits(near) == digits(name)) else {
        return;
    };
    let Some(range) = attribute.value_range() else {
        return;
    };
    let message = format!("unknown model `{name}`; did you mean `{near}`?");
    let edit = ctx.edits().replace_value(range, near);
    let found = sink
        .diagnostic(&LINT, range, message)
        .fix(fix(format!("Replace with `{near}`"), edit).preferred());
    sink.push(site.target.annotate(ctx.pipeline, found));
}

fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_typo_but_no_other_version() {
        check(
            "unknown_model",
            r#"digraph {
    start -> a -> b -> c
    a [prompt=x, model="claude-sonet-5-5"]
    b [prompt=x, model="claude-sonnet-7-1"]
    c [prompt=x, model="my-own"]
}"#,
            expect![[r#"
                a [prompt=x, model="claude-sonet-5-5"]
                                   ^^^^^^^^^^^^^^^^^^ info: unknown model `claude-sonet-5-5`; did you mean `claude-sonnet-5-5`?
                  fix: Replace with `claude-sonnet-5-5`
                    + a [prompt=x, model="claude-sonnet-5-5"]
            "#]],
        );
    }
}
